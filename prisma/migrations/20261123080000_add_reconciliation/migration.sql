-- CreateEnum
CREATE TYPE "manifest_state" AS ENUM ('OPEN', 'SEALED', 'WITHDRAWN');
CREATE TYPE "reconciliation_state" AS ENUM ('PLANNING', 'RUNNING', 'FINISHED', 'CANCELLED');
CREATE TYPE "reconciliation_verdict" AS ENUM ('EQUAL', 'DIFFERENT', 'MOVED');
CREATE TYPE "difference_kind" AS ENUM ('MISSING', 'EXTRA', 'NOT_CREATED', 'SKIPPED', 'DIFFERENT');

-- What the source has, counted and added up there. "totals" are those that were lodged, "accounts" is one of them.
-- "digest" is that of the parts' digests. "creation_order" follows the commits of an import supplier's manifests: lists
-- follow it.
CREATE TABLE "manifests" (
    "id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "creation_order" BIGSERIAL NOT NULL,
    "source_system" TEXT NOT NULL,
    "as_of" TIMESTAMPTZ(0) NOT NULL,
    "state" "manifest_state" NOT NULL DEFAULT 'OPEN',
    "totals" JSONB NOT NULL,
    "accounts" INTEGER NOT NULL,
    "computed_from_book" BOOLEAN NOT NULL,
    "digest" BYTEA,
    "lodged_before_load" BOOLEAN,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed_by" UUID,
    "sealed_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),

    CONSTRAINT "manifests_pkey" PRIMARY KEY ("id")
);

-- What was uploaded, as far as it was answered: the digest is of the bytes as they were sent, "figures" are those of the
-- lines, counted and added up: sealing adds up these rows only.
CREATE TABLE "manifest_parts" (
    "manifest_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "figures" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "manifest_parts_pkey" PRIMARY KEY ("manifest_id","number")
);

-- A line of a manifest: a figure that is NULL is not claimed, and not compared. An account without a transfer balance has
-- 0.00. "notes" are without those that the service writes itself. "statements_gross" is in the unit that is stored,
-- "by_type" has {"count": 2, "amount": "104.88"} for each type with a transaction.
CREATE TABLE "manifest_accounts" (
    "manifest_id" UUID NOT NULL,
    "account_import_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "external_account_number" TEXT NOT NULL,
    "transfer_balance" DECIMAL(13,2),
    "notes" INTEGER,
    "transactions" INTEGER,
    "transactions_sum" DECIMAL(17,2),
    "by_type" JSONB,
    "statements" INTEGER,
    "statements_gross" DECIMAL(17,2),
    "payment_instruction" BOOLEAN,
    "fingerprint" DECIMAL(30,0),

    CONSTRAINT "manifest_accounts_pkey" PRIMARY KEY ("manifest_id","account_import_id")
);

-- A comparison of a sealed manifest with what is stored. "round" numbers the comparisons: ranges that moved are compared
-- again. Totals, counts and coverage are those of the ranges, added up at the end.
CREATE TABLE "reconciliations" (
    "id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "creation_order" BIGSERIAL NOT NULL,
    "manifest_id" UUID NOT NULL,
    "state" "reconciliation_state" NOT NULL DEFAULT 'PLANNING',
    "round" INTEGER NOT NULL DEFAULT 0,
    "verdict" "reconciliation_verdict",
    "expected" JSONB,
    "actual" JSONB,
    "covered" JSONB,
    "missing" INTEGER,
    "extra" INTEGER,
    "not_created" INTEGER,
    "skipped" INTEGER,
    "different" INTEGER,
    "differences" BIGINT,
    "differences_digest" BYTEA,
    "moved_ranges" INTEGER,
    "report_jws" TEXT,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "signed_off_by" UUID,
    "signed_off_person" TEXT,
    "signed_off_at" TIMESTAMPTZ(3),
    "signed_off_note" TEXT,

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("id")
);

-- What is compared together, in one transaction, whose lock on the row is the lease: the accounts with
-- "from_id" <= id < "to_id"; the last range has no "to_id". "created" and "revisions" are the number of created accounts
-- and the sum of their revisions, as they were compared.
CREATE TABLE "reconciliation_ranges" (
    "reconciliation_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "from_id" UUID NOT NULL,
    "to_id" UUID,
    "round" INTEGER NOT NULL DEFAULT 0,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "sums" JSONB NOT NULL DEFAULT '{}',
    "created" INTEGER NOT NULL DEFAULT 0,
    "revisions" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "reconciliation_ranges_pkey" PRIMARY KEY ("reconciliation_id","number")
);

-- A figure of an account that differs, or the account itself (then "field" is 'account'). Figures only: nothing in it
-- describes a person.
CREATE TABLE "reconciliation_differences" (
    "reconciliation_id" UUID NOT NULL,
    "account_import_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "external_account_number" TEXT NOT NULL,
    "kind" "difference_kind" NOT NULL,
    "expected" TEXT,
    "actual" TEXT,
    "detail" JSONB,

    CONSTRAINT "reconciliation_differences_pkey" PRIMARY KEY ("reconciliation_id","account_import_id","field")
);

