-- A key of the service team that may only read, and is not shown personal data.
ALTER TABLE "api_keys" ADD COLUMN "is_read_only" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_is_read_only_check" CHECK (NOT "is_read_only" OR "organisation_id" IS NULL) NOT VALID;
