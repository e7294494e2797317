-- The tables of version 0.1.0. What they and their columns hold is told in schema.prisma; here is what Prisma cannot say. The
-- indexes in packages/db/src/migrations/build-indexes.ts are built after this.
--
-- The CHECK constraints name what must never be stored, whatever the code does (docs/constraints.md). PostgreSQL reads the
-- expression of every CHECK of a table anew for each statement that writes to it, and what stands in a function only once a
-- session: with each rule written out, what an account's journey writes cost 60 % more. So a rule of more than a few words
-- is a function, and what does no harm, such as an account type of an odd form, has no CHECK. The functions call none of
-- ours: a dump, which is restored without a search path, finds all that they need.

CREATE TABLE "organisations" (
    "id" UUID PRIMARY KEY,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "organisations_name_check" CHECK ("name" ~ '\S')
);
CREATE UNIQUE INDEX "organisations_name_key" ON "organisations"("name");

CREATE TABLE "api_keys" (
    "id" UUID PRIMARY KEY,
    "organisation_id" UUID REFERENCES "organisations" ON DELETE RESTRICT ON UPDATE CASCADE,
    "label" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "person" TEXT,
    "is_read_only" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "api_keys_digest_check" CHECK (octet_length("digest") = 32),
    CONSTRAINT "api_keys_person_check" CHECK ("person" IS NULL OR "organisation_id" IS NULL),
    CONSTRAINT "api_keys_is_read_only_check" CHECK (NOT "is_read_only" OR "organisation_id" IS NULL)
);
CREATE UNIQUE INDEX "api_keys_digest_key" ON "api_keys"("digest");

CREATE TABLE "refresh_tokens" (
    "digest" BYTEA PRIMARY KEY,
    "api_key_id" UUID NOT NULL REFERENCES "api_keys" ON DELETE CASCADE ON UPDATE CASCADE,
    "expires_at" TIMESTAMPTZ(0) NOT NULL,
    "family" BYTEA,
    "family_expires_at" TIMESTAMPTZ(0),
    "reused_at" TIMESTAMPTZ(3),
    "used_at" TIMESTAMPTZ(3)
);
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

-- Not used any more.
CREATE TABLE "service_secrets" (
    "name" TEXT PRIMARY KEY,
    "value" TEXT NOT NULL
);

CREATE TABLE "rate_limits" (
    "key" TEXT PRIMARY KEY,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT
);

CREATE TYPE "import_supplier_status" AS ENUM ('ONGOING', 'PAUSED', 'COMPLETE');
CREATE TYPE "balance_check" AS ENUM ('OFF', 'REPORT', 'REFUSE');
CREATE TYPE "statement_amount_unit" AS ENUM ('MAJOR', 'MINOR');

-- Relative paths that stay below their root; one slash may stand before them. (packages/contracts/src/document-path.ts refuses
-- more, also what is encoded.)
CREATE FUNCTION "are_document_paths"(VARIADIC "paths" TEXT[]) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    "path" TEXT;
BEGIN
    FOREACH "path" IN ARRAY "paths" LOOP
        IF "path" IS NULL OR regexp_replace("path", '^/', '') ~
            '(^|/)\.{0,2}(/|$)|[\\\u0001-\u001F\u007F-\u009F]|%2[eEfF]|^[A-Za-z][A-Za-z0-9+.-]*:' THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $$;

CREATE TABLE "import_suppliers" (
    "code" TEXT PRIMARY KEY,
    "organisation_id" UUID NOT NULL REFERENCES "organisations" ON DELETE RESTRICT ON UPDATE CASCADE,
    "name" TEXT NOT NULL,
    "status" "import_supplier_status" NOT NULL DEFAULT 'ONGOING',
    "country" CHAR(2) NOT NULL,
    "document_root" TEXT NOT NULL,
    "send_customer_emails" BOOLEAN NOT NULL,
    "process_concurrency_limit" INTEGER,
    "reject_undocumented_fields" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "account_types" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "balance_check" "balance_check" NOT NULL DEFAULT 'REPORT',
    "empty_means_omitted" BOOLEAN NOT NULL DEFAULT false,
    "keep_undocumented_fields" BOOLEAN NOT NULL DEFAULT false,
    "statement_amount_unit" "statement_amount_unit" NOT NULL DEFAULT 'MAJOR',
    "bulk_parallelism" INTEGER NOT NULL DEFAULT 2,
    "email_sender" TEXT,
    "email_unsubscribe" TEXT,

    CONSTRAINT "import_suppliers_country_check" CHECK ("country" ~ '^[A-Z]{2}$'),
    CONSTRAINT "import_suppliers_document_root_check" CHECK ("are_document_paths"("document_root")),
    CONSTRAINT "import_suppliers_process_concurrency_limit_check" CHECK ("process_concurrency_limit" BETWEEN 1 AND 10000),
    CONSTRAINT "import_suppliers_code_check" CHECK ("code" ~ '^[A-Z0-9_-]+( [A-Z0-9_-]+)*$' AND length("code") <= 64),
    CONSTRAINT "import_suppliers_bulk_parallelism_check" CHECK ("bulk_parallelism" BETWEEN 1 AND 16),
    CONSTRAINT "import_suppliers_document_root_slash_check" CHECK ("document_root" NOT LIKE '/%')
);
CREATE INDEX "import_suppliers_organisation_id_idx" ON "import_suppliers"("organisation_id");

-- What stages or creates an account holds its supplier's lock, shared, until its transaction ends; what sets the
-- supplier's status holds it alone, and so waits for them. An advisory lock and not one of the supplier's row: a row that
-- is always locked by somebody would keep a change of it waiting for ever.
--
-- Locks the supplier, and returns its status as it is then: each statement of a VOLATILE function sees what was committed
-- before it, however old the snapshot of the statement that calls it. Null where the supplier does not exist and, unless
-- the caller may wait, where its status is being set.
--
-- Numbers are drawn in one order and committed in another. A reader who has passed a number must never meet a lower one
-- later, so each transaction that may draw numbers for a supplier shows, before it draws one, the first that may be its
-- own: as an advisory lock of the supplier, which others can read in pg_locks, which nobody waits for, and which ends
-- with the transaction, once what it has written is visible. The lock has 32 bits of the number. A sequence with a CACHE
-- would break this: a session would draw numbers that are lower than the last one.
CREATE FUNCTION "share_import_supplier"("supplier_code" TEXT, "may_wait" BOOLEAN) RETURNS "import_supplier_status"
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF "may_wait" THEN
        PERFORM pg_advisory_xact_lock_shared(4210002, hashtext("supplier_code"));
    ELSIF NOT pg_try_advisory_xact_lock_shared(4210002, hashtext("supplier_code")) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('import order of ' || "supplier_code"),
        ("last_value" + "is_called"::int)::bit(32)::int) FROM "account_imports_staging_order_seq";
    RETURN (SELECT "status" FROM "import_suppliers" WHERE "code" = "supplier_code");
END $$;

-- Waits for all that stage or create accounts of the supplier; those that come later wait for the caller.
CREATE FUNCTION "lock_import_supplier"("supplier_code" TEXT) RETURNS VOID
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(4210002, hashtext("supplier_code"));
$$;

CREATE TABLE "operations_teams" (
    "id" UUID PRIMARY KEY,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "organisation_id" UUID REFERENCES "organisations" ON DELETE RESTRICT ON UPDATE CASCADE,

    CONSTRAINT "operations_teams_name_check" CHECK ("name" ~ '\S')
);
CREATE UNIQUE INDEX "operations_teams_name_key" ON "operations_teams"("name");

CREATE TYPE "account_import_state" AS ENUM ('STAGED', 'FAILED', 'SKIPPED', 'COMPLETED');

-- The id that the service computes for an account import (packages/domain/src/derived-id.ts): the first 128 bits of a
-- SHA-256 over the kind and the two names, each behind its length, with the six bits that make it a UUID of version 8.
CREATE FUNCTION "account_import_id"("supplier_code" TEXT, "account_number" TEXT) RETURNS UUID
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    "digest" BYTEA := sha256('\x0000000e'::bytea || 'account_import'::bytea
        || int4send(octet_length("supplier_code")) || convert_to("supplier_code", 'UTF8')
        || int4send(octet_length("account_number")) || convert_to("account_number", 'UTF8'));
BEGIN
    RETURN encode(set_byte(set_byte(substring("digest" FROM 1 FOR 16), 6, get_byte("digest", 6) & 15 | 128),
        8, get_byte("digest", 8) & 63 | 128), 'hex')::uuid;
END $$;