-- CreateIndex
CREATE INDEX "manifests_import_supplier_code_creation_order_idx" ON "manifests"("import_supplier_code", "creation_order");
CREATE INDEX "reconciliations_import_supplier_code_creation_order_idx" ON "reconciliations"("import_supplier_code", "creation_order");
CREATE INDEX "reconciliations_unfinished_idx" ON "reconciliations"("id") WHERE "state" IN ('PLANNING', 'RUNNING');
CREATE INDEX "reconciliation_ranges_not_done_idx" ON "reconciliation_ranges"("reconciliation_id", "number") WHERE NOT "done";

-- AddForeignKey
ALTER TABLE "manifests" ADD CONSTRAINT "manifests_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "manifests" ADD CONSTRAINT "manifests_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "manifests" ADD CONSTRAINT "manifests_sealed_by_fkey" FOREIGN KEY ("sealed_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "manifest_parts" ADD CONSTRAINT "manifest_parts_manifest_id_fkey" FOREIGN KEY ("manifest_id") REFERENCES "manifests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "manifest_accounts" ADD CONSTRAINT "manifest_accounts_manifest_id_fkey" FOREIGN KEY ("manifest_id") REFERENCES "manifests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_manifest_id_fkey" FOREIGN KEY ("manifest_id") REFERENCES "manifests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_signed_off_by_fkey" FOREIGN KEY ("signed_off_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliation_ranges" ADD CONSTRAINT "reconciliation_ranges_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliation_differences" ADD CONSTRAINT "reconciliation_differences_reconciliation_id_fkey" FOREIGN KEY ("reconciliation_id") REFERENCES "reconciliations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "manifests"
    ADD CONSTRAINT "manifests_state_check" CHECK (
        ("sealed_at" IS NULL) = ("digest" IS NULL)
        AND ("sealed_at" IS NULL) = ("sealed_by" IS NULL)
        AND ("sealed_at" IS NULL) = ("lodged_before_load" IS NULL)
        AND ("state" <> 'OPEN' OR "sealed_at" IS NULL)
        AND ("state" <> 'SEALED' OR "sealed_at" IS NOT NULL)
        AND ("state" = 'WITHDRAWN') = ("withdrawn_at" IS NOT NULL)),
    ADD CONSTRAINT "manifests_accounts_check" CHECK ("accounts" >= 1 AND length("digest") = 32);
ALTER TABLE "manifest_parts"
    ADD CONSTRAINT "manifest_parts_size_check" CHECK ("number" BETWEEN 1 AND 100000 AND "bytes" > 0 AND "lines" > 0 AND length("sha256") = 32);
ALTER TABLE "manifest_accounts"
    ADD CONSTRAINT "manifest_accounts_figures_check" CHECK (
        "notes" >= 0 AND "transactions" >= 0 AND "statements" >= 0 AND "fingerprint" >= 0);
ALTER TABLE "reconciliations"
    ADD CONSTRAINT "reconciliations_state_check" CHECK (
        ("state" IN ('FINISHED', 'CANCELLED')) = ("finished_at" IS NOT NULL)
        AND ("state" = 'FINISHED') = ("verdict" IS NOT NULL)
        AND "round" >= 0),
    ADD CONSTRAINT "reconciliations_signed_off_check" CHECK (
        ("signed_off_at" IS NULL) = ("signed_off_by" IS NULL)
        AND ("signed_off_at" IS NULL) = ("signed_off_person" IS NULL)
        AND ("signed_off_at" IS NULL) = ("signed_off_note" IS NULL)
        AND ("signed_off_at" IS NULL OR "state" = 'FINISHED'));
ALTER TABLE "reconciliation_ranges"
    ADD CONSTRAINT "reconciliation_ranges_check" CHECK (
        "from_id" < "to_id" AND "attempts" >= 0 AND "round" >= 0 AND "done" = ("finished_at" IS NOT NULL));

-- Whether the service wrote a note itself. Notes of the versions before "is_generated" have it in their first line only;
-- to mark them, a migration would have to read all notes, which may be very many. The body of an erased account is gone.
CREATE FUNCTION "is_note_of_service"("is_generated" boolean, "is_pinned" boolean, "external_id" text, "body" text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN "is_generated" OR ("is_pinned" AND "external_id" IS NULL AND coalesce("body" ~
    '^(1 transaction was|[0-9]+ transactions were) moved into the open statement period \([0-9]{4}-[0-9]{2}-[0-9]{2} to [0-9]{4}-[0-9]{2}-[0-9]{2}\):\n',
    false));

-- The person to whom a key of the service team belongs.
ALTER TABLE "api_keys" ADD COLUMN "person" TEXT;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_person_check" CHECK ("person" IS NULL OR "organisation_id" IS NULL) NOT VALID;
