-- "revision" is raised by whoever changes an endpoint, its secret, or what is to be sent at once: what a lane finds out about
-- an endpoint that it claimed before counts no more. "secret_unreadable_since": the first lane that could not read the
-- secret, since one could; an endpoint is disabled only if no instance reads it for an hour.
ALTER TABLE "webhook_endpoints"
    ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "secret_unreadable_since" TIMESTAMPTZ(3);