-- What belongs to each state. The times are not compared with each other: each instance has a clock of its own.
CREATE FUNCTION "is_account_import_state"("state" "account_import_state", "attempts" INTEGER, "failed_at" TIMESTAMPTZ,
    "last_error" JSONB, "skipped_at" TIMESTAMPTZ, "skip_reason" TEXT, "completed_at" TIMESTAMPTZ,
    "service_account_number" TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF "state" = 'COMPLETED' THEN
        RETURN "completed_at" IS NOT NULL AND "attempts" >= 1
            AND num_nonnulls("last_error", "skipped_at", "skip_reason") = 0;
    ELSIF num_nonnulls("completed_at", "service_account_number") > 0 THEN
        RETURN false;
    ELSIF "state" = 'SKIPPED' THEN
        RETURN num_nulls("skipped_at", "skip_reason") = 0 AND ("failed_at" IS NULL) = ("last_error" IS NULL);
    ELSIF num_nonnulls("skipped_at", "skip_reason") > 0 THEN
        RETURN false;
    ELSIF "state" = 'FAILED' THEN
        RETURN num_nulls("failed_at", "last_error") = 0 AND "attempts" >= 1;
    END IF;
    RETURN num_nonnulls("failed_at", "last_error") = 0;
END $$;

CREATE TABLE "account_imports" (
    "id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "external_account_number" TEXT NOT NULL,
    "state" "account_import_state" NOT NULL,
    "staging_order" BIGSERIAL NOT NULL,
    "payload" JSONB,
    "times_staged" INTEGER NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" JSONB,
    "skip_reason" TEXT,
    "staged_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3),
    "skipped_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "service_account_number" TEXT,
    "erased_at" TIMESTAMPTZ(3),
    "payload_removed_at" TIMESTAMPTZ(3),
    "completion_order" BIGINT,
    "kept_fields" JSON,

    -- With the derived id the primary key is what keeps a supplier's account number unique: two rows of one number would have
    -- one id. An index on the two names would guarantee no more, and every staging and creation would have to maintain it.
    CONSTRAINT "account_imports_id_check"
        CHECK ("id" = "account_import_id"("import_supplier_code", "external_account_number")),
    CONSTRAINT "account_imports_state_check" CHECK ("is_account_import_state"("state", "attempts", "failed_at",
        "last_error", "skipped_at", "skip_reason", "completed_at", "service_account_number"))
);
CREATE INDEX "account_imports_import_supplier_code_state_staging_order_idx"
    ON "account_imports"("import_supplier_code", "state", "staging_order");

-- The list of imported accounts follows this number. It is drawn from the sequence of the first stagings, so that it is
-- higher than that of every account import that was there before.
CREATE FUNCTION "draw_completion_order"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    NEW."completion_order" := nextval('account_imports_staging_order_seq');
    RETURN NEW;
END $$;
CREATE TRIGGER "account_imports_are_numbered_when_completed" BEFORE UPDATE OF "state" ON "account_imports"
    FOR EACH ROW WHEN (NEW."state" = 'COMPLETED' AND OLD."state" <> 'COMPLETED')
    EXECUTE FUNCTION "draw_completion_order"();

-- The first number of the supplier that may still be committed: whoever reads the account imports after this call sees
-- all that will ever be below it. The order of the two statements matters: who has drawn a number below "next" has shown
-- its lock before, so that the second statement sees the lock, or the transaction is over.
CREATE FUNCTION "first_unsettled_order"("supplier_code" TEXT) RETURNS BIGINT
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "next" BIGINT;
    "behind" INTEGER;
BEGIN
    SELECT "last_value" + "is_called"::int INTO "next" FROM "account_imports_staging_order_seq";
    SELECT min(("objid"::bigint - "next")::bit(32)::int) INTO "behind" FROM pg_locks
        WHERE "locktype" = 'advisory' AND "objsubid" = 2
            AND "classid" = hashtext('import order of ' || "supplier_code")::oid
            AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
    RETURN "next" + least("behind", 0);
END $$;

CREATE TABLE "accounts" (
    "account_import_id" UUID PRIMARY KEY REFERENCES "account_imports" ON DELETE RESTRICT ON UPDATE CASCADE,
    "service_account_number" TEXT NOT NULL,
    "operations_team_id" UUID NOT NULL REFERENCES "operations_teams" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "account_type" TEXT NOT NULL,
    "billing_name" TEXT,
    "billing_email" TEXT,
    "transfer_balance" DECIMAL(13,2),
    "last_billed_to_date" DATE,
    "open_statement_from" DATE NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "payload_size" INTEGER,
    "last_statement_balance" DECIMAL(13,2),

    -- A column of type DECIMAL takes NaN, which is greater than every number and equal to itself.
    CONSTRAINT "accounts_transfer_balance_check" CHECK ("transfer_balance" <> 'NaN'),
    CONSTRAINT "accounts_open_statement_from_check"
        CHECK ("last_billed_to_date" IS NULL OR "open_statement_from" = "last_billed_to_date" + 1),
    CONSTRAINT "accounts_last_statement_balance_check" CHECK ("last_statement_balance" <> 'NaN')
);
CREATE UNIQUE INDEX "accounts_service_account_number_key" ON "accounts"("service_account_number");

-- The other side of the keys of require_account: an account is never removed, and its key never changed, by whatever role. What
-- removes one (an undo) has to be a function of the owner, and the only exception from this trigger. It has to run at READ
-- COMMITTED and, in a statement of its own, to lock the account FOR UPDATE before it removes the rows: then a writer that was
-- there first has committed, and its rows are seen; one that comes later waits, and finds no account.
CREATE FUNCTION "refuse_removal_of_accounts"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'accounts are never removed, and their keys never change'
    USING ERRCODE = 'restrict_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;
CREATE TRIGGER "accounts_are_kept" BEFORE DELETE OR TRUNCATE OR UPDATE OF "account_import_id" ON "accounts"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal_of_accounts"();

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

    PRIMARY KEY ("account_import_id", "position")
);

CREATE TABLE "supply_addresses" (
    "account_import_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "supply_address1" TEXT,
    "supply_address2" TEXT,
    "supply_address3" TEXT,
    "supply_address4" TEXT,
    "supply_address5" TEXT,
    "supply_postcode" TEXT,
    "customer_at_supply_address_from_date" DATE NOT NULL,
    "customer_at_supply_address_to_date" DATE,
    "is_landlord" BOOLEAN,
    "details" JSONB NOT NULL DEFAULT '{}',

    PRIMARY KEY ("account_import_id", "position"),
    CONSTRAINT "supply_addresses_period_check"
        CHECK ("customer_at_supply_address_from_date" <= "customer_at_supply_address_to_date"),
    -- An address of either style; an erased one has its lines blanked.
    CONSTRAINT "supply_addresses_style_check"
        CHECK ("supply_address1" IS NOT NULL AND "supply_postcode" IS NOT NULL OR "details" ? 'supply_address')
);

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
    "details" JSONB NOT NULL DEFAULT '{}',

    PRIMARY KEY ("account_import_id", "supply_address_position", "position"),
    CONSTRAINT "meter_points_account_import_id_supply_address_position_fkey"
        FOREIGN KEY ("account_import_id", "supply_address_position")
        REFERENCES "supply_addresses"("account_import_id", "position") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "payment_schedules" (
    "account_import_id" UUID NOT NULL REFERENCES "accounts" ON DELETE RESTRICT ON UPDATE CASCADE,
    "position" INTEGER NOT NULL,
    "means" TEXT,
    "start_date" DATE,
    "end_date" DATE,
    "frequency" TEXT,
    "day_of_month" INTEGER,
    "amount" DECIMAL(13,2),
    "details" JSONB NOT NULL DEFAULT '{}',

    PRIMARY KEY ("account_import_id", "position"),
    CONSTRAINT "payment_schedules_period_check" CHECK ("start_date" <= "end_date"),
    CONSTRAINT "payment_schedules_values_check"
        CHECK ("day_of_month" BETWEEN 1 AND 28 AND "amount" >= 0 AND "amount" <> 'NaN')
);

CREATE TABLE "notes" (
    "account_import_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "body" TEXT,
    "document_paths" TEXT[],
    "created_at" TIMESTAMPTZ(0) NOT NULL,
    "is_pinned" BOOLEAN NOT NULL,
    "unpin_at" TIMESTAMPTZ(0),
    "external_id" TEXT,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "is_generated" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("account_import_id", "id"),
    CONSTRAINT "notes_body_or_document_check" CHECK ("body" IS NOT NULL OR coalesce(cardinality("document_paths"), 0) > 0),
    -- unpin_at is not compared with created_at: a note without a time of its own gets that of its storing, which may be a
    -- second after its unpin_at was found to lie ahead.
    CONSTRAINT "notes_document_paths_check" CHECK ("are_document_paths"(VARIADIC "document_paths"))
);

-- Not used any more: "is_generated" alone says whether the service wrote a note itself.
CREATE FUNCTION "is_note_of_service"("is_generated" boolean, "is_pinned" boolean, "external_id" text, "body" text)
RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN "is_generated" OR ("is_pinned" AND "external_id" IS NULL AND coalesce("body" ~
    '^(1 transaction was|[0-9]+ transactions were) moved into the open statement period \([0-9]{4}-[0-9]{2}-[0-9]{2} to [0-9]{4}-[0-9]{2}-[0-9]{2}\):\n',
    false));

