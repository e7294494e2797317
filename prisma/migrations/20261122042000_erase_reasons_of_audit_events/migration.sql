-- An audit event of an account tells in `reason` what somebody wrote about it. When the account is erased that text goes
-- too, and nothing else of the event: a trigger of its own sees each row, and refuses every other change as before.
DROP TRIGGER "audit_events_are_kept" ON "audit_events";

CREATE TRIGGER "audit_events_are_kept" BEFORE DELETE OR TRUNCATE ON "audit_events"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit_events"();

-- The new row is the old one but for the reason, which now says that it was erased, as the account was.
CREATE FUNCTION "refuse_change_but_erasing_a_reason"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "erased" "audit_events" := OLD;
BEGIN
    "erased"."detail" := jsonb_set(OLD."detail", '{reason}', '"[erased]"', false);
    IF NEW IS DISTINCT FROM "erased" OR OLD."subject" <> 'account_import' OR OLD."action" = 'erased' OR NOT EXISTS (
        SELECT FROM "account_imports" WHERE "id" = OLD."subject_id" AND "erased_at" IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'audit events are never changed or removed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER "audit_events_keep_all_but_reasons" BEFORE UPDATE ON "audit_events"
    FOR EACH ROW EXECUTE FUNCTION "refuse_change_but_erasing_a_reason"();

-- Runs with the rights of the owner, since the service has none to change events. It does nothing for an account that is
-- not erased, so that everybody may call it.
CREATE FUNCTION "erase_audit_reasons"("account_import" UUID) RETURNS VOID
LANGUAGE sql VOLATILE SECURITY DEFINER AS $$
    UPDATE "audit_events" SET "detail" = jsonb_set("detail", '{reason}', '"[erased]"')
    WHERE "subject_id" = "account_import" AND "subject" = 'account_import' AND "action" <> 'erased'
        AND "detail" ? 'reason'
        AND EXISTS (SELECT FROM "account_imports" WHERE "id" = "account_import" AND "erased_at" IS NOT NULL);
$$;

-- Otherwise a caller's own search path, or a temporary table of the same name, would decide what is read and changed.
DO $$ BEGIN
    EXECUTE format('ALTER FUNCTION "erase_audit_reasons"(UUID) SET search_path = %I, pg_temp', current_schema());
END $$;

-- What was erased by the version before.
SELECT "erase_audit_reasons"("id") FROM "account_imports" WHERE "erased_at" IS NOT NULL;
