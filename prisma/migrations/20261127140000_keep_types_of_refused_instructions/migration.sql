-- The refusal of a payment instruction keeps the types that were refused: another type does not resolve it (behaviour 4.15.2).
ALTER TABLE "account_import_refusals" DROP CONSTRAINT "account_import_refusals_code_check";
ALTER TABLE "account_import_refusals"
    ADD CONSTRAINT "account_import_refusals_code_check" CHECK (
        "code" ~ '^[a-z][a-z_]*$' AND "reported" IN ('', "code")
        AND ("detail" IS NULL OR "reported" <> '' OR "operation" = 'payment_instruction')) NOT VALID;

-- Whether a type of payment instruction was refused that the account does not have, and that is not being stored. Asked of
-- each row as it is updated: one that is refused meanwhile stays open.
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

-- As before, and with the types that are being stored.
DROP FUNCTION "resolve_import_refusals"(UUID, TEXT[], TIMESTAMPTZ);
CREATE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ,
    "stored_now" TEXT[] DEFAULT '{}') RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR 'stage' <> ALL ("succeeded"),
        "resolved_at" = CASE
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "resolved"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL;
END $$;

DROP FUNCTION "settle_import_refusals"(UUID, TEXT[], TIMESTAMPTZ, JSON);
CREATE FUNCTION "settle_import_refusals"("account_import" UUID, "succeeded" TEXT[], "settled_at" TIMESTAMPTZ, "reports" JSON,
    "stored_now" TEXT[] DEFAULT '{}')
RETURNS VOID
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "creates" BOOLEAN := 'stage' <> ALL ("succeeded");
BEGIN
    UPDATE "account_import_refusals" AS "refusal"
    SET "is_staged" = true,
        "is_created" = "is_created" OR "creates",
        "resolved_at" = CASE
            WHEN "operation" = ANY ("succeeded") AND NOT "lacks_instruction"("refusal", "stored_now") THEN "settled_at"
        END
    WHERE "account_import_id" = "account_import" AND "resolved_at" IS NULL
        AND ("operation" = ANY ("succeeded") OR NOT "is_staged" OR ("creates" AND NOT "is_created"))
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