-- Each type with the fields that it must have and the sign of its amount; which others it may have, the service checks.
CREATE FUNCTION "is_transaction"("type" TEXT, "amount" DECIMAL, "reason" TEXT, "product_code" TEXT, "line_items" JSONB)
RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN "amount" <> 0 AND "amount" <> 'NaN' AND CASE "type"
        WHEN 'CHARGE' THEN "reason" IS NOT NULL
        WHEN 'CREDIT' THEN "reason" IS NOT NULL
        WHEN 'PAYMENT' THEN "amount" > 0
        WHEN 'REPAYMENT' THEN "amount" > 0
        WHEN 'SUPPLY_CHARGE' THEN "product_code" IS NOT NULL AND "line_items" IS NOT NULL
        ELSE false
    END;
END $$;

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
    "supply_point_identifier" TEXT,
    "is_historical" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("account_import_id", "transaction_id", "id"),
    CONSTRAINT "transactions_type_check" CHECK ("is_transaction"("type", "amount", "reason", "product_code", "line_items")),
    CONSTRAINT "transactions_moved_date_check" CHECK (
        ("original_transaction_date" IS NULL) = ("description" IS NULL)
        AND "original_transaction_date" <> "transaction_date"
    )
);

CREATE TABLE "statements" (
    "account_import_id" UUID NOT NULL,
    "statement_id" TEXT NOT NULL,
    "bill_period_from_date" DATE NOT NULL,
    "bill_period_to_date" DATE NOT NULL,
    "issued_date" DATE,
    "number" TEXT,
    "gross_amount" DECIMAL(13,2),
    "statement_path" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("account_import_id", "statement_id"),
    CONSTRAINT "statements_bill_period_check" CHECK ("bill_period_from_date" <= "bill_period_to_date"),
    CONSTRAINT "statements_gross_amount_check" CHECK ("gross_amount" <> 'NaN'),
    -- Nearly every path has the form of the first pattern, which costs less than a call of the function.
    CONSTRAINT "statements_statement_path_check" CHECK (
        "statement_path" IS NULL OR "statement_path" ~ '^[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$'
        OR "are_document_paths"("statement_path")
    )
);

-- The accounts of these five tables are looked for once a statement; a foreign key would ask once a row. What PostgreSQL's own
-- keys do holds here too: the account is locked FOR KEY SHARE until the end of the transaction, also for COPY, UPDATE and ON
-- CONFLICT, and the error has the same code, table and constraint. A subquery that locks is never joined: the plan, which is
-- kept for the session, looks up each account in its index. The schema is named in the function: a dump is restored without
-- a search path, and a temporary table of the same name is not asked.
DO $migration$
DECLARE
    "child" TEXT;
    "key" TEXT;
BEGIN
    EXECUTE format($create$
        CREATE FUNCTION "require_account"() RETURNS TRIGGER
        LANGUAGE plpgsql AS $function$
        DECLARE
            "missing" UUID;
        BEGIN
            IF TG_LEVEL = 'ROW' THEN
                PERFORM FROM %1$I."accounts" WHERE "account_import_id" = NEW."account_import_id" FOR KEY SHARE;
                "missing" := CASE WHEN NOT FOUND THEN NEW."account_import_id" END;
            ELSE
                SELECT "sent"."account_import_id" INTO "missing"
                FROM (SELECT DISTINCT "account_import_id" FROM "written" ORDER BY "account_import_id") AS "sent"
                WHERE NOT EXISTS (
                    SELECT FROM %1$I."accounts" WHERE "account_import_id" = "sent"."account_import_id" FOR KEY SHARE
                );
            END IF;
            IF "missing" IS NOT NULL THEN
                RAISE EXCEPTION 'insert or update on table "%%" violates foreign key constraint "%%"',
                    TG_TABLE_NAME, TG_TABLE_NAME || '_account_import_id_fkey'
                USING ERRCODE = 'foreign_key_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME,
                    CONSTRAINT = TG_TABLE_NAME || '_account_import_id_fkey',
                    DETAIL = format('Key (account_import_id)=(%%s) is not present in table "accounts".', "missing");
            END IF;
            RETURN NULL;
        END $function$
    $create$, current_schema());

    FOREACH "child" IN ARRAY ARRAY['customers', 'supply_addresses', 'notes', 'transactions', 'statements'] LOOP
        "key" := "child" || '_account_import_id_fkey';
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS "written"
            FOR EACH STATEMENT EXECUTE FUNCTION "require_account"()', "key", "child");
        EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I
            FOR EACH ROW WHEN (OLD."account_import_id" IS DISTINCT FROM NEW."account_import_id")
            EXECUTE FUNCTION "require_account"()', "key" || '_of_update', "child");
    END LOOP;
END $migration$;

CREATE TABLE "payment_instructions" (
    "account_import_id" UUID NOT NULL REFERENCES "accounts" ON DELETE RESTRICT ON UPDATE CASCADE,
    "vendor" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE UNIQUE INDEX "payment_instructions_type_key" ON "payment_instructions"("account_import_id", "type");
-- Without a key a table that is published for logical replication takes no UPDATE.
ALTER TABLE "payment_instructions" REPLICA IDENTITY USING INDEX "payment_instructions_type_key";

CREATE TABLE "kept_fields" (
    "account_import_id" UUID NOT NULL REFERENCES "accounts" ON DELETE RESTRICT ON UPDATE CASCADE,
    "id" BIGSERIAL NOT NULL,
    "operation" TEXT NOT NULL,
    "fields" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("account_import_id", "id")
);

CREATE TABLE "idempotency_keys" (
    "id" UUID PRIMARY KEY,
    "request_digest" BYTEA NOT NULL,
    "claim" UUID NOT NULL,
    "claimed_until" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "account_import_id" UUID,

    -- An answer is kept whole or not at all.
    CONSTRAINT "idempotency_keys_answer_check" CHECK (num_nonnulls("status", "headers", "body") IN (0, 3))
);
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

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
    "caller_request_id" TEXT,

    PRIMARY KEY ("subject_id", "id")
);

-- Audit events are only ever added. The service has no right to change them; this holds for the owner of the table too.
CREATE FUNCTION "refuse_change_of_audit_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER "audit_events_are_kept" BEFORE DELETE OR TRUNCATE ON "audit_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_events"();

-- An audit event of an account tells in `reason` what somebody wrote about it. When the account is erased that text
-- goes too, and nothing else of the event: the new row is the old one but for the reason, which says that it was
-- erased. An event must tell of the erasure before: so nobody blanks a reason without leaving who did it.
CREATE FUNCTION "refuse_change_but_erasing_a_reason"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "erased" "audit_events" := OLD;
BEGIN
    "erased"."detail" := jsonb_set(OLD."detail", '{reason}', '"[erased]"', false);
    IF NEW IS DISTINCT FROM "erased" OR OLD."subject" <> 'account_import' OR OLD."action" = 'erased' OR NOT EXISTS (
        SELECT FROM "audit_events"
        WHERE "subject_id" = OLD."subject_id" AND "subject" = 'account_import' AND "action" = 'erased'
    ) THEN
        RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "audit_events_keep_all_but_reasons" BEFORE UPDATE ON "audit_events"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change_but_erasing_a_reason"();

-- Runs with the rights of the owner, since the service has none to change events. It does nothing for an account of
-- which no event tells that it was erased, so that everybody may call it.
CREATE FUNCTION "erase_audit_reasons"("account_import" UUID) RETURNS VOID
LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
    UPDATE "audit_events" SET "detail" = jsonb_set("detail", '{reason}', '"[erased]"')
    WHERE "subject_id" = "account_import" AND "subject" = 'account_import' AND "action" <> 'erased'
        AND "detail" ? 'reason'
        AND EXISTS (
            SELECT FROM "audit_events" "erasure" WHERE "erasure"."subject_id" = "account_import"
                AND "erasure"."subject" = 'account_import' AND "erasure"."action" = 'erased'
        );
$$;
-- Otherwise a caller's own search path, or a temporary table of the same name, would decide what is read and changed.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "erase_audit_reasons"(UUID) SET search_path = %I, pg_temp', current_schema());
END $$;

-- Codes and paths, and nothing else that a payload or a sentence could have brought in.
CREATE FUNCTION "are_refused_fields"("errors" JSONB) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    RETURN jsonb_typeof("errors") = 'array' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements("errors") AS "element" ("error")
        WHERE jsonb_typeof("error") <> 'object' OR "error" - 'code' - 'attr' <> '{}'
            OR ("error"->>'code' ~ '^[a-z][a-z_]*$') IS NOT TRUE OR ("error"->>'attr' ~ '^[A-Za-z0-9_.?*-]*$') IS NOT TRUE
    );
END $$;

