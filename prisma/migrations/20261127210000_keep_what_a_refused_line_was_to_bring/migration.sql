-- A refusal of what a line was to bring with its account (behaviour 4.15.2): a creation does not resolve it, because the
-- account is created from what was staged before the line. Staging the account anew does.
ALTER TABLE "account_import_refusals" ADD COLUMN "is_carried" BOOLEAN NOT NULL DEFAULT false;

-- As before, but for what was carried.
CREATE OR REPLACE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ,
    "stored_now" TEXT[] DEFAULT '{}') RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR 'stage' <> ALL ("succeeded"),
        "resolved_at" = CASE
            WHEN "operation" = ANY ("succeeded") AND NOT "is_carried" AND NOT "lacks_instruction"("refusal", "stored_now")
                THEN "resolved"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;
END $$;

-- As before; staging resolves what was carried, and what succeeds on an account that exists resolves a refused creation
-- that its creation did not see.
CREATE OR REPLACE FUNCTION "settle_import_refusals"("account_import" UUID, "succeeded" TEXT[], "settled_at" TIMESTAMPTZ,
    "reports" JSON, "stored_now" TEXT[] DEFAULT '{}')
RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "creates" BOOLEAN := 'stage' <> ALL ("succeeded");
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR "creates",
        "resolved_at" = CASE
            WHEN NOT "creates" AND "is_carried" THEN "settled_at"
            WHEN "creates" AND NOT "is_carried" AND "reported" = ''
                AND "operation" IN ('validate', 'process', 'dry_run') THEN "settled_at"
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "settled_at"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL
        AND (
            "operation" = ANY ("succeeded") OR NOT "is_staged" OR ("creates" AND NOT "is_created")
            OR (NOT "creates" AND "is_carried")
            OR ("creates" AND NOT "is_carried" AND "reported" = '' AND "operation" IN ('validate', 'process', 'dry_run'))
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
