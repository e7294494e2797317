-- What others are told: a row is committed with its effect. Numbers, codes and states, and nothing that describes a person.
CREATE TABLE "events" (
    "organisation_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "event_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "type" TEXT NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "external_account_number" TEXT,
    "service_account_number" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("organisation_id","id")
);
ALTER TABLE "events" ADD CONSTRAINT "events_type_check" CHECK ("type" ~ '^[a-z_]+[.][a-z_]+$');

-- Whether events are recorded: a start with another setting changes it.
CREATE TABLE "event_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "is_recorded" BOOLEAN NOT NULL,

    CONSTRAINT "event_settings_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "event_settings_id_check" CHECK ("id" = 1)
);
INSERT INTO "event_settings" ("is_recorded") VALUES (true);

-- Without a CACHE: a session with one would draw numbers that are lower than the last one.
CREATE SEQUENCE "events_id_seq" OWNED BY "events"."id";

-- Gives an event its organisation and its number; none is recorded where the setting says so. A number is drawn once the
-- statement has its locks: so the events of an account have its order, whichever transaction began first. Before it draws
-- one, a transaction shows the first that may be its own, as the lists of accounts do (share_import_supplier): as an
-- advisory lock of the organisation, which others read in pg_locks, and which ends once what was written is visible. It
-- does so once: a setting of the transaction remembers it, and is undone with the lock where a savepoint is.
CREATE FUNCTION "number_event"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
DECLARE
    "shown" TEXT;
BEGIN
    SELECT "organisation_id" INTO NEW."organisation_id" FROM "import_suppliers", "event_settings"
        WHERE "code" = NEW."import_supplier_code" AND "is_recorded";
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    "shown" := pg_current_xact_id()::text || NEW."organisation_id"::text;
    IF current_setting('causeway.events_shown', true) IS DISTINCT FROM "shown" THEN
        PERFORM pg_advisory_xact_lock_shared(hashtext('event order of ' || NEW."organisation_id"),
            ("last_value" + "is_called"::int)::bit(32)::int) FROM "events_id_seq";
        PERFORM set_config('causeway.events_shown', "shown", true);
    END IF;
    NEW."id" := nextval('events_id_seq');
    RETURN NEW;
END $$;

CREATE TRIGGER "events_are_numbered" BEFORE INSERT ON "events"
    FOR EACH ROW EXECUTE FUNCTION "number_event"();

-- The first number of the organisation that may still be committed: whoever reads its events after this call sees all
-- that will ever be below it. The order of the two statements matters, as in first_unsettled_order.
CREATE FUNCTION "first_unsettled_event"("organisation" UUID) RETURNS BIGINT
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    "next" BIGINT;
    "behind" INTEGER;
BEGIN
    SELECT "last_value" + "is_called"::int INTO "next" FROM "events_id_seq";
    SELECT min(("objid"::bigint - "next")::bit(32)::int) INTO "behind" FROM pg_locks
        WHERE "locktype" = 'advisory' AND "objsubid" = 2
            AND "classid" = hashtext('event order of ' || "organisation")::oid
            AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database());
    RETURN "next" + least("behind", 0);
END $$;

-- The last open refusal of an account was resolved, by whatever statement: the account is complete. An erased one is not:
-- nothing is expected of it any more. The row is removed by count_incomplete_account, with the rights of the owner.
CREATE FUNCTION "tell_that_account_is_complete"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "events" ("import_supplier_code", "type", "external_account_number", "service_account_number", "occurred_at")
    SELECT "import"."import_supplier_code", 'account.completed', "external_account_number",
        coalesce("import"."service_account_number", "account"."service_account_number"), "last"."resolved_at"
    FROM "account_imports" AS "import"
    JOIN "accounts" AS "account" ON "account"."account_import_id" = "import"."id"
    CROSS JOIN (
        SELECT max("resolved_at") AS "resolved_at" FROM "account_import_refusals"
        WHERE "account_import_id" = OLD."account_import_id"
    ) AS "last"
    WHERE "import"."id" = OLD."account_import_id" AND "erased_at" IS NULL AND "last"."resolved_at" IS NOT NULL;
    RETURN NULL;
END $$;

CREATE TRIGGER "incomplete_accounts_tell_when_complete" AFTER DELETE ON "incomplete_accounts"
    FOR EACH ROW EXECUTE FUNCTION "tell_that_account_is_complete"();