CREATE TABLE "account_import_refusals" (
    "account_import_id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "reported" TEXT NOT NULL DEFAULT '',
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "external_account_number" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "errors" JSONB NOT NULL,
    "problems" TEXT[] NOT NULL,
    "detail" JSONB,
    "is_staged" BOOLEAN NOT NULL,
    "is_created" BOOLEAN NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,
    "request_id" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "lacking" JSONB,
    "is_unsettled" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("account_import_id", "operation", "reported"),
    CONSTRAINT "account_import_refusals_id_check"
        CHECK ("account_import_id" = "account_import_id"("import_supplier_code", "external_account_number")),
    CONSTRAINT "account_import_refusals_operation_check" CHECK ("operation" IN ('validate', 'stage', 'process', 'dry_run',
        'notes', 'transactions', 'statements', 'payment_instruction', 'line')),
    CONSTRAINT "account_import_refusals_errors_check" CHECK ("are_refused_fields"("errors") AND cardinality("problems") > 0),
    CONSTRAINT "account_import_refusals_times_check" CHECK ("times" >= 1 AND "first_seen_at" <= "last_seen_at"),
    CONSTRAINT "account_import_refusals_code_check" CHECK (
        "code" ~ '^[a-z][a-z_]*$' AND "reported" IN ('', "code")
        AND ("detail" IS NULL OR "reported" <> '' OR "operation" = 'payment_instruction')),
    -- What the account lacks of a refused line: an entry for each record, by the beginnings of digests, for each type of
    -- payment instruction, and for the account, if other data of it are staged. "is_unsettled": something was stored since.
    CONSTRAINT "account_import_refusals_lacking_check" CHECK (("lacking" IS NOT NULL) = ("operation" = 'line'))
);
-- What may have been refused while its account was being created.
CREATE INDEX "account_import_refusals_last_seen_at_idx" ON "account_import_refusals"("last_seen_at")
    WHERE "resolved_at" IS NULL AND NOT "is_created";
-- How many accounts are created and not complete: few, and so is what is read.
CREATE INDEX "account_import_refusals_of_created_idx"
    ON "account_import_refusals"("import_supplier_code", "account_import_id")
    WHERE "resolved_at" IS NULL AND "is_created" AND "reported" = '';
-- The oldest of the numbers that were never staged, which go first where there are too many.
CREATE INDEX "account_import_refusals_of_unstaged_idx" ON "account_import_refusals"("import_supplier_code", "last_seen_at")
    WHERE "resolved_at" IS NULL AND NOT "is_staged";
CREATE INDEX "account_import_refusals_resolved_at_idx" ON "account_import_refusals"("resolved_at")
    WHERE "resolved_at" IS NOT NULL;

-- Keeps the problems in step with the open refusals, whatever statement opens, changes, resolves or removes one. A
-- problem is a code, a space and the path of a field, without indexes; it is empty where no field is at fault.
CREATE FUNCTION "keep_import_problems"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "former" TEXT[] := '{}';
    "present" TEXT[] := '{}';
    "refusal" "account_import_refusals";
BEGIN
    IF TG_OP = 'DELETE' THEN "refusal" := OLD; ELSE "refusal" := NEW; END IF;
    IF TG_OP <> 'INSERT' AND OLD."resolved_at" IS NULL THEN "former" := OLD."problems"; END IF;
    IF TG_OP <> 'DELETE' AND NEW."resolved_at" IS NULL THEN "present" := NEW."problems"; END IF;

    WITH "problem" AS (
        SELECT "text", md5(concat_ws(' ', "refusal"."import_supplier_code", "refusal"."operation",
            "refusal"."reported" = '', "text"))::uuid AS "id"
        FROM (SELECT unnest("former") UNION SELECT unnest("present")) AS "both" ("text")
    ),
    "gone" AS (
        DELETE FROM "import_problem_accounts" USING "problem"
        WHERE "problem_id" = "problem"."id" AND "account_import_id" = "refusal"."account_import_id"
            AND NOT "text" = ANY ("present")
        RETURNING "problem"."id", "text", -1 AS "change"
    ),
    "added" AS (
        INSERT INTO "import_problem_accounts" AS "known" ("problem_id", "account_import_id", "last_seen_at")
        SELECT "id", "refusal"."account_import_id", "refusal"."last_seen_at" FROM "problem" WHERE "text" = ANY ("present")
        ON CONFLICT ("problem_id", "account_import_id") DO UPDATE SET "last_seen_at" = excluded."last_seen_at"
        RETURNING "problem_id"
    )
    INSERT INTO "import_problem_changes"
        ("problem_id", "import_supplier_code", "operation", "is_refusal", "problem", "change", "changed_at")
    SELECT "id", "refusal"."import_supplier_code", "refusal"."operation", "refusal"."reported" = '', "text", "change",
        "refusal"."last_seen_at"
    FROM (
        SELECT "id", "text", "change" FROM "gone"
        UNION ALL
        SELECT "id", "text", 1 FROM "problem" JOIN "added" ON "problem_id" = "id" WHERE NOT "text" = ANY ("former")
    ) AS "changed";
    RETURN NULL;
END $$;
CREATE TRIGGER "account_import_refusals_keep_problems" AFTER INSERT OR DELETE OR UPDATE ON "account_import_refusals"
    FOR EACH ROW EXECUTE FUNCTION "keep_import_problems"();

-- Whether a type of payment instruction was refused that the account does not have, and that is not being stored (behaviour
-- 4.15.2). Asked of each row as it is updated: one that is refused meanwhile stays open.
CREATE FUNCTION "lacks_instruction"("refusal" "account_import_refusals", "stored_now" TEXT[]) RETURNS BOOLEAN
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM jsonb_object_keys(CASE
            WHEN "refusal"."operation" = 'payment_instruction' AND "refusal"."reported" = '' THEN "refusal"."detail"
        END) AS "lacking" ("type")
        WHERE "lacking"."type" <> ALL ("stored_now") AND NOT EXISTS (
            SELECT FROM "payment_instructions" AS "active"
            WHERE "active"."account_import_id" = "refusal"."account_import_id" AND "active"."type" = "lacking"."type"
        )
    )
$$;

-- As digests of names are compared.
CREATE FUNCTION "short_digest"("name" TEXT) RETURNS TEXT
LANGUAGE sql IMMUTABLE AS $$ SELECT left(encode(sha256(convert_to("name", 'UTF8')), 'hex'), 8) $$;

-- Of what a line was to bring, what the account does not have now. What nothing identifies is never found, nor is the account.
CREATE FUNCTION "line_lacks"("account_import" UUID, "brings" JSONB) RETURNS JSONB
LANGUAGE sql VOLATILE AS $$
    WITH "stored" ("entry") AS (
        SELECT 'n:' || "short_digest"("body") FROM "notes" WHERE "account_import_id" = "account_import"
        UNION SELECT 'n:' || "short_digest"("external_id") FROM "notes" WHERE "account_import_id" = "account_import"
        UNION SELECT 't:' || "short_digest"("transaction_id") FROM "transactions" WHERE "account_import_id" = "account_import"
        UNION SELECT 's:' || "short_digest"("statement_id") FROM "statements" WHERE "account_import_id" = "account_import"
        UNION SELECT 'i:' || "type" FROM "payment_instructions" WHERE "account_import_id" = "account_import"
    )
    SELECT coalesce(jsonb_object_agg("entry", "brought"), '{}')
    FROM jsonb_each("brings") AS "brings" ("entry", "brought")
    WHERE split_part("entry", '|', 1) NOT IN (SELECT "entry" FROM "stored" WHERE "entry" IS NOT NULL)
        AND 'n:' || split_part("entry", '|', 2) NOT IN (SELECT "entry" FROM "stored" WHERE "entry" IS NOT NULL)
$$;

-- The same in words: how many records of a kind are lacking, and which payment instructions.
CREATE FUNCTION "detail_of_line"("lacking" JSONB) RETURNS JSONB
LANGUAGE sql IMMUTABLE AS $$
    SELECT nullif(jsonb_strip_nulls(jsonb_build_object(
        'account', CASE WHEN "lacking" ? 'account' THEN 'refused' END,
        'notes', nullif(count(*) FILTER (WHERE "entry" LIKE 'n:%') + coalesce(("lacking"->>'n?')::integer, 0), 0),
        'transactions', nullif(count(*) FILTER (WHERE "entry" LIKE 't:%') + coalesce(("lacking"->>'t?')::integer, 0), 0),
        'statements', nullif(count(*) FILTER (WHERE "entry" LIKE 's:%') + coalesce(("lacking"->>'s?')::integer, 0), 0),
        'payment_instruction', CASE WHEN "lacking" ? 'i?' THEN 'refused' END
    )) || coalesce(jsonb_object_agg(substr("entry", 3), 'refused') FILTER (WHERE "entry" LIKE 'i:%'), '{}'), '{}')
    FROM jsonb_object_keys("lacking") AS "keys" ("entry")
$$;

-- Whether two payloads without history are the same account, in whatever spelling of its balances.
CREATE FUNCTION "is_same_account"("staged" JSONB, "sent" JSONB) RETURNS BOOLEAN
LANGUAGE sql IMMUTABLE AS $$
    SELECT "staged" - '{transfer_balance,last_statement_balance}'::text[] = "sent" - '{transfer_balance,last_statement_balance}'::text[]
        AND ("staged"->>'transfer_balance')::numeric IS NOT DISTINCT FROM ("sent"->>'transfer_balance')::numeric
        AND ("staged"->>'last_statement_balance')::numeric IS NOT DISTINCT FROM ("sent"->>'last_statement_balance')::numeric
$$;

-- Resolves the open refusals and reports of an account import, within the statement that succeeds. The statement looks
-- first whether there are any: an UPDATE of its own in each success would cost it more than that, and this costs nothing
-- where there are none.
CREATE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ,
    "stored_now" TEXT[] DEFAULT '{}') RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR 'stage' <> ALL ("succeeded"),
        "is_unsettled" = "operation" = 'line',
        "resolved_at" = CASE
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "resolved"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;
END $$;

