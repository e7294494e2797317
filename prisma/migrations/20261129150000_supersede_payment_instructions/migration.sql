-- Payment instructions that others have superseded. Of each type, "payment_instructions" has the active one alone, for
-- version 0.1.0 too: it takes each row there for an active one.
CREATE TABLE "superseded_payment_instructions" (
    "account_import_id" UUID NOT NULL REFERENCES "accounts" ON DELETE RESTRICT ON UPDATE CASCADE,
    "id" BIGSERIAL NOT NULL,
    "vendor" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "superseded_at" TIMESTAMPTZ(3) NOT NULL,

    PRIMARY KEY ("account_import_id", "id")
);

-- Version 0.1.0 does not know them when it erases an account.
CREATE FUNCTION "forget_superseded_instructions"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "superseded_payment_instructions" SET "reference" = '[erased]', "details" = '{}'
    WHERE "account_import_id" = NEW."id" AND "reference" <> '[erased]';
    RETURN NULL;
END $$;
CREATE TRIGGER "erased_accounts_forget_superseded_instructions" AFTER UPDATE OF "erased_at" ON "account_imports"
    FOR EACH ROW WHEN (NEW."erased_at" IS NOT NULL) EXECUTE FUNCTION "forget_superseded_instructions"();
