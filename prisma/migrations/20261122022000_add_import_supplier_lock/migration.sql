-- What stages or creates an account holds its supplier's lock, shared, until its transaction ends; what sets the
-- supplier's status holds it alone, and so waits for them. An advisory lock and not one of the supplier's row: a row that
-- is always locked by somebody would keep a change of it waiting for ever.

-- Locks the supplier, and returns its status as it is then: each statement of a VOLATILE function sees what was committed
-- before it, however old the snapshot of the statement that calls it. Null where the supplier does not exist and, unless
-- the caller may wait, where its status is being set.
CREATE FUNCTION "share_import_supplier"("supplier_code" TEXT, "may_wait" BOOLEAN) RETURNS "import_supplier_status"
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF "may_wait" THEN
        PERFORM pg_advisory_xact_lock_shared(4210002, hashtext("supplier_code"));
    ELSIF NOT pg_try_advisory_xact_lock_shared(4210002, hashtext("supplier_code")) THEN
        RETURN NULL;
    END IF;
    RETURN (SELECT "status" FROM "import_suppliers" WHERE "code" = "supplier_code");
END $$;

-- Waits for all that stage or create accounts of the supplier; those that come later wait for the caller.
CREATE FUNCTION "lock_import_supplier"("supplier_code" TEXT) RETURNS VOID
LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(4210002, hashtext("supplier_code"));
$$;
