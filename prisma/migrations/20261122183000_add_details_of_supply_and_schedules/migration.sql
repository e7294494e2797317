-- Fields without a column of their own, as those of accounts and customers have had them from the beginning. The default
-- is constant, so that no table is rewritten.
ALTER TABLE "supply_addresses"
    ADD COLUMN     "details" JSONB NOT NULL DEFAULT '{}',
    ALTER COLUMN "supply_address1" DROP NOT NULL,
    ALTER COLUMN "supply_postcode" DROP NOT NULL;

ALTER TABLE "meter_points" ADD COLUMN     "details" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "payment_schedules" ADD COLUMN     "details" JSONB NOT NULL DEFAULT '{}';

-- An address of either style; an erased one has its lines blanked.
ALTER TABLE "supply_addresses"
    ADD CONSTRAINT "supply_addresses_style_check"
        CHECK ("supply_address1" IS NOT NULL AND "supply_postcode" IS NOT NULL OR "details" ? 'supply_address') NOT VALID;

-- The code of an import supplier may have single spaces between its other characters.
ALTER TABLE "import_suppliers"
    DROP CONSTRAINT "import_suppliers_code_check",
    ADD CONSTRAINT "import_suppliers_code_check"
        CHECK ("code" ~ '^[A-Z0-9_-]+( [A-Z0-9_-]+)*$' AND length("code") <= 64) NOT VALID;