-- Settles what is remembered of an account import within the statement that succeeds: resolves the open refusals and
-- reports of the operations that have succeeded, and remembers what is reported of the call ("reports", NULL if nothing
-- is). One commit has the effect and its report, so that neither is there without the other. The statement looks first
-- whether there is anything to do. What succeeds on an account that exists resolves a refused creation that its creation
-- did not see.
CREATE FUNCTION "settle_import_refusals"("account_import" UUID, "succeeded" TEXT[], "settled_at" TIMESTAMPTZ,
    "reports" JSON, "stored_now" TEXT[] DEFAULT '{}')
RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "creates" BOOLEAN := 'stage' <> ALL ("succeeded");
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR "creates",
        "is_unsettled" = "creates" AND "operation" = 'line',
        "resolved_at" = CASE
            WHEN "creates" AND "reported" = '' AND "operation" IN ('validate', 'process', 'dry_run') THEN "settled_at"
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "settled_at"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL
        AND (
            "operation" = ANY ("succeeded") OR NOT "is_staged" OR ("creates" AND NOT "is_created")
            OR ("creates" AND "reported" = '' AND "operation" IN ('validate', 'process', 'dry_run', 'line'))
        )
        AND ("operation", "reported") NOT IN (
            SELECT "report"."operation", "report"."code"
            FROM json_to_recordset("reports") AS "report" ("operation" TEXT, "code" TEXT)
        );
    IF "reports" IS NULL THEN RETURN; END IF;

    INSERT INTO "account_import_refusals" AS "known"
        ("account_import_id", "operation", "reported", "import_supplier_code", "external_account_number", "code", "errors",
        "problems", "detail", "is_staged", "is_created", "request_id", "first_seen_at", "last_seen_at")
    SELECT "account_import", "operation", "code", "import_supplier_code", "external_account_number", "code", "errors",
        "problems", "detail", true, "creates", "request_id", "settled_at", "settled_at"
    FROM json_to_recordset("reports") AS "report" ("operation" TEXT, "code" TEXT, "import_supplier_code" TEXT,
        "external_account_number" TEXT, "errors" JSONB, "problems" TEXT[], "detail" JSONB, "request_id" TEXT)
    ON CONFLICT ("account_import_id", "operation", "reported") DO UPDATE SET
        "errors" = excluded."errors",
        "problems" = excluded."problems",
        "detail" = excluded."detail",
        "is_staged" = true,
        "is_created" = "known"."is_created" OR excluded."is_created",
        "times" = "known"."times" + 1,
        "request_id" = excluded."request_id",
        "first_seen_at" = least("known"."first_seen_at", excluded."first_seen_at"),
        "last_seen_at" = greatest("known"."last_seen_at", excluded."last_seen_at"),
        "resolved_at" = NULL
    WHERE "known"."import_supplier_code" = excluded."import_supplier_code"
        AND "known"."external_account_number" = excluded."external_account_number";
END $$;

-- As of the last time that the changes were added up.
CREATE TABLE "import_problems" (
    "id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "is_refusal" BOOLEAN NOT NULL,
    "code" TEXT NOT NULL,
    "attr" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL
);
-- Problems are listed from the one of most accounts on, and counted, in this order: however many there are.
CREATE INDEX "import_problems_most_accounts_idx"
    ON "import_problems"("import_supplier_code", "accounts" DESC, "is_refusal", "id");

CREATE TABLE "import_problem_accounts" (
    "problem_id" UUID NOT NULL,
    "account_import_id" UUID NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("problem_id", "account_import_id")
);
CREATE INDEX "import_problem_accounts_problem_id_last_seen_at_idx"
    ON "import_problem_accounts"("problem_id", "last_seen_at");

