-- Audit events are only ever added. The service has no right to change them; this holds for the owner of the table too.
CREATE FUNCTION "refuse_change_of_audit_events"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "audit_events_are_kept" BEFORE DELETE OR TRUNCATE ON "audit_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_events"();

-- An audit event of an account tells in `reason` what somebody wrote about it. When the account is erased that text
-- goes too, and nothing else of the event: the new row is the old one but for the reason, which says that it was
-- erased. An event must tell of the erasure before: so nobody blanks a reason without leaving who did it.
CREATE FUNCTION "refuse_change_but_erasing_a_reason"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "erased" "audit_events" := OLD;
BEGIN
    "erased"."detail" := jsonb_set(OLD."detail", '{reason}', '"[erased]"', false);
    IF NEW IS DISTINCT FROM "erased" OR OLD."subject" <> 'account_import' OR OLD."action" = 'erased' OR NOT EXISTS (
        SELECT FROM "audit_events"
        WHERE "subject_id" = OLD."subject_id" AND "subject" = 'account_import' AND "action" = 'erased'
    ) THEN
        RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER "audit_events_keep_all_but_reasons" BEFORE UPDATE ON "audit_events"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change_but_erasing_a_reason"();

-- Runs with the rights of the owner, since the service has none to change events. It does nothing for an account of
-- which no event tells that it was erased, so that everybody may call it.
CREATE FUNCTION "erase_audit_reasons"("account_import" UUID) RETURNS VOID
LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
    UPDATE "audit_events" SET "detail" = jsonb_set("detail", '{reason}', '"[erased]"')
    WHERE "subject_id" = "account_import" AND "subject" = 'account_import' AND "action" <> 'erased'
        AND "detail" ? 'reason'
        AND EXISTS (
            SELECT FROM "audit_events" "erasure" WHERE "erasure"."subject_id" = "account_import"
                AND "erasure"."subject" = 'account_import' AND "erasure"."action" = 'erased'
        );
$$;

-- Otherwise a caller's own search path, or a temporary table of the same name, would decide what is read and changed.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "erase_audit_reasons"(UUID) SET search_path = %I, pg_temp', current_schema());
END $$;
