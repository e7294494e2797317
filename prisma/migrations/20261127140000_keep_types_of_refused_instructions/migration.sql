-- The refusal of a payment instruction keeps the types that were refused: another type does not resolve it (behaviour 4.15.2).
ALTER TABLE "account_import_refusals" DROP CONSTRAINT "account_import_refusals_code_check";
ALTER TABLE "account_import_refusals"
    ADD CONSTRAINT "account_import_refusals_code_check" CHECK (
        "code" ~ '^[a-z][a-z_]*$' AND "reported" IN ('', "code")
        AND ("detail" IS NULL OR "reported" <> '' OR "operation" = 'payment_instruction')) NOT VALID;
