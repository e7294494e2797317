-- What must never be stored, whatever the code does. Every constraint is NOT VALID: it holds for each row that is written
-- from now on, and nothing is read while the tables are locked. The runner validates the old rows afterwards, without
-- keeping anybody from reading or writing, and names those that break a rule (see docs/constraints.md).
--
-- The tables come in the order in which the service's own statements lock them.
--
-- PostgreSQL reads the expression of every CHECK of a table anew for each statement that writes to it, and what stands in
-- a function only once a session: with each rule written out, what an account's journey writes cost 60 % more. So a rule
-- of more than a few words is a function, and what does no harm, such as an account type of an odd form, has no CHECK.
-- The functions call none of ours: a dump, which is restored without a search path, finds all that they need.

-- Relative paths that stay below their root. (packages/contracts/src/document-path.ts refuses more, also what is encoded.)
CREATE FUNCTION "are_document_paths"(VARIADIC "paths" TEXT[]) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    "path" TEXT;
BEGIN
    FOREACH "path" IN ARRAY "paths" LOOP
        IF "path" IS NULL OR "path" ~
            '(^|/)\.{0,2}(/|$)|[\\\u0001-\u001F\u007F-\u009F]|%2[eEfF]|^[A-Za-z][A-Za-z0-9+.-]*:' THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END $$;

ALTER TABLE "organisations"
    ADD CONSTRAINT "organisations_name_check" CHECK ("name" ~ '\S') NOT VALID;

ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_digest_check" CHECK (octet_length("digest") = 32) NOT VALID;

ALTER TABLE "import_suppliers"
    ADD CONSTRAINT "import_suppliers_code_check" CHECK ("code" ~ '^[A-Z0-9_-]{1,64}$') NOT VALID,
    ADD CONSTRAINT "import_suppliers_country_check" CHECK ("country" ~ '^[A-Z]{2}$') NOT VALID,
    ADD CONSTRAINT "import_suppliers_document_root_check" CHECK ("are_document_paths"("document_root")) NOT VALID,
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
    RETURN encode(set_byte(set_byte(substring("digest" FROM 1 FOR 16), 6, get_byte("digest", 6) & 15 | 128),
        8, get_byte("digest", 8) & 63 | 128), 'hex')::uuid;
END $$;

-- What belongs to each state. The times are not compared with each other: each instance has a clock of its own. A
-- COMPLETED row may lack its number, as those that were completed before the column was added do.
CREATE FUNCTION "is_account_import_state"("state" "account_import_state", "attempts" INTEGER, "failed_at" TIMESTAMPTZ,
    "last_error" JSONB, "skipped_at" TIMESTAMPTZ, "skip_reason" TEXT, "completed_at" TIMESTAMPTZ,
    "service_account_number" TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    IF "state" = 'COMPLETED' THEN
        RETURN "completed_at" IS NOT NULL AND "attempts" >= 1
            AND num_nonnulls("last_error", "skipped_at", "skip_reason") = 0;
    ELSIF num_nonnulls("completed_at", "service_account_number") > 0 THEN
        RETURN false;
    ELSIF "state" = 'SKIPPED' THEN
        RETURN num_nulls("skipped_at", "skip_reason") = 0 AND ("failed_at" IS NULL) = ("last_error" IS NULL);
    ELSIF num_nonnulls("skipped_at", "skip_reason") > 0 THEN
        RETURN false;
    ELSIF "state" = 'FAILED' THEN
        RETURN num_nulls("failed_at", "last_error") = 0 AND "attempts" >= 1;
    END IF;
    RETURN num_nonnulls("failed_at", "last_error") = 0;
END $$;

-- With the derived id the primary key is what keeps a supplier's account number unique: two rows of one number would have
-- one id. An index on the two names would guarantee no more, and every staging and creation would have to maintain it.
ALTER TABLE "account_imports"
    ADD CONSTRAINT "account_imports_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code")
        REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID,
    ADD CONSTRAINT "account_imports_id_check"
        CHECK ("id" = "account_import_id"("import_supplier_code", "external_account_number")) NOT VALID,
    ADD CONSTRAINT "account_imports_state_check" CHECK ("is_account_import_state"("state", "attempts", "failed_at",
        "last_error", "skipped_at", "skip_reason", "completed_at", "service_account_number")) NOT VALID;

