-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "completion_order" BIGINT;

-- The list of imported accounts follows this number. It is drawn from the sequence of the first stagings: so it is
-- higher than that of every account import that was there before, and an account completed before the column was has
-- its place by its staging_order, in front of all that are numbered. A trigger, because the previous version completes
-- accounts too while an upgrade is under way.
CREATE FUNCTION "draw_completion_order"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    NEW."completion_order" := nextval('account_imports_staging_order_seq');
    RETURN NEW;
END $$;

CREATE TRIGGER "account_imports_are_numbered_when_completed" BEFORE UPDATE OF "state" ON "account_imports"
    FOR EACH ROW WHEN (NEW."state" = 'COMPLETED' AND OLD."state" <> 'COMPLETED')
    EXECUTE FUNCTION "draw_completion_order"();

-- Numbers are drawn in one order and committed in another. A reader who has passed a number must never meet a lower one
-- later, so each transaction that may draw numbers for a supplier shows, before it draws one, the first that may be its
-- own: as an advisory lock of the supplier, which others can read in pg_locks, which nobody waits for, and which ends
-- with the transaction, once what it has written is visible. The lock has 32 bits of the number. A sequence with a CACHE
-- would break this: a session would draw numbers that are lower than the last one.
CREATE OR REPLACE FUNCTION "share_import_supplier"("supplier_code" TEXT, "may_wait" BOOLEAN) RETURNS "import_supplier_status"
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF "may_wait" THEN
        PERFORM pg_advisory_xact_lock_shared(4210002, hashtext("supplier_code"));
    ELSIF NOT pg_try_advisory_xact_lock_shared(4210002, hashtext("supplier_code")) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock_shared(hashtext('import order of ' || "supplier_code"),
        ("last_value" + "is_called"::int)::bit(32)::int) FROM "account_imports_staging_order_seq";
    RETURN (SELECT "status" FROM "import_suppliers" WHERE "code" = "supplier_code");
END $$;

-- The first number of the supplier that may still be committed: whoever reads the account imports after this call sees
-- all that will ever be below it. The order of the two statements matters: who has drawn a number below "next" has shown
-- its lock before, so that the second statement sees the lock, or the transaction is over.
CREATE FUNCTION "first_unsettled_order"("supplier_code" TEXT) RETURNS BIGINT
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "next" BIGINT;
    "behind" INTEGER;
BEGIN
    SELECT "last_value" + "is_called"::int INTO "next" FROM "account_imports_staging_order_seq";
    SELECT min(("objid"::bigint - "next")::bit(32)::int) INTO "behind" FROM pg_locks
        WHERE "locktype" = 'advisory' AND "objsubid" = 2
            AND "classid" = hashtext('import order of ' || "supplier_code")::oid
            AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
    RETURN "next" + least("behind", 0);
END $$;
