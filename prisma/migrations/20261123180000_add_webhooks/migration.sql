-- Where an organisation has its events sent. "secret" and "previous_secret" are encrypted with a key that is not in the
-- database. All events up to "position" were sent, or have a row in "webhook_deliveries". "lease" numbers the claims of the lanes: what a lane writes counts only while its claim is the
-- last one. A deleted endpoint stays for the audit trail, without secrets.
CREATE TYPE "webhook_endpoint_state" AS ENUM ('ENABLED', 'DISABLED');
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL,
    "organisation_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "event_types" TEXT[] NOT NULL,
    "state" "webhook_endpoint_state" NOT NULL DEFAULT 'ENABLED',
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "secret" BYTEA,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "last_delivered_at" TIMESTAMPTZ(3),
    "lease" BIGINT NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "worked_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "webhook_endpoints_organisation_id_url_key" ON "webhook_endpoints"("organisation_id", "url")
    WHERE "deleted_at" IS NULL;
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_organisation_id_fkey"
    FOREIGN KEY ("organisation_id") REFERENCES "organisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_created_by_fkey"
    FOREIGN KEY ("created_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_endpoints"
    ADD CONSTRAINT "webhook_endpoints_state_check" CHECK (("state" = 'DISABLED') = ("disabled_at" IS NOT NULL)
        AND ("state" = 'DISABLED') = ("disabled_reason" IS NOT NULL)
        AND ("disabled_reason" IS NULL
            OR "disabled_reason" IN ('asked', 'failing', 'gone', 'secret_unreadable'))),
    ADD CONSTRAINT "webhook_endpoints_secret_check" CHECK (("secret" IS NULL) = ("deleted_at" IS NOT NULL)
        AND ("previous_secret" IS NULL) = ("previous_secret_until" IS NULL)
        AND ("deleted_at" IS NULL OR "previous_secret" IS NULL)),
    ADD CONSTRAINT "webhook_endpoints_failures_check" CHECK ("failures" >= 0
        AND ("failures" = 0) = ("failing_since" IS NULL));

-- What became of one message at one endpoint. The message of an event is read from "events" again when it is sent again;
-- only that of a test is kept, in "payload".
CREATE TYPE "webhook_delivery_state" AS ENUM ('WAITING', 'DELIVERED', 'GIVEN_UP');
CREATE TABLE "webhook_deliveries" (
    "webhook_endpoint_id" UUID NOT NULL,
    "message_id" TEXT NOT NULL,
    "creation_order" BIGSERIAL NOT NULL,
    "position" BIGINT,
    "event_type" TEXT NOT NULL,
    "payload" JSONB,
    "state" "webhook_delivery_state" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retried_since" TIMESTAMPTZ(3) NOT NULL,
    "last_attempted_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "status" INTEGER,
    "duration_ms" INTEGER,
    "answer" TEXT,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("webhook_endpoint_id", "message_id")
);
CREATE UNIQUE INDEX "webhook_deliveries_webhook_endpoint_id_creation_order_key"
    ON "webhook_deliveries"("webhook_endpoint_id", "creation_order");
CREATE INDEX "webhook_deliveries_waiting_idx"
    ON "webhook_deliveries"("webhook_endpoint_id", "next_attempt_at") WHERE "state" = 'WAITING';
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING brin ("created_at");
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_endpoint_id_fkey"
    FOREIGN KEY ("webhook_endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries"
    ADD CONSTRAINT "webhook_deliveries_state_check" CHECK (("state" = 'WAITING') = ("next_attempt_at" IS NOT NULL)
        AND "attempts" >= 0
        AND octet_length("answer") <= 4096),
    ADD CONSTRAINT "webhook_deliveries_message_check"
        CHECK (("payload" IS NULL) = ("position" IS NOT NULL));
