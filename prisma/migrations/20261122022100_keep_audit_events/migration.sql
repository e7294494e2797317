-- Audit events are only ever added. The service has no right to change them; this holds for the owner of the table too.
CREATE FUNCTION "refuse_change_of_audit_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_events_are_kept" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_events"();
