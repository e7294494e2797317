-- An account of a company may have no customers: its billing address is told, and nobody of it has died. Of version 0.1.0,
-- which serves beside this version, each account has customers, or an unknown occupier.
CREATE OR REPLACE FUNCTION "customer_email_recipients"("payload" JSONB)
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
                OR (SELECT bool_and("is_deceased") FROM "person")
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
