-- A payment may be negative, and any amount zero. REPAYMENT alone is never negative.
CREATE OR REPLACE FUNCTION "is_transaction"("type" TEXT, "amount" DECIMAL, "reason" TEXT, "product_code" TEXT,
    "line_items" JSONB)
RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN "amount" <> 'NaN' AND CASE "type"
        WHEN 'CHARGE' THEN "reason" IS NOT NULL
        WHEN 'CREDIT' THEN "reason" IS NOT NULL
        WHEN 'PAYMENT' THEN true
        WHEN 'REPAYMENT' THEN "amount" >= 0
        WHEN 'SUPPLY_CHARGE' THEN "product_code" IS NOT NULL AND "line_items" IS NOT NULL
        ELSE false
    END;
END $$;

ALTER TABLE "transactions"
    ADD COLUMN "reverses" TEXT,
    ADD COLUMN "to_prepay_meter_serial_number" TEXT;

-- Of a transaction only its texts change, at an erasure: by version 0.1.0 too, which does not know the serial number.
CREATE FUNCTION "forget_prepay_meter"() RETURNS TRIGGER
LANGUAGE plpgsql AS $$
BEGIN
    NEW."to_prepay_meter_serial_number" := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER "erased_transactions_forget_their_meter" BEFORE UPDATE OF "supply_point_identifier" ON "transactions"
    FOR EACH ROW WHEN (NEW."supply_point_identifier" IS NULL AND OLD."to_prepay_meter_serial_number" IS NOT NULL)
    EXECUTE FUNCTION "forget_prepay_meter"();
