-- Version 0.1.0 neither writes nor reads these columns; none of them describes a person.
ALTER TABLE "statements"
    ADD COLUMN "status" TEXT,
    ADD COLUMN "replaces" TEXT,
    ADD COLUMN "due_date" DATE,
    ADD COLUMN "net_amount" DECIMAL(13,2),
    ADD COLUMN "tax_amount" DECIMAL(13,2),
    ADD COLUMN "currency" TEXT,
    ADD CONSTRAINT "statements_status_check" CHECK ("status" IN ('ISSUED', 'CANCELLED', 'REPLACED')) NOT VALID,
    ADD CONSTRAINT "statements_net_and_tax_check" CHECK ("net_amount" <> 'NaN' AND "tax_amount" <> 'NaN') NOT VALID;
