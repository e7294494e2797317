-- CreateEnum
CREATE TYPE "import_supplier_status" AS ENUM ('ONGOING', 'PAUSED', 'COMPLETE');

-- CreateEnum
CREATE TYPE "account_import_state" AS ENUM ('STAGED', 'FAILED', 'SKIPPED', 'COMPLETED');

-- CreateTable
CREATE TABLE "organisations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organisations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "organisation_id" UUID,
    "label" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "digest" BYTEA NOT NULL,
    "api_key_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "service_secrets" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "service_secrets_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "import_suppliers" (
    "code" TEXT NOT NULL,
    "organisation_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "status" "import_supplier_status" NOT NULL DEFAULT 'ONGOING',
    "country" CHAR(2) NOT NULL,
    "document_root" TEXT NOT NULL,
    "send_customer_emails" BOOLEAN NOT NULL,
    "process_concurrency_limit" INTEGER,
    "reject_undocumented_fields" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_suppliers_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "operations_teams" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operations_teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_imports" (
    "id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "external_account_number" TEXT NOT NULL,
    "state" "account_import_state" NOT NULL,
    "staging_order" BIGSERIAL NOT NULL,
    "payload" JSONB NOT NULL,
    "times_staged" INTEGER NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" JSONB,
    "skip_reason" TEXT,
    "staged_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3),
    "skipped_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_imports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "account_import_id" UUID NOT NULL,
    "service_account_number" TEXT NOT NULL,
    "operations_team_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "account_type" TEXT NOT NULL,
    "billing_name" TEXT,
    "billing_email" TEXT,
    "transfer_balance" DECIMAL(13,2),
    "last_billed_to_date" DATE,
    "open_statement_from" DATE NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("account_import_id")
);

-- CreateTable
CREATE TABLE "customers" (
    "account_import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "email" TEXT,
    "mobile" TEXT,
    "landline" TEXT,
    "date_of_birth" DATE,
    "details" JSONB NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("account_import_id","position")
);

-- CreateTable
CREATE TABLE "supply_addresses" (
    "account_import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "supply_address1" TEXT NOT NULL,
    "supply_address2" TEXT,
    "supply_address3" TEXT,
    "supply_address4" TEXT,
    "supply_address5" TEXT,
    "supply_postcode" TEXT NOT NULL,
    "customer_at_supply_address_from_date" DATE NOT NULL,
    "customer_at_supply_address_to_date" DATE,
    "is_landlord" BOOLEAN,

    CONSTRAINT "supply_addresses_pkey" PRIMARY KEY ("account_import_id","position")
);

-- CreateTable
CREATE TABLE "meter_points" (
    "account_import_id" UUID NOT NULL,
    "supply_address_position" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "identifier" TEXT,
    "supply_type" TEXT,
    "supply_start_date" DATE,
    "mpid" TEXT,
    "agreements" JSONB NOT NULL,
    "meters" JSONB NOT NULL,

    CONSTRAINT "meter_points_pkey" PRIMARY KEY ("account_import_id","supply_address_position","position")
);

-- CreateTable
CREATE TABLE "payment_schedules" (
    "account_import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "means" TEXT,
    "start_date" DATE,
    "end_date" DATE,
    "frequency" TEXT,
    "day_of_month" INTEGER,
    "amount" DECIMAL(13,2),

    CONSTRAINT "payment_schedules_pkey" PRIMARY KEY ("account_import_id","position")
);

-- CreateTable
CREATE TABLE "notes" (
    "account_import_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "body" TEXT,
    "document_paths" TEXT[],
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "is_pinned" BOOLEAN NOT NULL,
    "unpin_at" TIMESTAMPTZ(0),

    CONSTRAINT "notes_pkey" PRIMARY KEY ("account_import_id","id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "account_import_id" UUID NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "transaction_date" DATE NOT NULL,
    "original_transaction_date" DATE,
    "amount" DECIMAL(13,2) NOT NULL,
    "type" TEXT NOT NULL,
    "reason" TEXT,
    "display_note" TEXT,
    "note" TEXT,
    "reference" TEXT,
    "payment_type" TEXT,
    "product_code" TEXT,
    "line_items" JSONB,
    "tax_items" JSONB,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("account_import_id","transaction_id","id")
);

-- CreateTable
CREATE TABLE "statements" (
    "account_import_id" UUID NOT NULL,
    "statement_id" TEXT NOT NULL,
    "bill_period_from_date" DATE NOT NULL,
    "bill_period_to_date" DATE NOT NULL,
    "issued_date" DATE NOT NULL,
    "number" TEXT NOT NULL,
    "gross_amount" DECIMAL(13,2) NOT NULL,
    "statement_path" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statements_pkey" PRIMARY KEY ("account_import_id","statement_id")
);

-- CreateTable
CREATE TABLE "payment_instructions" (
    "account_import_id" UUID NOT NULL,
    "vendor" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_instructions_pkey" PRIMARY KEY ("account_import_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "id" UUID NOT NULL,
    "request_digest" BYTEA NOT NULL,
    "claim" UUID NOT NULL,
    "claimed_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "subject_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "subject" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "api_key_id" UUID,
    "request_id" TEXT NOT NULL,
    "detail" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("subject_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "organisations_name_key" ON "organisations"("name");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_digest_key" ON "api_keys"("digest");

-- CreateIndex
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "import_suppliers_organisation_id_idx" ON "import_suppliers"("organisation_id");

-- CreateIndex
CREATE UNIQUE INDEX "operations_teams_name_key" ON "operations_teams"("name");

-- CreateIndex
CREATE INDEX "account_imports_import_supplier_code_state_staging_order_idx" ON "account_imports"("import_supplier_code", "state", "staging_order");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_service_account_number_key" ON "accounts"("service_account_number");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "organisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "import_suppliers" ADD CONSTRAINT "import_suppliers_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "organisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "account_imports"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "supply_addresses" ADD CONSTRAINT "supply_addresses_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "meter_points" ADD CONSTRAINT "meter_points_account_import_id_supply_address_position_fkey" FOREIGN KEY ("account_import_id", "supply_address_position") REFERENCES "supply_addresses"("account_import_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_schedules" ADD CONSTRAINT "payment_schedules_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statements" ADD CONSTRAINT "statements_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_instructions" ADD CONSTRAINT "payment_instructions_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;
