-- The created accounts that have an open refusal, with the number of their operations that have one. A row is locked by
-- whoever opens or resolves a refusal of this account: so two of them never both take theirs for the first or the last.
CREATE TABLE "incomplete_accounts" (
    "account_import_id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "staging_order" BIGINT NOT NULL,
    "open_refusals" INTEGER NOT NULL,

    CONSTRAINT "incomplete_accounts_pkey" PRIMARY KEY ("account_import_id")
);

-- How many there are: the sum of these rows, which are only added and, every few seconds, replaced by their sum. A counter
-- that all writers of an import supplier update would make them wait for each other.
CREATE TABLE "incomplete_account_counts" (
    "id" BIGSERIAL NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL,

    CONSTRAINT "incomplete_account_counts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incomplete_accounts_import_supplier_code_staging_order_idx" ON "incomplete_accounts"("import_supplier_code", "staging_order");
CREATE INDEX "incomplete_account_counts_import_supplier_code_idx" ON "incomplete_account_counts"("import_supplier_code");

-- Keeps both in step with the open refusals, whatever statement opens, resolves or removes one. It runs with the rights of
-- the tables' owner: the previous version, which works on until it is replaced, was granted none on these.
CREATE FUNCTION "count_incomplete_account"() RETURNS TRIGGER
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    "was_open" BOOLEAN := false;
    "is_open" BOOLEAN := false;
    "now_open" INTEGER;
BEGIN
    IF TG_OP <> 'INSERT' THEN
        "was_open" := OLD."resolved_at" IS NULL AND OLD."is_created" AND OLD."reported" = '';
    END IF;
    IF TG_OP <> 'DELETE' THEN
        "is_open" := NEW."resolved_at" IS NULL AND NEW."is_created" AND NEW."reported" = '';
    END IF;
    IF "is_open" AND NOT "was_open" THEN
        INSERT INTO "incomplete_accounts" AS "known"
            ("account_import_id", "import_supplier_code", "staging_order", "open_refusals")
        SELECT "id", "import_supplier_code", "staging_order", 1 FROM "account_imports" WHERE "id" = NEW."account_import_id"
        ON CONFLICT ("account_import_id") DO UPDATE SET "open_refusals" = "known"."open_refusals" + 1
        RETURNING "open_refusals" INTO "now_open";
        IF "now_open" = 1 THEN
            INSERT INTO "incomplete_account_counts" ("import_supplier_code", "accounts")
            VALUES (NEW."import_supplier_code", 1);
        END IF;
    ELSIF "was_open" AND NOT "is_open" THEN
        UPDATE "incomplete_accounts" SET "open_refusals" = "open_refusals" - 1
        WHERE "account_import_id" = OLD."account_import_id"
        RETURNING "open_refusals" INTO "now_open";
        IF "now_open" = 0 THEN
            DELETE FROM "incomplete_accounts" WHERE "account_import_id" = OLD."account_import_id";
            INSERT INTO "incomplete_account_counts" ("import_supplier_code", "accounts")
            VALUES (OLD."import_supplier_code", -1);
        END IF;
    END IF;
    RETURN NULL;
END $$;

-- Otherwise a caller's own search path, or a temporary table of the same name, would decide what is counted.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "count_incomplete_account"() SET search_path = %I, pg_temp', current_schema());
END $$;

-- Before what is open is counted: from here on nobody opens or resolves one without this trigger.
CREATE TRIGGER "account_import_refusals_count_incomplete" AFTER INSERT OR DELETE OR UPDATE ON "account_import_refusals"
    FOR EACH ROW EXECUTE FUNCTION "count_incomplete_account"();

INSERT INTO "incomplete_accounts" ("account_import_id", "import_supplier_code", "staging_order", "open_refusals")
SELECT "id", "import"."import_supplier_code", "staging_order", "open_refusals"
FROM (
    SELECT "account_import_id", count(*) AS "open_refusals" FROM "account_import_refusals"
    WHERE "resolved_at" IS NULL AND "is_created" AND "reported" = ''
    GROUP BY "account_import_id"
) AS "open"
JOIN "account_imports" AS "import" ON "id" = "account_import_id";

INSERT INTO "incomplete_account_counts" ("import_supplier_code", "accounts")
SELECT "import_supplier_code", count(*) FROM "incomplete_accounts" GROUP BY "import_supplier_code";
