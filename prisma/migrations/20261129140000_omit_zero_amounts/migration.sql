-- Version 0.1.0 keeps zero amounts, whatever it says.
ALTER TABLE "import_suppliers"
    ADD COLUMN "zero_amounts" TEXT NOT NULL DEFAULT 'KEEP',
    ADD CONSTRAINT "import_suppliers_zero_amounts_check" CHECK ("zero_amounts" IN ('KEEP', 'OMIT')) NOT VALID;
