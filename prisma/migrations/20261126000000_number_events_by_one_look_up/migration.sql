-- As before (20261123170000_add_events), but a transaction looks an import supplier up once: a statement for many accounts
-- has several events of each. Its setting remembers the organisation and the code, also that their events are recorded, and
-- ends with the transaction.
CREATE OR REPLACE FUNCTION "number_event"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "known" TEXT := current_setting('causeway.events_known', true);
    "organisation" TEXT;
BEGIN
    IF substr("known", 38) = NEW."import_supplier_code" THEN
        NEW."organisation_id" := left("known", 36)::uuid;
    ELSE
        SELECT "organisation_id" INTO NEW."organisation_id" FROM "import_suppliers", "event_settings"
            WHERE "code" = NEW."import_supplier_code" AND "is_recorded";
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        "organisation" := NEW."organisation_id"::text;
        IF left("known", 36) IS DISTINCT FROM "organisation" THEN
            PERFORM pg_advisory_xact_lock_shared(hashtext('event order of ' || "organisation"),
                ("last_value" + "is_called"::int)::bit(32)::int) FROM "events_id_seq";
        END IF;
        PERFORM set_config('causeway.events_known', "organisation" || ' ' || NEW."import_supplier_code", true);
    END IF;
    NEW."id" := nextval('events_id_seq');
    RETURN NEW;
END $$;
