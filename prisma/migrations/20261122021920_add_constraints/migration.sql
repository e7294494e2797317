-- What must never be stored, whatever the code does. Every constraint is NOT VALID: it holds for each row that is written
-- from now on, and nothing is read while the tables are locked. The runner validates the old rows afterwards, without
-- keeping anybody from reading or writing, and names those that break a rule (see docs/constraints.md).
--
-- The tables come in the order in which the service's own statements lock them.

ALTER TABLE "organisations"
    ADD CONSTRAINT "organisations_name_check" CHECK ("name" ~ '\S') NOT VALID;

ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_digest_check" CHECK (octet_length("digest") = 32) NOT VALID;

ALTER TABLE "import_suppliers"
    ADD CONSTRAINT "import_suppliers_code_check" CHECK ("code" ~ '^[A-Z0-9_-][A-Z0-9 _-]{0,63}$') NOT VALID,
    ADD CONSTRAINT "import_suppliers_country_check" CHECK ("country" ~ '^[A-Z]{2}$') NOT VALID,
    ADD CONSTRAINT "import_suppliers_document_root_check" CHECK (
        char_length("document_root") <= 1024
        AND "document_root" !~ '(^|/)\.{0,2}(/|$)|[\\\u0001-\u001F\u007F-\u009F]|%2[eEfF]|^[A-Za-z][A-Za-z0-9+.-]*:'
    ) NOT VALID,
    ADD CONSTRAINT "import_suppliers_process_concurrency_limit_check"
        CHECK ("process_concurrency_limit" BETWEEN 1 AND 10000) NOT VALID;

ALTER TABLE "operations_teams"
    ADD CONSTRAINT "operations_teams_name_check" CHECK ("name" ~ '\S') NOT VALID;

-- The id that the service computes for an account import (packages/domain/src/derived-id.ts): the first 128 bits of a
-- SHA-256 over the kind and the two names, each behind its length, with the six bits that make it a UUID of version 8.
CREATE FUNCTION "account_import_id"("supplier_code" TEXT, "account_number" TEXT) RETURNS UUID
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    "digest" BYTEA := sha256('\x0000000e'::bytea || 'account_import'::bytea
        || int4send(octet_length("supplier_code")) || convert_to("supplier_code", 'UTF8')
        || int4send(octet_length("account_number")) || convert_to("account_number", 'UTF8'));
BEGIN
    "digest" := set_byte("digest", 6, get_byte("digest", 6) & 15 | 128);
    "digest" := set_byte("digest", 8, get_byte("digest", 8) & 63 | 128);
    RETURN encode(substring("digest" FROM 1 FOR 16), 'hex')::uuid;
END $$;

-- With the derived id the primary key is what keeps a supplier's account number unique: two rows of one number would have
-- one id. An index on the two names would guarantee no more, and every staging and creation would have to maintain it.
--
-- The times are not compared with each other: each instance has a clock of its own. A COMPLETED row may lack its
-- number, as those that were completed before the column was added do.
ALTER TABLE "account_imports"
    ADD CONSTRAINT "account_imports_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code")
        REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID,
    ADD CONSTRAINT "account_imports_id_check"
        CHECK ("id" = "account_import_id"("import_supplier_code", "external_account_number")) NOT VALID,
    ADD CONSTRAINT "account_imports_external_account_number_check"
        CHECK (char_length("external_account_number") BETWEEN 1 AND 128) NOT VALID,
    ADD CONSTRAINT "account_imports_state_check" CHECK (
        CASE "state"
            WHEN 'STAGED' THEN num_nonnulls("failed_at", "last_error", "skipped_at", "skip_reason", "completed_at",
                "service_account_number") = 0
            WHEN 'FAILED' THEN num_nulls("failed_at", "last_error") = 0 AND "attempts" >= 1
                AND num_nonnulls("skipped_at", "skip_reason", "completed_at", "service_account_number") = 0
            WHEN 'SKIPPED' THEN num_nulls("skipped_at", "skip_reason") = 0
                AND ("failed_at" IS NULL) = ("last_error" IS NULL)
                AND num_nonnulls("completed_at", "service_account_number") = 0
            WHEN 'COMPLETED' THEN "completed_at" IS NOT NULL AND "attempts" >= 1
                AND num_nonnulls("last_error", "skipped_at", "skip_reason") = 0
        END
    ) NOT VALID,
    ADD CONSTRAINT "account_imports_service_account_number_check"
        CHECK ("service_account_number" ~ '^A-[0-9A-HJKMNP-TV-Z]{8}$') NOT VALID;

