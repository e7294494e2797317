-- In which accounts a meter point is, and when: to find one that is in two at the same time. "meter_point" is a digest of
-- the import supplier and the identifier. "shared_with" is one of the accounts that have it at the same time; each has
-- another one, so that few rows have to be looked at when one of them changes.
CREATE TABLE "meter_point_occupancies" (
    "account_import_id" UUID NOT NULL,
    "supply_address_position" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "meter_point" UUID NOT NULL,
    "is_mpxn" BOOLEAN NOT NULL,
    "from_date" DATE NOT NULL,
    "to_date" DATE NOT NULL,
    "shared_with" UUID,

    PRIMARY KEY ("account_import_id", "supply_address_position", "position")
);
-- Each row is in one of these two.
CREATE INDEX "meter_point_occupancies_alone_idx" ON "meter_point_occupancies"("meter_point", "account_import_id")
    WHERE "shared_with" IS NULL;
CREATE INDEX "meter_point_occupancies_shared_idx" ON "meter_point_occupancies"("meter_point", "account_import_id")
    WHERE "shared_with" IS NOT NULL;
CREATE INDEX "meter_point_occupancies_shared_with_idx" ON "meter_point_occupancies"("shared_with")
    WHERE "shared_with" IS NOT NULL;

-- Up to which first staging an import supplier's accounts were compared.
CREATE TABLE "meter_point_cursors" (
    "import_supplier_code" TEXT PRIMARY KEY REFERENCES "import_suppliers" ON DELETE RESTRICT ON UPDATE RESTRICT,
    "staging_order" BIGINT NOT NULL
);

-- Accounts to be compared again. Rows are only added and, once that is done, removed: writers do not wait for each other.
CREATE TABLE "meter_point_changes" (
    "id" BIGSERIAL PRIMARY KEY,
    "account_import_id" UUID NOT NULL
);

-- A first staging has its number, by which it is found, and a creation changes no meter point: neither adds a row here.
CREATE FUNCTION "note_meter_point_change"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "meter_point_changes" ("account_import_id") VALUES (NEW."id");
    RETURN NULL;
END $$;
CREATE TRIGGER "account_imports_note_meter_point_change"
    AFTER UPDATE OF "times_staged", "state", "erased_at" ON "account_imports"
    FOR EACH ROW WHEN (NEW."times_staged" <> OLD."times_staged"
        OR (NEW."state" = 'SKIPPED') <> (OLD."state" = 'SKIPPED')
        OR NEW."erased_at" IS DISTINCT FROM OLD."erased_at")
    EXECUTE FUNCTION "note_meter_point_change"();
