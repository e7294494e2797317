-- Whether the account of each row exists is asked once a statement, where the foreign keys of these tables asked once a row.
-- What PostgreSQL's own keys do holds here too: the account is locked FOR KEY SHARE until the end of the transaction, also
-- for COPY, UPDATE and ON CONFLICT, and the error has the same code, table and constraint. A subquery that locks is never
-- joined: the plan, which is kept for the session, looks up each account in its index. The schema is named in the function:
-- a dump is restored without a search path, and a temporary table of the same name is not asked.
--
-- The locks are taken at once, in the order in which the service's own statements take them, and last until the commit; no
-- row is read. The keys have been valid until then, and go when the triggers are there.
LOCK TABLE "accounts", "customers", "supply_addresses", "notes", "transactions", "statements" IN ACCESS EXCLUSIVE MODE;

DO $migration$
DECLARE
    "child" TEXT;
    "key" TEXT;
BEGIN
    EXECUTE format($create$
        CREATE FUNCTION "require_account"() RETURNS TRIGGER
        LANGUAGE plpgsql AS $function$
        DECLARE
            "missing" UUID;
        BEGIN
            IF TG_LEVEL = 'ROW' THEN
                PERFORM FROM %1$I."accounts" WHERE "account_import_id" = NEW."account_import_id" FOR KEY SHARE;
                "missing" := CASE WHEN NOT FOUND THEN NEW."account_import_id" END;
            ELSE
                SELECT "sent"."account_import_id" INTO "missing"
                FROM (SELECT DISTINCT "account_import_id" FROM "written" ORDER BY "account_import_id") AS "sent"
                WHERE NOT EXISTS (
                    SELECT FROM %1$I."accounts" WHERE "account_import_id" = "sent"."account_import_id" FOR KEY SHARE
                );
            END IF;
            IF "missing" IS NOT NULL THEN
                RAISE EXCEPTION 'insert or update on table "%%" violates foreign key constraint "%%"',
                    TG_TABLE_NAME, TG_TABLE_NAME || '_account_import_id_fkey'
                USING ERRCODE = 'foreign_key_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME,
                    CONSTRAINT = TG_TABLE_NAME || '_account_import_id_fkey',
                    DETAIL = format('Key (account_import_id)=(%%s) is not present in table "accounts".', "missing");
            END IF;
            RETURN NULL;
        END $function$
    $create$, current_schema());

    FOREACH "child" IN ARRAY ARRAY['customers', 'supply_addresses', 'notes', 'transactions', 'statements'] LOOP
        "key" := "child" || '_account_import_id_fkey';
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS "written"
            FOR EACH STATEMENT EXECUTE FUNCTION "require_account"()', "key", "child");
        EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I
            FOR EACH ROW WHEN (OLD."account_import_id" IS DISTINCT FROM NEW."account_import_id")
            EXECUTE FUNCTION "require_account"()', "key" || '_of_update', "child");
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', "child", "key");
    END LOOP;
END $migration$;

-- The other side of these keys: an account is never removed, and its key never changed, by whatever role. What removes one
-- (an undo) has to be a function of the owner, and the only exception from this trigger. It has to run at READ COMMITTED and,
-- in a statement of its own, to lock the account FOR UPDATE before it removes the rows: then a writer that was there first
-- has committed, and its rows are seen; one that comes later waits, and finds no account.
CREATE FUNCTION "refuse_removal_of_accounts"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'accounts are never removed, and their keys never change'
    USING ERRCODE = 'restrict_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE TRIGGER "accounts_are_kept" BEFORE DELETE OR TRUNCATE OR UPDATE OF "account_import_id" ON "accounts"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal_of_accounts"();
