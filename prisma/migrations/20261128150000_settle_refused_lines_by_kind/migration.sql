-- A refused line keeps what it was to bring in "detail", by kind, until that kind is imported or a later line of the account
-- is accepted. Version 0.1.0 keeps a digest of each record in "lacking", and compares it with what is stored. While it serves
-- beside this version, or has left such rows, both count; nothing that it asks for is ever found
-- stored, and no line is resolved as a whole by what it stages.
ALTER TABLE "account_import_refusals"
    DROP CONSTRAINT "account_import_refusals_code_check",
    ADD CONSTRAINT "account_import_refusals_code_check" CHECK (
        "code" ~ '^[a-z][a-z_]*$' AND "reported" IN ('', "code")
        AND ("detail" IS NULL OR "reported" <> '' OR "operation" IN ('payment_instruction', 'line'))) NOT VALID;

CREATE OR REPLACE FUNCTION "line_lacks"("account_import" UUID, "brings" JSONB) RETURNS JSONB
LANGUAGE sql VOLATILE AS $$ SELECT "brings" || '{"?": 1}' $$;

-- What two refused lines of an account were to bring: of records of a kind, as many as the one that has more.
CREATE FUNCTION "joined_kinds"("one" JSONB, "other" JSONB) RETURNS JSONB
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(jsonb_object_agg("kind", "brought"), '{}')
    FROM (
        SELECT DISTINCT ON ("kind") "kind", "brought"
        FROM (SELECT * FROM jsonb_each("one") UNION ALL SELECT * FROM jsonb_each("other")) AS "both" ("kind", "brought")
        ORDER BY "kind", "brought" DESC
    ) AS "more"
$$;

-- What is open of a refused line: how many records of each kind, which types of payment instructions, and the account.
CREATE FUNCTION "kinds_of_line"("refusal" "account_import_refusals") RETURNS JSONB
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN "refusal"."lacking" IN ('{}', '{"?": 1}') THEN coalesce("refusal"."detail", '{}')
        ELSE "joined_kinds"("refusal"."detail", "detail_of_line"("refusal"."lacking"))
    END
$$;

-- What is left of it once these operations have succeeded: kinds of records that were not imported since, types of payment
-- instructions that the account has not got by an import, and the account, unless it is staged anew.
CREATE FUNCTION "left_of_line"("refusal" "account_import_refusals", "succeeded" TEXT[], "stored_now" TEXT[]) RETURNS JSONB
LANGUAGE sql STABLE AS $$
    SELECT "kinds_of_line"("refusal")
        - array_remove(array_replace("succeeded", 'stage', 'account'), 'payment_instruction')
        - "stored_now"
        - ARRAY(
            SELECT "type" FROM "payment_instructions"
            WHERE 'payment_instruction' = ANY ("succeeded") AND "account_import_id" = "refusal"."account_import_id"
        )
$$;

CREATE OR REPLACE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ,
    "stored_now" TEXT[] DEFAULT '{}') RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR 'stage' <> ALL ("succeeded"),
        "detail" = CASE "operation"
            WHEN 'line' THEN "left_of_line"("refusal", "succeeded", "stored_now")
            ELSE "detail"
        END,
        "lacking" = CASE "operation" WHEN 'line' THEN '{}'::jsonb END,
        "resolved_at" = CASE
            WHEN "operation" = 'line' THEN CASE "left_of_line"("refusal", "succeeded", "stored_now") WHEN '{}' THEN "resolved" END
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "resolved"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;
END $$;

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
        "detail" = CASE "operation"
            WHEN 'line' THEN "left_of_line"("refusal", "succeeded", "stored_now")
            ELSE "detail"
        END,
        "lacking" = CASE "operation" WHEN 'line' THEN '{}'::jsonb END,
        "resolved_at" = CASE
            WHEN "creates" AND "reported" = '' AND "operation" IN ('validate', 'process', 'dry_run') THEN "settled_at"
            WHEN "operation" = 'line' THEN CASE "left_of_line"("refusal", "succeeded", "stored_now") WHEN '{}' THEN "settled_at" END
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "settled_at"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL
        AND (
            "operation" = ANY ("succeeded") OR "operation" = 'line' OR NOT "is_staged" OR ("creates" AND NOT "is_created")
            OR ("creates" AND "reported" = '' AND "operation" IN ('validate', 'process', 'dry_run'))
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
