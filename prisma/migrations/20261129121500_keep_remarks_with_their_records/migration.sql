-- What happens to doubtful data of an import supplier, and to that of some codes.
ALTER TABLE "import_suppliers" ADD COLUMN "suspect_data" "balance_check" NOT NULL DEFAULT 'REPORT';
ALTER TABLE "import_suppliers" ADD COLUMN "suspect_data_by_code" JSONB NOT NULL DEFAULT '{}';

-- Of a remark, the records that it is about: by a digest of each one's identifier its problems, as in "problems". The
-- account itself, and whatever version 0.1.0 has written, is ''.
ALTER TABLE "account_import_refusals" ADD COLUMN "records" JSONB;

-- What a person has decided about a kind of remark: it covers what is seen later too, unless it says that it was fixed.
CREATE TABLE "remark_decisions" (
    "import_supplier_code" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "attr" TEXT NOT NULL,
    "decision" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("import_supplier_code", "operation", "code", "attr"),
    CONSTRAINT "remark_decisions_decision_check" CHECK ("decision" IN ('ACCEPTED', 'FIXED')),
    CONSTRAINT "remark_decisions_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code")
        REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT
);

-- The problems of all records, once each.
CREATE FUNCTION "problems_of_records"("records" JSONB) RETURNS TEXT[]
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(array_agg(DISTINCT "problem"), '{}')
    FROM jsonb_each("records") AS "each" ("record", "problems"), jsonb_array_elements_text("problems") AS "problem"
$$;

-- A success ends the refusals of its operation. A remark belongs to its record: one of a staged account ends when the
-- account is staged differently, that of a note or transaction when it is sent again as it is stored ("confirmed").
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
        AND "known"."external_account_number" = excluded."external_account_number";
END $$;

-- With those of a call: a staging replaces what the account had. Of a thousand records and more the rest is together.
CREATE FUNCTION "records_of_remark"("known" "account_import_refusals", "more" JSONB) RETURNS JSONB
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN "known"."operation" = 'stage' OR "known"."resolved_at" IS NOT NULL THEN "more"
        WHEN (SELECT count(*) FROM jsonb_object_keys(coalesce("known"."records", '{}') || "more")) <= 1000
            THEN coalesce("known"."records", jsonb_build_object('', to_jsonb("known"."problems"))) || "more"
        ELSE coalesce("known"."records", '{}') || jsonb_build_object('', to_jsonb(ARRAY(
            SELECT "problem" FROM unnest("problems_of_records"("more")) AS "problem"
            UNION
            SELECT jsonb_array_elements_text(coalesce("known"."records" -> '', '[]'))
        )))
    END
$$;
