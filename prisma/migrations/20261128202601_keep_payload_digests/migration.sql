-- Of a payload that is removed a digest stays, until the account is erased: by version 0.1.0 too, which does not know it.
ALTER TABLE "account_imports" ADD COLUMN "payload_digest" BYTEA;

CREATE FUNCTION "forget_payload_digest"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    NEW."payload_digest" := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER "erased_payloads_are_forgotten" BEFORE UPDATE OF "erased_at" ON "account_imports"
    FOR EACH ROW WHEN (NEW."erased_at" IS NOT NULL) EXECUTE FUNCTION "forget_payload_digest"();
