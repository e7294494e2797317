-- For a limited time, what an import has created can be undone. Version 0.1.0 undoes nothing, and takes an account that is
-- UNDONE for one that it cannot read: set "undo_hours" once no instance of it serves any more.
ALTER TYPE "account_import_state" ADD VALUE 'UNDONE';

CREATE OR REPLACE FUNCTION "is_account_import_state"("state" "account_import_state", "attempts" INTEGER, "failed_at" TIMESTAMPTZ,
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
    -- Compared as text: in the transaction that adds the state nothing may use it yet.
    RETURN num_nonnulls("failed_at", "last_error") = 0 AND ("state"::text <> 'UNDONE' OR "attempts" >= 1);
END $$;

ALTER TABLE "import_suppliers"
    ADD COLUMN "undo_hours" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "suppliers_may_undo" BOOLEAN NOT NULL DEFAULT false,
    ADD CONSTRAINT "import_suppliers_undo_hours_check" CHECK ("undo_hours" BETWEEN 0 AND 720) NOT VALID;

-- "adopted_at": the platform has started to use the account, which is never undone. "tells_again": whether its customers are
-- welcomed once it is created again; "undone_at" is the last time.
ALTER TABLE "account_imports"
    ADD COLUMN "adopted_at" TIMESTAMPTZ(3),
    ADD COLUMN "undone_at" TIMESTAMPTZ(3),
    ADD COLUMN "tells_again" BOOLEAN NOT NULL DEFAULT true;

-- The numbers of accounts that were undone: no other account gets one. Their count tells whether anything was undone since
-- some other time, whatever the clocks of instances say.
CREATE TABLE "retired_service_account_numbers" (
    "service_account_number" TEXT PRIMARY KEY,
    "account_import_id" UUID NOT NULL REFERENCES "account_imports" ON DELETE RESTRICT ON UPDATE CASCADE,
    "import_supplier_code" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL
);
CREATE INDEX "retired_service_account_numbers_import_supplier_code_idx"
    ON "retired_service_account_numbers"("import_supplier_code");
CREATE INDEX "retired_service_account_numbers_account_import_id_idx"
    ON "retired_service_account_numbers"("account_import_id");
CREATE INDEX "retired_service_account_numbers_retired_at_idx" ON "retired_service_account_numbers"("retired_at");

-- How many accounts of the import supplier had been undone when the comparison began.
ALTER TABLE "reconciliations" ADD COLUMN "undone_before" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "progress_samples" ADD COLUMN "undone" INTEGER NOT NULL DEFAULT 0;

-- E-mails outlive their account: once it is undone, they have its number. The index that leaves one for each address of an
-- account is built after the migrations.
ALTER TABLE "customer_emails"
    ADD COLUMN "template" TEXT NOT NULL DEFAULT 'account_created',
    ADD COLUMN "undone_number" TEXT,
    DROP CONSTRAINT "customer_emails_account_import_id_fkey",
    ADD CONSTRAINT "customer_emails_account_import_id_fkey" FOREIGN KEY ("account_import_id")
        REFERENCES "account_imports" ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID,
    DROP CONSTRAINT "customer_emails_check",
    ADD CONSTRAINT "customer_emails_check" CHECK (
        "position" >= 0 AND "attempts" >= 0 AND length("answer") <= 1000
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8')))
        AND "reason" IN ('DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED', 'MAILBOX_LIMIT',
            'ACCOUNT_UNDONE', 'NOT_TOLD_AGAIN')) NOT VALID,
    ADD CONSTRAINT "customer_emails_template_check" CHECK ("template" IN ('account_created', 'account_undone')
        AND ("template" = 'account_created' OR "undone_number" IS NOT NULL)) NOT VALID;
DROP INDEX "customer_emails_account_import_id_address_digest_key";

-- The only exception: undo_account sets this for its one DELETE.
CREATE OR REPLACE FUNCTION "refuse_removal_of_accounts"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('causeway.undoes_account', true) = 'yes' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'accounts are never removed, and their keys never change'
    USING ERRCODE = 'restrict_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

-- Undoes the account: all that was imported into it is removed, all or nothing, and its number is retired. It runs with the
-- rights of the owner, since the service may remove no row of an account; so it checks itself whether the account may be
-- undone, on rows that are locked. "outcome" is the state of the import then; otherwise the code of what kept the account,
-- and nothing was done. It waits for nobody who is working on the account. "organisation" is that of a supplier that asks;
-- "answer" takes the place of the answers that are kept for repeats.
--
-- Whoever was at the account before has committed when it is locked, and each statement of the function has a snapshot of its
-- own: nothing is removed that was not counted, and nothing is left.
CREATE FUNCTION "undo_account"("account_import" UUID, "organisation" UUID, "at" TIMESTAMPTZ, "tell_again" BOOLEAN,
    "answer" JSONB, OUT "outcome" TEXT, OUT "retired_number" TEXT, OUT "removed" JSONB)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    "import" "account_imports";
    "account" "accounts";
    "supplier" "import_suppliers";
    "lists" TEXT[] := '{}';
BEGIN
    IF NOT pg_try_advisory_xact_lock(
        ('x' || left(replace("account_import"::text, '-', ''), 16))::bit(64)::bigint
    ) THEN
        "outcome" := 'account_in_progress';
        RETURN;
    END IF;
    SELECT * INTO "import" FROM "account_imports" WHERE "id" = "account_import";
    IF NOT FOUND THEN
        "outcome" := 'account_not_found';
        RETURN;
    END IF;
    -- From now on neither the status of the supplier changes, nor is a reconciliation signed off.
    PERFORM "share_import_supplier"("import"."import_supplier_code", true);
    SELECT * INTO "supplier" FROM "import_suppliers" WHERE "code" = "import"."import_supplier_code";
    SELECT * INTO "import" FROM "account_imports" WHERE "id" = "account_import" FOR UPDATE SKIP LOCKED;
    IF FOUND AND "import"."state" <> 'COMPLETED' THEN
        "outcome" := 'account_not_created';
        RETURN;
    END IF;
    IF FOUND THEN
        SELECT * INTO "account" FROM "accounts" WHERE "account_import_id" = "account_import" FOR UPDATE SKIP LOCKED;
    END IF;
    "outcome" := CASE
        WHEN NOT FOUND THEN 'account_in_progress'
        WHEN "supplier"."organisation_id" <> "organisation" THEN 'account_not_found'
        WHEN "supplier"."undo_hours" = 0 OR ("organisation" IS NOT NULL AND NOT "supplier"."suppliers_may_undo")
            THEN 'undo_not_allowed'
        WHEN "import"."erased_at" IS NOT NULL THEN 'account_erased'
        WHEN "import"."adopted_at" IS NOT NULL THEN 'account_adopted'
        WHEN "supplier"."status" = 'COMPLETE' THEN 'migration_complete'
        WHEN EXISTS (
            SELECT FROM "reconciliations" AS "signed"
            JOIN "manifest_accounts" AS "line" USING ("manifest_id")
            WHERE "signed"."import_supplier_code" = "supplier"."code" AND "signed"."signed_off_at" IS NOT NULL
                AND "line"."account_import_id" = "account_import"
        ) THEN 'account_signed_off'
        WHEN "at" > "account"."created_at" + "supplier"."undo_hours" * interval '1 hour' THEN 'undo_time_over'
    END;
    IF "outcome" IS NOT NULL THEN
        RETURN;
    END IF;
    "retired_number" := "account"."service_account_number";

    WITH "note" AS (
        DELETE FROM "notes" WHERE "account_import_id" = "account_import" RETURNING "is_generated"
    ), "money" AS (
        DELETE FROM "transactions" WHERE "account_import_id" = "account_import" RETURNING "amount"
    ), "bill" AS (
        DELETE FROM "statements" WHERE "account_import_id" = "account_import" RETURNING "gross_amount"
    ), "instruction" AS (
        DELETE FROM "payment_instructions" WHERE "account_import_id" = "account_import" RETURNING 1
    ), "superseded" AS (
        DELETE FROM "superseded_payment_instructions" WHERE "account_import_id" = "account_import" RETURNING 1
    ), "kept" AS (
        DELETE FROM "kept_fields" WHERE "account_import_id" = "account_import"
    ), "schedule" AS (
        DELETE FROM "payment_schedules" WHERE "account_import_id" = "account_import"
    ), "person" AS (
        DELETE FROM "customers" WHERE "account_import_id" = "account_import" RETURNING 1
    ), "point" AS (
        DELETE FROM "meter_points" WHERE "account_import_id" = "account_import" RETURNING 1
    )
    SELECT jsonb_build_object(
        'customers', (SELECT count(*) FROM "person"),
        'meter_points', (SELECT count(*) FROM "point"),
        'transfer_balance', coalesce("account"."transfer_balance", 0.00)::text,
        'notes', (SELECT count(*) FROM "note" WHERE NOT "is_generated"),
        'transactions', (SELECT count(*) FROM "money"),
        'transactions_sum', (SELECT coalesce(sum("amount"), 0.00)::text FROM "money"),
        'statements', (SELECT count(*) FROM "bill"),
        'statements_gross', (SELECT coalesce(sum("gross_amount"), 0.00)::text FROM "bill"),
        'payment_instructions', (SELECT count(*) FROM "instruction") + (SELECT count(*) FROM "superseded")
    ) INTO "removed";
    DELETE FROM "supply_addresses" WHERE "account_import_id" = "account_import";
    PERFORM set_config('causeway.undoes_account', 'yes', true);
    DELETE FROM "accounts" WHERE "account_import_id" = "account_import";
    PERFORM set_config('causeway.undoes_account', 'no', true);
    INSERT INTO "retired_service_account_numbers"
        ("service_account_number", "account_import_id", "import_supplier_code", "retired_at")
    VALUES ("retired_number", "account_import", "supplier"."code", "at");

    -- The kept payload alone creates the same again if nothing was added later, and what was added at once is in it: a line
    -- of a book leaves its history in the rows alone.
    IF ("removed"->>'notes')::integer > 0 THEN "lists" := "lists" || '{notes}'::text[]; END IF;
    IF ("removed"->>'statements')::integer > 0 THEN "lists" := "lists" || '{statements}'::text[]; END IF;
    "outcome" := CASE WHEN "account"."revision" = 0 AND "import"."payload" ?& "lists"
        AND (("removed"->>'transactions')::integer = 0
            OR "import"."payload" ?| '{transactions,historical_transactions,ledgers}')
        AND (("removed"->>'payment_instructions')::integer = 0
            OR "import"."payload" ?| '{payment_instruction,payment_instructions}')
        THEN 'STAGED' ELSE 'UNDONE' END;
    UPDATE "account_imports" SET
        "state" = "outcome"::"account_import_state",
        "payload" = CASE "outcome" WHEN 'STAGED' THEN "payload" END,
        "kept_fields" = CASE "outcome" WHEN 'STAGED' THEN "kept_fields" END,
        "payload_removed_at" = CASE "outcome" WHEN 'UNDONE' THEN coalesce("payload_removed_at", "at") END,
        "payload_digest" = NULL,
        "failed_at" = NULL,
        "completed_at" = NULL,
        "service_account_number" = NULL,
        "updated_at" = "at",
        "undone_at" = "at",
        "tells_again" = "tell_again"
    WHERE "id" = "account_import";

    -- One that is being sent may have been delivered, like one in doubt: its customer counts as told.
    WITH "former" AS (
        UPDATE "customer_emails" SET
            "undone_number" = "retired_number",
            "state" = CASE "state" WHEN 'QUEUED' THEN 'NOT_SENT' ELSE "state" END,
            "reason" = CASE "state" WHEN 'QUEUED' THEN 'ACCOUNT_UNDONE' ELSE "reason" END,
            "next_attempt_at" = NULL,
            "updated_at" = CASE "state" WHEN 'QUEUED' THEN "at" ELSE "updated_at" END
        WHERE "account_import_id" = "account_import" AND "undone_number" IS NULL
        RETURNING *
    )
    INSERT INTO "customer_emails" ("account_import_id", "import_supplier_code", "position", "address", "address_digest",
        "language", "state", "template", "undone_number", "next_attempt_at", "created_at", "updated_at")
    SELECT "account_import_id", "import_supplier_code", "position", "address", "address_digest", "language", 'QUEUED',
        'account_undone', "retired_number", "at", "at", "at"
    FROM "former"
    WHERE "state" IN ('SENDING', 'SENT', 'IN_DOUBT') AND "address" IS NOT NULL
        AND "supplier"."send_customer_emails" AND "supplier"."email_sender" IS NOT NULL;

    -- Those who share a meter point with it are compared again.
    DELETE FROM "meter_point_occupancies" WHERE "account_import_id" = "account_import";
    INSERT INTO "meter_point_changes" ("account_import_id") VALUES ("account_import");

    -- What is doubtful about a payload that is still staged stays open. The account is gone: it does not become complete.
    UPDATE "account_import_refusals" SET
        "is_created" = false,
        "resolved_at" = CASE
            WHEN "outcome" = 'STAGED' AND "operation" = 'stage' AND "reported" <> '' THEN NULL
            ELSE "at"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;

    -- A call that is still running cannot keep its answer any more, and is rolled back.
    UPDATE "idempotency_keys"
    SET "status" = ("answer"->>'status')::integer, "headers" = '{}', "body" = "answer"->>'body'
    WHERE "account_import_id" = "account_import";
END $$;
-- Otherwise a caller's own search path, or a temporary table of the same name, would decide what is removed.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "undo_account"(UUID, UUID, TIMESTAMPTZ, BOOLEAN, JSONB) SET search_path = %I, pg_temp',
        current_schema());
END $$;
REVOKE ALL ON FUNCTION "undo_account"(UUID, UUID, TIMESTAMPTZ, BOOLEAN, JSONB) FROM PUBLIC;