-- A column of type DECIMAL takes NaN, which is greater than every number and equal to itself.
ALTER TABLE "accounts"
    ADD CONSTRAINT "accounts_operations_team_id_fkey" FOREIGN KEY ("operations_team_id")
        REFERENCES "operations_teams"("id") ON DELETE RESTRICT ON UPDATE RESTRICT NOT VALID,
    ADD CONSTRAINT "accounts_transfer_balance_check" CHECK ("transfer_balance" <> 'NaN') NOT VALID,
    ADD CONSTRAINT "accounts_open_statement_from_check"
        CHECK ("last_billed_to_date" IS NULL OR "open_statement_from" = "last_billed_to_date" + 1) NOT VALID;

ALTER TABLE "supply_addresses"
    ADD CONSTRAINT "supply_addresses_period_check"
        CHECK ("customer_at_supply_address_from_date" <= "customer_at_supply_address_to_date") NOT VALID;

ALTER TABLE "payment_schedules"
    ADD CONSTRAINT "payment_schedules_period_check" CHECK ("start_date" <= "end_date") NOT VALID,
    ADD CONSTRAINT "payment_schedules_values_check"
        CHECK ("day_of_month" BETWEEN 1 AND 28 AND "amount" >= 0 AND "amount" <> 'NaN') NOT VALID;

-- A note's unpin_at is not compared with its created_at: a note without a time of its own gets that of its storing,
-- which may be a second after its unpin_at was found to lie ahead.
ALTER TABLE "notes"
    ADD CONSTRAINT "notes_body_or_document_check"
        CHECK ("body" IS NOT NULL OR coalesce(cardinality("document_paths"), 0) > 0) NOT VALID,
    ADD CONSTRAINT "notes_document_paths_check" CHECK ("are_document_paths"(VARIADIC "document_paths")) NOT VALID;

-- Each type with the fields that it must have and the sign of its amount; which others it may have, the service checks.
CREATE FUNCTION "is_transaction"("type" TEXT, "amount" DECIMAL, "reason" TEXT, "product_code" TEXT, "line_items" JSONB)
RETURNS BOOLEAN
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN "amount" <> 0 AND "amount" <> 'NaN' AND CASE "type"
        WHEN 'CHARGE' THEN "reason" IS NOT NULL
        WHEN 'CREDIT' THEN "reason" IS NOT NULL
        WHEN 'PAYMENT' THEN "amount" > 0
        WHEN 'REPAYMENT' THEN "amount" > 0
        WHEN 'SUPPLY_CHARGE' THEN "product_code" IS NOT NULL AND "line_items" IS NOT NULL
        ELSE false
    END;
END $$;

ALTER TABLE "transactions"
    ADD CONSTRAINT "transactions_type_check"
        CHECK ("is_transaction"("type", "amount", "reason", "product_code", "line_items")) NOT VALID,
    ADD CONSTRAINT "transactions_moved_date_check" CHECK (
        ("original_transaction_date" IS NULL) = ("description" IS NULL)
        AND "original_transaction_date" <> "transaction_date"
    ) NOT VALID;

-- Nearly every path has the form of the first pattern, which costs less than a call of the function.
ALTER TABLE "statements"
    ADD CONSTRAINT "statements_bill_period_check" CHECK ("bill_period_from_date" <= "bill_period_to_date") NOT VALID,
    ADD CONSTRAINT "statements_gross_amount_check" CHECK ("gross_amount" <> 'NaN') NOT VALID,
    ADD CONSTRAINT "statements_statement_path_check" CHECK (
        "statement_path" IS NULL OR "statement_path" ~ '^[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*$'
        OR "are_document_paths"("statement_path")
    ) NOT VALID;

-- An answer is kept whole or not at all.
ALTER TABLE "idempotency_keys"
    ADD CONSTRAINT "idempotency_keys_answer_check" CHECK (num_nonnulls("status", "headers", "body") IN (0, 3)) NOT VALID;