-- Rows are only added and, once they are added up, removed. A counter that every writer of a problem updates would make them
-- wait for each other, and deadlock where they have several problems.
CREATE TABLE "import_problem_changes" (
    "id" BIGSERIAL PRIMARY KEY,
    "problem_id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "is_refusal" BOOLEAN NOT NULL,
    "problem" TEXT NOT NULL,
    "change" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "import_problem_changes_import_supplier_code_idx" ON "import_problem_changes"("import_supplier_code");

-- A row is locked by whoever opens or resolves a refusal of this account: so two of them never both take theirs for the first
-- or the last.
CREATE TABLE "incomplete_accounts" (
    "account_import_id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL,
    "staging_order" BIGINT NOT NULL,
    "open_refusals" INTEGER NOT NULL
);
CREATE INDEX "incomplete_accounts_import_supplier_code_staging_order_idx"
    ON "incomplete_accounts"("import_supplier_code", "staging_order");

-- The last open refusal of an account was resolved, by whatever statement: the account is complete. An erased one is not:
-- nothing is expected of it any more. The row is removed by count_incomplete_account, with the rights of the owner.
CREATE FUNCTION "tell_that_account_is_complete"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "events" ("import_supplier_code", "type", "external_account_number", "service_account_number", "occurred_at")
    SELECT "import"."import_supplier_code", 'account.completed', "external_account_number",
        coalesce("import"."service_account_number", "account"."service_account_number"), "last"."resolved_at"
    FROM "account_imports" AS "import"
    JOIN "accounts" AS "account" ON "account"."account_import_id" = "import"."id"
    CROSS JOIN (
        SELECT max("resolved_at") AS "resolved_at" FROM "account_import_refusals"
        WHERE "account_import_id" = OLD."account_import_id"
    ) AS "last"
    WHERE "import"."id" = OLD."account_import_id" AND "erased_at" IS NULL AND "last"."resolved_at" IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER "incomplete_accounts_tell_when_complete" AFTER DELETE ON "incomplete_accounts"
    FOR EACH ROW EXECUTE FUNCTION "tell_that_account_is_complete"();

CREATE TABLE "incomplete_account_counts" (
    "id" BIGSERIAL PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL
);
CREATE INDEX "incomplete_account_counts_import_supplier_code_idx" ON "incomplete_account_counts"("import_supplier_code");

-- Keeps the incomplete accounts and their number in step with the open refusals, whatever statement opens, resolves or
-- removes one. It runs with the rights of the tables' owner.
CREATE FUNCTION "count_incomplete_account"() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    "was_open" BOOLEAN := false;
    "is_open" BOOLEAN := false;
    "now_open" INTEGER;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        "was_open" := OLD."resolved_at" IS NULL AND OLD."is_created" AND OLD."reported" = '';
    END IF;
    IF TG_OP <> 'DELETE' THEN
        "is_open" := NEW."resolved_at" IS NULL AND NEW."is_created" AND NEW."reported" = '';
    END IF;
    IF "is_open" AND NOT "was_open" THEN
        INSERT INTO "incomplete_accounts" AS "known"
            ("account_import_id", "import_supplier_code", "staging_order", "open_refusals")
        SELECT "id", "import_supplier_code", "staging_order", 1 FROM "account_imports" WHERE "id" = NEW."account_import_id"
        ON CONFLICT ("account_import_id") DO UPDATE SET "open_refusals" = "known"."open_refusals" + 1
        RETURNING "open_refusals" INTO "now_open";
        IF "now_open" = 1 THEN
            INSERT INTO "incomplete_account_counts" ("import_supplier_code", "accounts")
            VALUES (NEW."import_supplier_code", 1);
        END IF;
    ELSIF "was_open" AND NOT "is_open" THEN
        UPDATE "incomplete_accounts" SET "open_refusals" = "open_refusals" - 1
        WHERE "account_import_id" = OLD."account_import_id"
        RETURNING "open_refusals" INTO "now_open";
        IF "now_open" = 0 THEN
            DELETE FROM "incomplete_accounts" WHERE "account_import_id" = OLD."account_import_id";
            INSERT INTO "incomplete_account_counts" ("import_supplier_code", "accounts")
            VALUES (OLD."import_supplier_code", -1);
        END IF;
    END IF;
    RETURN NULL;
END $$;
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "count_incomplete_account"() SET search_path = %I, pg_temp', current_schema());
END $$;
CREATE TRIGGER "account_import_refusals_count_incomplete" AFTER INSERT OR DELETE OR UPDATE ON "account_import_refusals"
    FOR EACH ROW EXECUTE FUNCTION "count_incomplete_account"();

-- After a stop of the service the refusals are settled from there.
CREATE TABLE "refusal_settlements" (
    "id" INTEGER PRIMARY KEY DEFAULT 1,
    "settled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refusal_settlements_id_check" CHECK ("id" = 1)
);
INSERT INTO "refusal_settlements" ("settled_at") VALUES (now() - interval '1 day');

CREATE TYPE "bulk_job_kind" AS ENUM ('STAGE', 'MOVE', 'PROCESS');
CREATE TYPE "bulk_job_state" AS ENUM ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED', 'FINISHED', 'CANCELLED');
CREATE TYPE "bulk_run_mode" AS ENUM ('REAL', 'REHEARSAL');
CREATE TABLE "bulk_jobs" (
    "id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "creation_order" BIGSERIAL NOT NULL,
    "kind" "bulk_job_kind" NOT NULL,
    "label" TEXT,
    "options" JSONB NOT NULL,
    "selection" JSONB NOT NULL,
    "state" "bulk_job_state" NOT NULL DEFAULT 'OPEN',
    "state_reason" TEXT,
    "run" INTEGER NOT NULL DEFAULT 0,
    "run_mode" "bulk_run_mode",
    "lines" INTEGER,
    "report" JSONB,
    "created_by" UUID NOT NULL REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "files_expire_at" TIMESTAMPTZ(3),
    "files_removed_at" TIMESTAMPTZ(3),
    "next_claim_at" TIMESTAMPTZ(3),
    "run_by" UUID REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,

    CONSTRAINT "bulk_jobs_state_check" CHECK (
        ("state" = 'PAUSED') = ("state_reason" IS NOT NULL)
        AND ("state" IN ('FINISHED', 'CANCELLED')) = ("finished_at" IS NOT NULL)
        AND ("state" = 'PAUSED') = ("paused_at" IS NOT NULL)),
    CONSTRAINT "bulk_jobs_run_check" CHECK (
        "run" >= 0 AND ("run" = 0) = ("run_mode" IS NULL) AND ("run" = 0) = ("started_at" IS NULL)),
    CONSTRAINT "bulk_jobs_lines_check" CHECK ("lines" >= 0)
);
CREATE INDEX "bulk_jobs_import_supplier_code_creation_order_idx" ON "bulk_jobs"("import_supplier_code", "creation_order");
CREATE INDEX "bulk_jobs_unfinished_idx" ON "bulk_jobs"("import_supplier_code", "state")
    WHERE "state" IN ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED');

CREATE TABLE "bulk_parts" (
    "job_id" UUID NOT NULL REFERENCES "bulk_jobs" ON DELETE RESTRICT ON UPDATE CASCADE,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("job_id", "number"),
    CONSTRAINT "bulk_parts_size_check"
        CHECK ("number" BETWEEN 1 AND 100000 AND "bytes" > 0 AND "lines" > 0 AND length("sha256") = 32)
);

CREATE TABLE "bulk_bodies" (
    "job_id" UUID NOT NULL REFERENCES "bulk_jobs" ON DELETE RESTRICT ON UPDATE CASCADE,
    "number" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "span" INTEGER NOT NULL,
    "account_ids" UUID[] NOT NULL,
    "body" BYTEA NOT NULL,

    PRIMARY KEY ("job_id", "number"),
    CONSTRAINT "bulk_bodies_lines_check" CHECK ("lines" BETWEEN 1 AND "span" AND cardinality("account_ids") = "lines")
);
-- It is compressed already.
ALTER TABLE "bulk_bodies" ALTER COLUMN "body" SET STORAGE EXTERNAL;

CREATE TABLE "bulk_chunks" (
    "job_id" UUID NOT NULL REFERENCES "bulk_jobs" ON DELETE RESTRICT ON UPDATE CASCADE,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "first_line" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "account_import_ids" UUID[],
    "duplicates" INTEGER[] NOT NULL DEFAULT '{}',
    "cursor" INTEGER NOT NULL DEFAULT 0,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "sums" JSONB NOT NULL DEFAULT '{}',
    "clusters" JSONB NOT NULL DEFAULT '[]',
    "results" BYTEA,
    "refused_lines" BYTEA,
    "folded" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("job_id", "run", "number"),
    CONSTRAINT "bulk_chunks_lines_check" CHECK (
        "first_line" >= 1 AND "lines" >= 1 AND "cursor" BETWEEN 0 AND "lines" AND "attempts" >= 0
        AND "done" = ("finished_at" IS NOT NULL) AND (NOT "done" OR "cursor" = "lines")
        AND ("account_import_ids" IS NULL OR cardinality("account_import_ids") = "lines")),
    CONSTRAINT "bulk_chunks_folded_check" CHECK (NOT "folded" OR "done")
);
CREATE INDEX "bulk_chunks_finished_at_idx" ON "bulk_chunks"("job_id", "run", "finished_at");
CREATE INDEX "bulk_chunks_job_id_run_first_line_idx" ON "bulk_chunks"("job_id", "run", "first_line");
CREATE INDEX "bulk_chunks_not_done_idx" ON "bulk_chunks"("job_id", "run", "number") WHERE NOT "done";
CREATE INDEX "bulk_chunks_not_folded_idx" ON "bulk_chunks"("job_id", "run", "number") WHERE "cursor" > 0 AND NOT "folded";
ALTER TABLE "bulk_chunks" ALTER COLUMN "results" SET STORAGE EXTERNAL, ALTER COLUMN "refused_lines" SET STORAGE EXTERNAL;

CREATE TABLE "bulk_folds" (
    "job_id" UUID NOT NULL REFERENCES "bulk_jobs" ON DELETE RESTRICT ON UPDATE CASCADE,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "counts" JSONB NOT NULL,
    "sums" JSONB NOT NULL,
    "begun_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "slots" JSONB NOT NULL,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,

    PRIMARY KEY ("job_id", "run", "number")
);

CREATE TABLE "bulk_problems" (
    "job_id" UUID NOT NULL REFERENCES "bulk_jobs" ON DELETE RESTRICT ON UPDATE CASCADE,
    "run" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "refused" BOOLEAN NOT NULL,
    "code" TEXT NOT NULL,
    "attr" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL,
    "sample_account_numbers" JSONB NOT NULL,

    PRIMARY KEY ("job_id", "run", "id")
);

CREATE TABLE "progress_samples" (
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "staged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,
    "problems" INTEGER NOT NULL DEFAULT 0,
    "took_ms" INTEGER NOT NULL DEFAULT 0,

    PRIMARY KEY ("import_supplier_code", "at"),
    CONSTRAINT "progress_samples_counts_check" CHECK (
        "staged" >= 0 AND "failed" >= 0 AND "skipped" >= 0 AND "completed" >= 0 AND "problems" >= 0 AND "took_ms" >= 0)
);

CREATE TYPE "manifest_state" AS ENUM ('OPEN', 'SEALED', 'WITHDRAWN');
CREATE TABLE "manifests" (
    "id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "creation_order" BIGSERIAL NOT NULL,
    "source_system" TEXT NOT NULL,
    "as_of" TIMESTAMPTZ(0) NOT NULL,
    "state" "manifest_state" NOT NULL DEFAULT 'OPEN',
    "totals" JSONB NOT NULL,
    "accounts" INTEGER NOT NULL,
    "computed_from_book" BOOLEAN NOT NULL,
    "digest" BYTEA,
    "lodged_before_load" BOOLEAN,
    "created_by" UUID NOT NULL REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed_by" UUID REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "sealed_at" TIMESTAMPTZ(3),
    "withdrawn_at" TIMESTAMPTZ(3),
    "withdrawn_reason" TEXT,

    CONSTRAINT "manifests_state_check" CHECK (
        ("sealed_at" IS NULL) = ("digest" IS NULL)
        AND ("sealed_at" IS NULL) = ("sealed_by" IS NULL)
        AND ("sealed_at" IS NULL) = ("lodged_before_load" IS NULL)
        AND ("state" <> 'OPEN' OR "sealed_at" IS NULL)
        AND ("state" <> 'SEALED' OR "sealed_at" IS NOT NULL)
        AND ("state" = 'WITHDRAWN') = ("withdrawn_at" IS NOT NULL)),
    CONSTRAINT "manifests_accounts_check" CHECK ("accounts" >= 1 AND length("digest") = 32),
    CONSTRAINT "manifests_withdrawn_reason_check" CHECK ("withdrawn_reason" IS NULL OR "state" = 'WITHDRAWN')
);
CREATE INDEX "manifests_import_supplier_code_creation_order_idx" ON "manifests"("import_supplier_code", "creation_order");

CREATE TABLE "manifest_parts" (
    "manifest_id" UUID NOT NULL REFERENCES "manifests" ON DELETE RESTRICT ON UPDATE CASCADE,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "figures" JSONB NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("manifest_id", "number"),
    CONSTRAINT "manifest_parts_size_check"
        CHECK ("number" BETWEEN 1 AND 100000 AND "bytes" > 0 AND "lines" > 0 AND length("sha256") = 32)
);

CREATE TABLE "manifest_accounts" (
    "manifest_id" UUID NOT NULL REFERENCES "manifests" ON DELETE RESTRICT ON UPDATE CASCADE,
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

    PRIMARY KEY ("manifest_id", "account_import_id"),
    CONSTRAINT "manifest_accounts_figures_check" CHECK (
        "notes" >= 0 AND "transactions" >= 0 AND "statements" >= 0 AND "fingerprint" >= 0)
);

CREATE TYPE "reconciliation_state" AS ENUM ('PLANNING', 'RUNNING', 'FINISHED', 'CANCELLED');
CREATE TYPE "reconciliation_verdict" AS ENUM ('EQUAL', 'DIFFERENT', 'MOVED');
CREATE TABLE "reconciliations" (
    "id" UUID PRIMARY KEY,
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "creation_order" BIGSERIAL NOT NULL,
    "manifest_id" UUID NOT NULL REFERENCES "manifests" ON DELETE RESTRICT ON UPDATE CASCADE,
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
    "created_by" UUID NOT NULL REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "signed_off_by" UUID REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "signed_off_person" TEXT,
    "signed_off_at" TIMESTAMPTZ(3),
    "signed_off_note" TEXT,
    "read_again" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "reconciliations_state_check" CHECK (
        ("state" IN ('FINISHED', 'CANCELLED')) = ("finished_at" IS NOT NULL)
        AND ("state" = 'FINISHED') = ("verdict" IS NOT NULL)
        AND "round" >= 0),
    CONSTRAINT "reconciliations_signed_off_check" CHECK (
        ("signed_off_at" IS NULL) = ("signed_off_by" IS NULL)
        AND ("signed_off_at" IS NULL) = ("signed_off_person" IS NULL)
        AND ("signed_off_at" IS NULL) = ("signed_off_note" IS NULL)
        AND ("signed_off_at" IS NULL OR "state" = 'FINISHED'))
);
CREATE INDEX "reconciliations_import_supplier_code_creation_order_idx"
    ON "reconciliations"("import_supplier_code", "creation_order");
CREATE INDEX "reconciliations_unfinished_idx" ON "reconciliations"("id") WHERE "state" IN ('PLANNING', 'RUNNING');

-- "revisions" has the accounts that are not created too: for each that the manifest names, the transaction that last changed
-- it.
CREATE TABLE "reconciliation_ranges" (
    "reconciliation_id" UUID NOT NULL REFERENCES "reconciliations" ON DELETE RESTRICT ON UPDATE CASCADE,
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

    PRIMARY KEY ("reconciliation_id", "number"),
    CONSTRAINT "reconciliation_ranges_check" CHECK (
        "from_id" < "to_id" AND "attempts" >= 0 AND "round" >= 0 AND "done" = ("finished_at" IS NOT NULL))
);
CREATE INDEX "reconciliation_ranges_not_done_idx" ON "reconciliation_ranges"("reconciliation_id", "number") WHERE NOT "done";

CREATE TYPE "difference_kind" AS ENUM ('MISSING', 'EXTRA', 'NOT_CREATED', 'SKIPPED', 'DIFFERENT');
CREATE TABLE "reconciliation_differences" (
    "reconciliation_id" UUID NOT NULL REFERENCES "reconciliations" ON DELETE RESTRICT ON UPDATE CASCADE,
    "account_import_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "external_account_number" TEXT NOT NULL,
    "kind" "difference_kind" NOT NULL,
    "expected" TEXT,
    "actual" TEXT,
    "detail" JSONB,

    PRIMARY KEY ("reconciliation_id", "account_import_id", "field")
);

CREATE TABLE "report_keys" (
    "id" TEXT PRIMARY KEY,
    "public_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_keys_check" CHECK ("id" ~ '^[A-Za-z0-9_-]{43}$' AND "public_key" ~ '^[A-Za-z0-9_-]{43}$')
);

CREATE TABLE "events" (
    "organisation_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "event_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "type" TEXT NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "external_account_number" TEXT,
    "service_account_number" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("organisation_id", "id"),
    CONSTRAINT "events_type_check" CHECK ("type" ~ '^[a-z_]+[.][a-z_]+$')
);
-- Without a CACHE: a session with one would draw numbers that are lower than the last one.
CREATE SEQUENCE "events_id_seq" OWNED BY "events"."id";

-- Gives an event its organisation and its number; none is recorded where the setting says so. A number is drawn once the
-- statement has its locks: so the events of an account have its order, whichever transaction began first. Before it draws
-- one, a transaction shows the first that may be its own, as the lists of accounts do (share_import_supplier): as an
-- advisory lock of the organisation, which others read in pg_locks, and which ends once what was written is visible.
--
-- A transaction looks an import supplier up once: a statement for many accounts has several events of each. Its setting
-- remembers the organisation and the code, also that their events are recorded; it ends with the transaction, and is undone
-- with the lock where a savepoint is.
CREATE FUNCTION "number_event"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "known" TEXT := current_setting('causeway.events_known', true);
    "organisation" TEXT;
BEGIN
    IF substr("known", 38) = NEW."import_supplier_code" THEN
        NEW."organisation_id" := left("known", 36)::uuid;
    ELSE
        SELECT "organisation_id" INTO NEW."organisation_id" FROM "import_suppliers", "event_settings"
            WHERE "code" = NEW."import_supplier_code" AND "is_recorded";
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        "organisation" := NEW."organisation_id"::text;
        IF left("known", 36) IS DISTINCT FROM "organisation" THEN
            PERFORM pg_advisory_xact_lock_shared(hashtext('event order of ' || "organisation"),
                ("last_value" + "is_called"::int)::bit(32)::int) FROM "events_id_seq";
        END IF;
        PERFORM set_config('causeway.events_known', "organisation" || ' ' || NEW."import_supplier_code", true);
    END IF;
    NEW."id" := nextval('events_id_seq');
    RETURN NEW;
END $$;
CREATE TRIGGER "events_are_numbered" BEFORE INSERT ON "events"
    FOR EACH ROW EXECUTE FUNCTION "number_event"();

-- The first number of the organisation that may still be committed: whoever reads its events after this call sees all
-- that will ever be below it. The order of the two statements matters, as in first_unsettled_order.
CREATE FUNCTION "first_unsettled_event"("organisation" UUID) RETURNS BIGINT
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "next" BIGINT;
    "behind" INTEGER;
BEGIN
    SELECT "last_value" + "is_called"::int INTO "next" FROM "events_id_seq";
    SELECT min(("objid"::bigint - "next")::bit(32)::int) INTO "behind" FROM pg_locks
        WHERE "locktype" = 'advisory' AND "objsubid" = 2
            AND "classid" = hashtext('event order of ' || "organisation")::oid
            AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
    RETURN "next" + least("behind", 0);
END $$;

-- The next events of an organisation between two numbers, in their order: always a range of the primary key. As long as the
-- statistics know nothing of a burst of events, the planner expects a handful, and would sort all that there are for each
-- page.
CREATE FUNCTION "events_between"("organisation" UUID, "after" BIGINT, "before" BIGINT, "most" BIGINT) RETURNS SETOF "events"
LANGUAGE sql STABLE
SET enable_bitmapscan TO off
SET enable_sort TO off
AS $$
    SELECT * FROM "events"
    WHERE "organisation_id" = "organisation" AND "id" > "after" AND "id" < "before"
    ORDER BY "id"
    LIMIT "most"
$$;

CREATE TABLE "event_settings" (
    "id" INTEGER PRIMARY KEY DEFAULT 1,
    "is_recorded" BOOLEAN NOT NULL,

    CONSTRAINT "event_settings_id_check" CHECK ("id" = 1)
);
INSERT INTO "event_settings" ("is_recorded") VALUES (true);

CREATE TYPE "webhook_endpoint_state" AS ENUM ('ENABLED', 'DISABLED');
-- "revision" is raised by whoever changes an endpoint, its secret, or what is to be sent at once: what a lane finds out about
-- an endpoint that it claimed before counts no more. "secret_unreadable_since": the first lane that could not read the
-- secret, since one could; an endpoint is disabled only if no instance reads it for an hour. A deleted endpoint stays for
-- the audit trail.
CREATE TABLE "webhook_endpoints" (
    "id" UUID PRIMARY KEY,
    "organisation_id" UUID NOT NULL REFERENCES "organisations" ON DELETE RESTRICT ON UPDATE CASCADE,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "event_types" TEXT[] NOT NULL,
    "state" "webhook_endpoint_state" NOT NULL DEFAULT 'ENABLED',
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret" BYTEA,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "lease" BIGINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "worked_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "revision" BIGINT NOT NULL DEFAULT 0,
    "secret_unreadable_since" TIMESTAMPTZ(3),
    "import_suppliers" TEXT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "webhook_endpoints_state_check" CHECK (("state" = 'DISABLED') = ("disabled_at" IS NOT NULL)
        AND ("state" = 'DISABLED') = ("disabled_reason" IS NOT NULL)
        AND ("disabled_reason" IS NULL
            OR "disabled_reason" IN ('asked', 'failing', 'gone', 'secret_unreadable'))),
    CONSTRAINT "webhook_endpoints_secret_check" CHECK (("secret" IS NULL) = ("deleted_at" IS NOT NULL)
        AND ("previous_secret" IS NULL) = ("previous_secret_until" IS NULL)
        AND ("deleted_at" IS NULL OR "previous_secret" IS NULL)),
    CONSTRAINT "webhook_endpoints_failures_check" CHECK ("failures" >= 0
        AND ("failures" = 0) = ("failing_since" IS NULL))
);
CREATE UNIQUE INDEX "webhook_endpoints_organisation_id_url_key" ON "webhook_endpoints"("organisation_id", "url")
    WHERE "deleted_at" IS NULL;

CREATE TYPE "webhook_delivery_state" AS ENUM ('WAITING', 'DELIVERED', 'GIVEN_UP');
-- The message of an event is read from "events" again when it is sent again.
CREATE TABLE "webhook_deliveries" (
    "webhook_endpoint_id" UUID NOT NULL REFERENCES "webhook_endpoints" ON DELETE RESTRICT ON UPDATE CASCADE,
    "message_id" TEXT NOT NULL,
    "creation_order" BIGSERIAL NOT NULL,
    "position" BIGINT,
    "event_type" TEXT NOT NULL,
    "payload" JSONB,
    "state" "webhook_delivery_state" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retried_since" TIMESTAMPTZ(3) NOT NULL,
    "last_attempted_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "status" INTEGER,
    "duration_ms" INTEGER,
    "answer" TEXT,

    PRIMARY KEY ("webhook_endpoint_id", "message_id"),
    CONSTRAINT "webhook_deliveries_state_check" CHECK (("state" = 'WAITING') = ("next_attempt_at" IS NOT NULL)
        AND "attempts" >= 0
        AND octet_length("answer") <= 4096),
    CONSTRAINT "webhook_deliveries_message_check" CHECK (("payload" IS NULL) = ("position" IS NOT NULL))
);
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING brin ("created_at");
CREATE INDEX "webhook_deliveries_waiting_idx" ON "webhook_deliveries"("webhook_endpoint_id", "next_attempt_at")
    WHERE "state" = 'WAITING';
CREATE UNIQUE INDEX "webhook_deliveries_webhook_endpoint_id_creation_order_key"
    ON "webhook_deliveries"("webhook_endpoint_id", "creation_order");

CREATE TYPE "customer_email_state" AS ENUM ('QUEUED', 'SENDING', 'SENT', 'REFUSED', 'GIVEN_UP', 'IN_DOUBT', 'NOT_SENT');
-- SENDING: somebody is at it, or was killed at it. REFUSED: by the server, for good. GIVEN_UP: it was put off too often.
-- IN_DOUBT: whether the server took it is not known, and it is not sent again by itself. The digest outlives the address,
-- which an erasure removes.
CREATE TABLE "customer_emails" (
    "id" UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    "account_import_id" UUID NOT NULL REFERENCES "accounts" ON DELETE RESTRICT ON UPDATE CASCADE,
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "position" INTEGER,
    "address" TEXT,
    "address_digest" BYTEA,
    "language" TEXT,
    "state" "customer_email_state" NOT NULL,
    "reason" TEXT,
    "answer" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "template_language" TEXT,
    "template_version" INTEGER,
    "claim" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "template_failure" TEXT,

    CONSTRAINT "customer_emails_template_failure_check"
        CHECK ("template_failure" IN ('CANNOT_BE_RENDERED', 'TAKES_TOO_LONG')),
    CONSTRAINT "customer_emails_check" CHECK (
        "position" >= 0 AND "attempts" >= 0 AND length("answer") <= 1000
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8')))
        AND "reason" IN ('DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED', 'MAILBOX_LIMIT')),
    CONSTRAINT "customer_emails_state_check" CHECK (
        ("state" = 'QUEUED') = ("next_attempt_at" IS NOT NULL)
        AND ("state" = 'SENDING') = ("lease_until" IS NOT NULL)
        AND (("state" = 'NOT_SENT') = ("reason" IS NOT NULL) OR ("state" = 'QUEUED' AND "reason" = 'MAILBOX_LIMIT'))
        AND ("state" <> 'SENDING' OR "claim" IS NOT NULL)
        AND ("state" <> 'SENT' OR "sent_at" IS NOT NULL)
        AND ("state" <> 'QUEUED' OR "address" IS NOT NULL))
);
-- One for each address of an account.
CREATE UNIQUE INDEX "customer_emails_account_import_id_address_digest_key"
    ON "customer_emails"("account_import_id", "address_digest");
CREATE INDEX "customer_emails_queued_idx" ON "customer_emails"("import_supplier_code", "next_attempt_at")
    WHERE "state" = 'QUEUED';
CREATE INDEX "customer_emails_sending_idx" ON "customer_emails"("lease_until") WHERE "state" = 'SENDING';
CREATE INDEX "customer_emails_unsettled_idx" ON "customer_emails"("import_supplier_code", "updated_at", "id")
    WHERE "state" IN ('REFUSED', 'GIVEN_UP', 'IN_DOUBT');

-- Who gets an e-mail about an account, from its payload: one row an address, or one that says why there is none (behaviour
-- 29.1). Of a customer who has died, and a living one, with the same address the living one gets it.
CREATE FUNCTION "customer_email_recipients"("payload" JSONB)
RETURNS TABLE ("position" INTEGER, "address" TEXT, "reason" TEXT)
LANGUAGE sql STABLE AS $$
    WITH "person" AS (
        SELECT ("ordinality" - 1)::INTEGER AS "position", "value"->>'email' AS "address", "value" ? 'deceased' AS "is_deceased"
        FROM jsonb_array_elements("payload"->'customers') WITH ORDINALITY
    ),
    "wanted" AS (
        SELECT "position", "address", CASE WHEN "is_deceased" THEN 'DECEASED' END AS "reason"
        FROM "person"
        WHERE "address" <> ''
        UNION ALL
        SELECT NULL, "payload"->>'billing_email', CASE
            WHEN EXISTS (SELECT FROM "person" WHERE "is_deceased" AND lower("address") = lower("payload"->>'billing_email'))
                OR NOT EXISTS (SELECT FROM "person" WHERE NOT "is_deceased")
            THEN 'DECEASED' END
        WHERE "payload"->>'billing_email' <> ''
            AND NOT EXISTS (SELECT FROM "person" WHERE NOT "is_deceased" AND "address" <> '')
    ),
    "of_account" AS (
        SELECT CASE
            WHEN ("payload"->>'unknown_occupier')::BOOLEAN THEN 'UNKNOWN_OCCUPIER'
            WHEN "payload"->>'communication_preference' = 'PRINT' THEN 'PRINT'
            WHEN NOT EXISTS (SELECT FROM "wanted") THEN 'NO_ADDRESS'
        END AS "reason"
    ),
    "chosen" AS (
        SELECT DISTINCT ON (lower("address")) "position", "address", "reason"
        FROM "wanted"
        WHERE (SELECT "reason" FROM "of_account") IS NULL
        ORDER BY lower("address"), "position" IS NULL, "reason" NULLS FIRST, "position"
    )
    SELECT NULL::INTEGER, NULL::TEXT, "reason" FROM "of_account" WHERE "reason" IS NOT NULL
    UNION ALL
    SELECT "position", CASE WHEN "reason" IS NULL THEN "address" END, "reason" FROM "chosen"
$$;

-- What a mailbox was sent, or may have been, since then, by the suppliers of an organisation (behaviour 29.3.10). One
-- organisation cannot use up what another may send. `sam+1@` and `sam+2@` lead to one mailbox. With a snapshot of its own:
-- it sees what whoever held the row of "email_pace" until now has taken. The expression is that of
-- "customer_emails_mailbox_idx".
CREATE FUNCTION "emails_to_mailbox"("of_address" TEXT, "of_organisation" UUID, "since" TIMESTAMPTZ) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN (
        SELECT count(*) FROM "customer_emails"
        WHERE lower(regexp_replace("address", '[+][^@]*@', '@')) = lower(regexp_replace("of_address", '[+][^@]*@', '@'))
            AND "state" IN ('SENDING', 'SENT', 'IN_DOUBT')
            AND "updated_at" > "since"
            AND "import_supplier_code" IN (SELECT "code" FROM "import_suppliers" WHERE "organisation_id" = "of_organisation")
    );
END
$$;

CREATE TABLE "email_templates" (
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "language" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "text_body" TEXT NOT NULL,
    "html_body" TEXT NOT NULL,
    "created_by" UUID NOT NULL REFERENCES "api_keys" ON DELETE RESTRICT ON UPDATE CASCADE,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("import_supplier_code", "language", "version"),
    CONSTRAINT "email_templates_check" CHECK ("version" >= 1 AND "language" = lower("language"))
);

-- With a snapshot of its own: it sees the version of whoever held the supplier's row until now.
CREATE FUNCTION "next_email_template_version"("supplier_code" TEXT, "tag" TEXT) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce((
        SELECT max("version") FROM "email_templates"
        WHERE "import_supplier_code" = "supplier_code" AND "language" = "tag"
    ), 0) + 1;
END
$$;

-- An erasure removes the address; its digest stays, so that it stays so.
CREATE TABLE "email_suppressions" (
    "id" UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    "import_supplier_code" TEXT NOT NULL REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "address_digest" BYTEA NOT NULL,
    "address" TEXT,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_suppressions_check" CHECK (
        "reason" IN ('REFUSED', 'STAFF')
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8'))))
);
CREATE INDEX "email_suppressions_address_digest_idx" ON "email_suppressions"("address_digest");
CREATE UNIQUE INDEX "email_suppressions_import_supplier_code_address_digest_key"
    ON "email_suppressions"("import_supplier_code", "address_digest");

CREATE TABLE "email_pace" (
    "id" SMALLINT PRIMARY KEY,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_pace_check" CHECK ("id" = 1)
);
INSERT INTO "email_pace" ("id", "next_at") VALUES (1, '2026-01-01T00:00:00Z');
