-- As before, but an account that somebody else has locked is kept: its job and its revision could not be looked at, and by
-- the time that undo_account locks it the other one may have ended.
CREATE OR REPLACE FUNCTION "undo_account_of_job"("account_import" UUID, "job" UUID, "revision" INTEGER, "organisation" UUID,
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
