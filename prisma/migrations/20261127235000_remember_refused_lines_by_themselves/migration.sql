-- A refused line with an account has a refusal of its own, `line`, with what the account lacks of it (behaviour 4.15.2): an
-- entry for each record, by the beginnings of digests, for each type of payment instruction, and for the account, if other
-- data of it are staged. "is_unsettled": something was stored since.
ALTER TABLE "account_import_refusals" ADD COLUMN "lacking" JSONB, ADD COLUMN "is_unsettled" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "account_import_refusals" DROP CONSTRAINT "account_import_refusals_operation_check";
ALTER TABLE "account_import_refusals"
    ADD CONSTRAINT "account_import_refusals_operation_check" CHECK ("operation" IN ('validate', 'stage', 'process',
        'dry_run', 'notes', 'transactions', 'statements', 'payment_instruction', 'line')) NOT VALID,
    ADD CONSTRAINT "account_import_refusals_lacking_check"
        CHECK (("lacking" IS NOT NULL) = ("operation" = 'line')) NOT VALID;

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

CREATE OR REPLACE FUNCTION "resolve_import_refusals"("account_import" UUID, "succeeded" TEXT[], "resolved" TIMESTAMPTZ,
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

-- As before, but for what was carried.
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

-- What lines were to bring until now: nobody knows which records.
INSERT INTO "account_import_refusals"
    ("account_import_id", "operation", "import_supplier_code", "external_account_number", "code", "errors", "problems",
    "lacking", "is_staged", "is_created", "times", "request_id", "first_seen_at", "last_seen_at")
SELECT DISTINCT ON ("account_import_id") "account_import_id", 'line', "import_supplier_code", "external_account_number",
    "code", "errors", "problems", (
        SELECT jsonb_object_agg("entry", 1)
        FROM "account_import_refusals" AS "part",
        LATERAL (
            SELECT CASE "part"."operation" WHEN 'notes' THEN 'n?' WHEN 'transactions' THEN 't?' WHEN 'statements' THEN 's?'
                WHEN 'payment_instruction' THEN 'i?' ELSE 'account' END
            UNION SELECT 'i:' || "type" FROM jsonb_object_keys("part"."detail") AS "types" ("type")
        ) AS "entries" ("entry")
        WHERE "part"."account_import_id" = "refusal"."account_import_id" AND "part"."is_carried"
            AND "part"."resolved_at" IS NULL
    ), "is_staged", "is_created", "times", "request_id", "first_seen_at", "last_seen_at"
FROM "account_import_refusals" AS "refusal"
WHERE "is_carried" AND "resolved_at" IS NULL
ORDER BY "account_import_id", "last_seen_at" DESC;
DELETE FROM "account_import_refusals" WHERE "is_carried" AND "resolved_at" IS NULL;
ALTER TABLE "account_import_refusals" DROP COLUMN "is_carried";