-- A column of type DECIMAL takes NaN, which is greater than every number and equal to itself.
ALTER TABLE "accounts"
    ADD CONSTRAINT "accounts_operations_team_id_fkey" FOREIGN KEY ("operations_team_id")
        REFERENCES "operations_teams"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID,
    ADD CONSTRAINT "accounts_service_account_number_check"
        CHECK ("service_account_number" ~ '^A-[0-9A-HJKMNP-TV-Z]{8}$') NOT VALID,
    ADD CONSTRAINT "accounts_account_type_check" CHECK ("account_type" ~ '^[A-Z][A-Z0-9_]{0,63}$') NOT VALID,
    ADD CONSTRAINT "accounts_transfer_balance_check" CHECK ("transfer_balance" < 100000000000) NOT VALID,
    ADD CONSTRAINT "accounts_open_statement_from_check"
        CHECK ("last_billed_to_date" IS NULL OR "open_statement_from" = "last_billed_to_date" + 1) NOT VALID;

ALTER TABLE "supply_addresses"
    ADD CONSTRAINT "supply_addresses_period_check"
        CHECK ("customer_at_supply_address_from_date" <= "customer_at_supply_address_to_date") NOT VALID;

ALTER TABLE "meter_points"
    ADD CONSTRAINT "meter_points_supply_type_check" CHECK ("supply_type" IN ('ELECTRICITY', 'GAS')) NOT VALID;

ALTER TABLE "payment_schedules"
    ADD CONSTRAINT "payment_schedules_period_check" CHECK ("start_date" <= "end_date") NOT VALID,
    ADD CONSTRAINT "payment_schedules_values_check"
        CHECK ("day_of_month" BETWEEN 1 AND 28 AND "amount" >= 0 AND "amount" < 100000000000) NOT VALID;

-- A note's unpin_at is not compared with its created_at: a note without a time of its own gets that of its storing,
-- which may be a second after its unpin_at was found to lie ahead.
ALTER TABLE "notes"
    ADD CONSTRAINT "notes_body_or_document_check"
        CHECK ("body" IS NOT NULL OR coalesce(cardinality("document_paths"), 0) > 0) NOT VALID,
    ADD CONSTRAINT "notes_document_paths_check" CHECK (
        "document_paths" = '{}'
        OR (
            array_to_string("document_paths", E'\n') !~ '(^|[/\n])\.{0,2}([/\n]|$)|[\\\u0001-\u0009\u000B-\u001F\u007F-\u009F]|%2[eEfF]|(^|\n)[A-Za-z][A-Za-z0-9+.-]*:'
            AND cardinality(string_to_array(array_to_string("document_paths", E'\n'), E'\n')) = cardinality("document_paths")
        )
    ) NOT VALID;

ALTER TABLE "transactions"
    ADD CONSTRAINT "transactions_amount_check" CHECK (
        "amount" <> 0 AND "amount" < 100000000000 AND ("amount" > 0 OR "type" NOT IN ('PAYMENT', 'REPAYMENT'))
    ) NOT VALID,
    ADD CONSTRAINT "transactions_type_check"
        CHECK ("type" IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')) NOT VALID,
    ADD CONSTRAINT "transactions_fields_of_type_check" CHECK (
        ("type" NOT IN ('CHARGE', 'CREDIT') OR "reason" IS NOT NULL)
        AND ("type" <> 'SUPPLY_CHARGE' OR ("product_code" IS NOT NULL AND "line_items" IS NOT NULL))
    ) NOT VALID,
    ADD CONSTRAINT "transactions_moved_date_check" CHECK (
        ("original_transaction_date" IS NULL) = ("description" IS NULL)
        AND "original_transaction_date" <> "transaction_date"
    ) NOT VALID;

ALTER TABLE "statements"
    ADD CONSTRAINT "statements_bill_period_check" CHECK ("bill_period_from_date" <= "bill_period_to_date") NOT VALID,
    ADD CONSTRAINT "statements_gross_amount_check" CHECK ("gross_amount" < 100000000000) NOT VALID,
    ADD CONSTRAINT "statements_statement_path_check" CHECK (
        char_length("statement_path") <= 1024
        AND "statement_path" !~ '(^|/)\.{0,2}(/|$)|[\\\u0001-\u001F\u007F-\u009F]|%2[eEfF]|^[A-Za-z][A-Za-z0-9+.-]*:'
    ) NOT VALID;

-- An answer is kept whole or not at all.
ALTER TABLE "idempotency_keys"
    ADD CONSTRAINT "idempotency_keys_answer_check" CHECK (num_nonnulls("status", "headers", "body") IN (0, 3)) NOT VALID;
