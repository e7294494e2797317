-- A job that takes back what another one created. A lane of version 0.1.0 cannot do its chunks, and pauses it.
ALTER TYPE "bulk_job_kind" ADD VALUE 'UNDO';

-- The job that created the account; NULL for a call, and for a job of version 0.1.0, which cannot be undone as a whole.
ALTER TABLE "accounts" ADD COLUMN "created_by_job" UUID;

-- Of the accounts of a chunk that undoes: the revision up to which each may be undone.
ALTER TABLE "bulk_chunks" ADD COLUMN "revisions" INTEGER[];

-- Undoes an account as undo_account does, unless it is of another job, or was written to since "revision". Both are looked at
-- on the locked account. "by_type" has the transactions that are removed, counted and added up.
CREATE FUNCTION "undo_account_of_job"("account_import" UUID, "job" UUID, "revision" INTEGER, "organisation" UUID,
    "at" TIMESTAMPTZ, "tell_again" BOOLEAN, "answer" JSONB,
    OUT "outcome" TEXT, OUT "retired_number" TEXT, OUT "removed" JSONB, OUT "by_type" JSONB)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "account" "accounts";
BEGIN
    -- As undo_account: of two undos one is first, and the other has taken nothing that it could miss.
    IF NOT pg_try_advisory_xact_lock(
        ('x' || left(replace("account_import"::text, '-', ''), 16))::bit(64)::bigint
    ) THEN
        "outcome" := 'account_in_progress';
        RETURN;
    END IF;
    SELECT * INTO "account" FROM "accounts" WHERE "account_import_id" = "account_import" FOR UPDATE SKIP LOCKED;
    -- Kept: by the time that undo_account locks it, the one who holds it now may have ended.
    IF NOT FOUND AND EXISTS (SELECT FROM "accounts" WHERE "account_import_id" = "account_import") THEN
        "outcome" := 'account_in_progress';
        RETURN;
    ELSIF FOUND AND "account"."created_by_job" IS DISTINCT FROM "job" THEN
        "outcome" := 'account_not_created_by_this_job';
        RETURN;
    ELSIF FOUND AND "account"."revision" > "undo_account_of_job"."revision" THEN
        "outcome" := 'changed_since';
        RETURN;
    END IF;
    SELECT jsonb_object_agg("type", jsonb_build_object('count', "count", 'amount', "amount"::text)) INTO "by_type"
    FROM (
        SELECT "type", count(*) AS "count", sum("amount") AS "amount" FROM "transactions"
        WHERE "account_import_id" = "account_import" GROUP BY "type"
    ) AS "of_type";
    SELECT "done"."outcome", "done"."retired_number", "done"."removed" INTO "outcome", "retired_number", "removed"
    FROM "undo_account"("account_import", "organisation", "at", "tell_again", "answer") AS "done";
END $$;
