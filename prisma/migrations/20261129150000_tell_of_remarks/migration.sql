-- As before, and a remark that keeps a migration from being ready is an event when it becomes open.
-- No staging ends the remark of a shared meter point: that is found by comparing the account again, which would tell of
-- the same remark as a new one.
-- A success ends the refusals of its operation. A remark belongs to its record: one of a staged account ends when the
-- account is staged differently, that of a note or transaction when it is sent again as it is stored ("confirmed").
CREATE OR REPLACE FUNCTION "settle_import_refusals"("account_import" UUID, "succeeded" TEXT[], "settled_at" TIMESTAMPTZ,
    "reports" JSON, "stored_now" TEXT[] DEFAULT '{}')
RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "creates" BOOLEAN := 'stage' <> ALL ("succeeded");
    "open_before" TEXT[];
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
            WHEN "reported" = 'meter_point_in_two_accounts' THEN NULL
            WHEN "reported" <> '' AND "operation" <> 'stage' THEN NULL
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

    "open_before" := ARRAY(
        SELECT "operation" || ' ' || "reported"
        FROM "account_import_refusals"
        WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL AND "reported" <> ''
    );

    UPDATE "account_import_refusals" AS "known"
    SET "records" = "known"."records" - "confirmed",
        "problems" = CASE "known"."records" - "confirmed"
            WHEN '{}' THEN "known"."problems"
            ELSE "problems_of_records"("known"."records" - "confirmed")
        END,
        "resolved_at" = CASE "known"."records" - "confirmed" WHEN '{}' THEN "settled_at" END
    FROM json_to_recordset("reports") AS "report" ("operation" TEXT, "code" TEXT, "confirmed" TEXT[])
    WHERE "account_import_id" = "account_import" AND "known"."operation" = "report"."operation"
        AND "reported" = "report"."code" AND "resolved_at" IS NULL AND "known"."records" ?| "confirmed";

    WITH "remembered" AS (
    INSERT INTO "account_import_refusals" AS "known"
        ("account_import_id", "operation", "reported", "import_supplier_code", "external_account_number", "code", "errors",
        "problems", "detail", "records", "is_staged", "is_created", "request_id", "first_seen_at", "last_seen_at")
    SELECT "account_import", "operation", "code", "import_supplier_code", "external_account_number", "code", "errors",
        "problems", "detail", coalesce("records", jsonb_build_object('', to_jsonb("problems"))), true, "creates",
        "request_id", "settled_at", "settled_at"
    FROM json_to_recordset("reports") AS "report" ("operation" TEXT, "code" TEXT, "import_supplier_code" TEXT,
        "external_account_number" TEXT, "errors" JSONB, "problems" TEXT[], "detail" JSONB, "records" JSONB,
        "request_id" TEXT)
    WHERE "errors" IS NOT NULL
    ON CONFLICT ("account_import_id", "operation", "reported") DO UPDATE SET
        "errors" = excluded."errors",
        "problems" = "problems_of_records"("records_of_remark"("known", excluded."records")),
        "detail" = excluded."detail",
        "records" = "records_of_remark"("known", excluded."records"),
        "is_staged" = true,
        "is_created" = "known"."is_created" OR excluded."is_created",
        "times" = "known"."times" + 1,
        "request_id" = excluded."request_id",
        "first_seen_at" = least("known"."first_seen_at", excluded."first_seen_at"),
        "last_seen_at" = greatest("known"."last_seen_at", excluded."last_seen_at"),
        "resolved_at" = NULL
    WHERE "known"."import_supplier_code" = excluded."import_supplier_code"
        AND "known"."external_account_number" = excluded."external_account_number"
    RETURNING "known"."import_supplier_code", "known"."external_account_number", "known"."operation", "known"."code"
    )
    INSERT INTO "events"
        ("import_supplier_code", "type", "external_account_number", "service_account_number", "data", "occurred_at")
    SELECT "remembered"."import_supplier_code", 'account.remarked', "remembered"."external_account_number",
        (SELECT "service_account_number" FROM "accounts" WHERE "accounts"."account_import_id" = "account_import"),
        jsonb_build_object('operation', "remembered"."operation", 'code', "remembered"."code", 'errors', "report"."errors"),
        "settled_at"
    FROM "remembered"
    JOIN json_to_recordset("reports") AS "report" ("operation" TEXT, "code" TEXT, "errors" JSONB, "is_told" BOOLEAN)
        USING ("operation", "code")
    WHERE "is_told" AND "remembered"."operation" || ' ' || "remembered"."code" <> ALL ("open_before");
END $$;
