-- E-mails to customers (behaviour 29). A supplier sends some if it has "send_customer_emails" and a sender. Those that had
-- the setting before e-mails were sent have no sender, and send nothing until they get one.
ALTER TABLE "import_suppliers" ADD COLUMN "email_sender" TEXT, ADD COLUMN "email_unsubscribe" TEXT;

-- QUEUED: waits. SENDING: somebody is at it, or was killed at it. SENT: the server has taken it. REFUSED: the server has
-- refused it for good. GIVEN_UP: it was put off too often. IN_DOUBT: whether the server took it is not known, and it is
-- not sent again by itself. NOT_SENT: "reason" says why.
CREATE TYPE "customer_email_state" AS ENUM ('QUEUED', 'SENDING', 'SENT', 'REFUSED', 'GIVEN_UP', 'IN_DOUBT', 'NOT_SENT');

-- The row is the message: it is written by the statement that creates the account. "position" is the customer's, NULL for
-- the billing e-mail address. The digest outlives the address, which an erasure removes.
CREATE TABLE "customer_emails" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_import_id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "position" INTEGER,
    "address" TEXT,
    "address_digest" BYTEA,
    "language" TEXT,
    "state" "customer_email_state" NOT NULL,
    "reason" TEXT,
    "answer" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "template_language" TEXT,
    "template_version" INTEGER,
    "claim" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "customer_emails_pkey" PRIMARY KEY ("id")
);
-- One for each address of an account.
CREATE UNIQUE INDEX "customer_emails_account_import_id_address_digest_key" ON "customer_emails"("account_import_id", "address_digest");
CREATE INDEX "customer_emails_queued_idx" ON "customer_emails"("import_supplier_code", "next_attempt_at") WHERE "state" = 'QUEUED';
CREATE INDEX "customer_emails_sending_idx" ON "customer_emails"("lease_until") WHERE "state" = 'SENDING';
CREATE INDEX "customer_emails_unsettled_idx" ON "customer_emails"("import_supplier_code", "updated_at", "id")
    WHERE "state" IN ('REFUSED', 'GIVEN_UP', 'IN_DOUBT');
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "customer_emails" ADD CONSTRAINT "customer_emails_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "customer_emails"
    ADD CONSTRAINT "customer_emails_state_check" CHECK (
        ("state" = 'QUEUED') = ("next_attempt_at" IS NOT NULL)
        AND ("state" = 'SENDING') = ("lease_until" IS NOT NULL)
        AND ("state" = 'NOT_SENT') = ("reason" IS NOT NULL)
        AND ("state" <> 'SENDING' OR "claim" IS NOT NULL)
        AND ("state" <> 'SENT' OR "sent_at" IS NOT NULL)
        AND ("state" <> 'QUEUED' OR "address" IS NOT NULL)),
    ADD CONSTRAINT "customer_emails_check" CHECK (
        "position" >= 0 AND "attempts" >= 0 AND length("answer") <= 1000
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8')))
        AND "reason" IN ('DECEASED', 'UNKNOWN_OCCUPIER', 'PRINT', 'NO_ADDRESS', 'SUPPRESSED', 'ERASED'));

-- What suppliers write, by language; each change is a version.
CREATE TABLE "email_templates" (
    "import_supplier_code" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "text_body" TEXT NOT NULL,
    "html_body" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_templates_pkey" PRIMARY KEY ("import_supplier_code","language","version")
);
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "email_templates" ADD CONSTRAINT "email_templates_check" CHECK ("version" >= 1 AND "language" = lower("language"));

-- Addresses that get no e-mail of a supplier. An erasure removes the address; its digest stays, so that it stays so.
CREATE TABLE "email_suppressions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "import_supplier_code" TEXT NOT NULL,
    "address_digest" BYTEA NOT NULL,
    "address" TEXT,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_suppressions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "email_suppressions_import_supplier_code_address_digest_key" ON "email_suppressions"("import_supplier_code", "address_digest");
CREATE INDEX "email_suppressions_address_digest_idx" ON "email_suppressions"("address_digest");
ALTER TABLE "email_suppressions" ADD CONSTRAINT "email_suppressions_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "email_suppressions"
    ADD CONSTRAINT "email_suppressions_check" CHECK (
        "reason" IN ('REFUSED', 'STAFF')
        AND ("address" IS NULL OR "address_digest" = sha256(convert_to(lower("address"), 'UTF8'))));

-- When the next e-mails may be sent, by all instances together.
CREATE TABLE "email_pace" (
    "id" SMALLINT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_pace_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "email_pace" ADD CONSTRAINT "email_pace_check" CHECK ("id" = 1);
INSERT INTO "email_pace" ("id", "next_at") VALUES (1, '2026-01-01T00:00:00Z');

-- Who gets an e-mail about an account, from its payload: one row an address, or one that says why there is none (behaviour
-- 29.1). Of a customer who has died, and a living one, with the same address the living one gets it.
CREATE FUNCTION "customer_email_recipients"("payload" JSONB)
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
                OR NOT EXISTS (SELECT FROM "person" WHERE NOT "is_deceased")
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

-- With a snapshot of its own: it sees the version of whoever held the supplier's row until now.
CREATE FUNCTION "next_email_template_version"("supplier_code" TEXT, "tag" TEXT) RETURNS INTEGER
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN coalesce((
        SELECT max("version") FROM "email_templates"
        WHERE "import_supplier_code" = "supplier_code" AND "language" = "tag"
    ), 0) + 1;
END
$$;
