-- What causeway map proposed for the files of extract/, with what only their owner can know.
-- From a clone, in examples/legacy-extract:
--   causeway map check mapping.sql extract/* --encoding CRM_CUSTOMERS_2026.csv=windows-1252 --supplier HARBOUR-VALE
--   causeway convert --mapping mapping.sql extract/* --encoding CRM_CUSTOMERS_2026.csv=windows-1252 \
--     --supplier HARBOUR-VALE -o book.ndjson

-- A row a customer: an account of two people has two rows.
CREATE TEMP VIEW accounts AS
SELECT DISTINCT
    t."AccountID" AS "external_account_number"
  , CASE t."AcctType" WHEN 'D' THEN 'DOMESTIC' WHEN 'B' THEN 'BUSINESS' END AS "account_type"
  , t."BillName" AS "billing_name"
  , t."BillingStreet" AS "billing_address1"
  , t."BillingCity" AS "billing_address2"
  , trim(t."BillingPostcode") AS "billing_postcode"
  -- The ledger's side: what a customer owes us is a debit.
  , to_money(b."BALANCE", 'cr-positive') AS "transfer_balance"
FROM main.crm_customers_2026 AS t
-- The billing system has lost the zeros of account numbers.
LEFT JOIN main.balances AS b ON pad(b."ACCT_NO", 8) = t."AccountID"
-- A row of separators is no customer.
WHERE t."AcctType" <> '';

CREATE TEMP VIEW customers AS
SELECT
    t."AccountID" AS "external_account_number"
  , t."Title" AS "title"
  , t."FirstName" AS "given_name"
  , t."LastName" AS "family_name"
  , null_if(trim(t."Email"), 'N/A') AS "email"
  , t."Phone" AS "landline"
  , t."Mobile" AS "mobile"
  , to_date(null_if(t."DOB", 'NULL'), 'DD/MM/YYYY') AS "date_of_birth"
FROM main.crm_customers_2026 AS t
WHERE t."AcctType" <> '';

-- A spreadsheet has written numbers with .0.
CREATE TEMP VIEW supply_points AS
SELECT
    pad(replace(t."cust_acc", '.0', ''), 8) AS "external_account_number"
  , replace(t."mpxn", '.0', '') AS "meter_points.identifier"
  , t."fuel" AS "meter_points.supply_type"
  , t."address1" AS "supply_address1"
  , t."town" AS "supply_address2"
  , t."post_code" AS "supply_postcode"
  , to_date(t."move_in", 'YYYY-MM-DDTHH24:MI:SS.FF') AS "customer_at_supply_address_from_date"
  , t."supply_start" AS "meter_points.supply_start_date"
  , t."serial" AS "meter_points.meters.meter_serial_number"
  , t."installed" AS "meter_points.meters.installed_on"
FROM main.meter_points AS t;

CREATE TEMP VIEW agreements AS
SELECT
    pad(replace(t."cust_acc", '.0', ''), 8) AS "external_account_number"
  , replace(t."mpxn", '.0', '') AS "meter_point_identifier"
  , t."tariff" AS "tariff_code"
  , t."tariff_from" AS "effective_from"
  , null_if(t."tariff_to", '9999-12-31') AS "effective_to"
FROM main.meter_points AS t;

-- The readings name no account: their meter point does.
CREATE TEMP TABLE meter_point_owners AS
SELECT DISTINCT
    replace(t."mpxn", '.0', '') AS meter_point
  , pad(replace(t."cust_acc", '.0', ''), 8) AS account
FROM main.meter_points AS t;

CREATE TEMP VIEW registers AS
SELECT DISTINCT
    o.account AS "external_account_number"
  , t."MPXN" AS "meter_point_identifier"
  , t."SERIAL" AS "meter_serial_number"
  , t."REG" AS "register_id"
  , t."DIGITS" AS "number_of_digits"
FROM main.meter_reads AS t
LEFT JOIN meter_point_owners AS o ON o.meter_point = t."MPXN";

CREATE TEMP VIEW readings AS
SELECT
    o.account AS "external_account_number"
  , t."MPXN" AS "meter_point_identifier"
  , t."SERIAL" AS "meter_serial_number"
  , t."REG" AS "register_id"
  , to_date(t."READ_DTM", 'YYYY-MM-DD HH24:MI:SS.FF') AS "reading_date"
  , t."READING" AS "reading_value"
  , t."READ_TYPE" AS "reading_type"
FROM main.meter_reads AS t
LEFT JOIN meter_point_owners AS o ON o.meter_point = t."MPXN";

-- A row a line: a bill is one transaction. A credit note (CRN) is a bill of less than nothing.
CREATE TEMP VIEW transactions AS
SELECT DISTINCT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , t."TXN_ID" AS "transaction_id"
  , to_date(t."TXN_DATE", 'DD-MON-RR') AS "transaction_date"
  , CASE t."TXN_TYPE" WHEN 'INV' THEN 'SUPPLY_CHARGE' WHEN 'CRN' THEN 'SUPPLY_CHARGE' END AS "type"
  , to_money(t."GROSS_AMT") AS "amount"
  , t."PROD_CODE" AS "product_code"
  , NULL AS "reference"
  , NULL AS "payment_type"
FROM main.bill_lines AS t
UNION ALL
SELECT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , t."PAYMENT_ID" AS "transaction_id"
  , to_date(t."PAY_DATE", 'DD-MON-RR') AS "transaction_date"
  , 'PAYMENT' AS "type"
  , to_money(t."AMOUNT", 'cr-positive') AS "amount"
  , NULL AS "product_code"
  , t."BANK_REF" AS "reference"
  , upper(replace(t."METHOD", ' ', '_')) AS "payment_type"
FROM main.payments AS t;

CREATE TEMP VIEW line_items AS
SELECT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , t."TXN_ID" AS "transaction_id"
  , upper(replace(t."LINE_DESC", ' ', '_')) AS "rate_band"
  , to_date(t."FROM_DT", 'DD-MON-RR') AS "start_date"
  , to_date(t."TO_DT", 'DD-MON-RR') AS "end_date"
  , t."UNITS" AS "number_of_units"
  , to_money(t."LINE_NET") AS "net_amount"
  , t."UNIT_PRICE" AS "price_per_unit"
FROM main.bill_lines AS t
ORDER BY t."_line";

-- One tax a bill, of its lines together.
CREATE TEMP VIEW tax_items AS
SELECT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , t."TXN_ID" AS "transaction_id"
  , sum_money(to_money(t."VAT_AMT")) AS "amount"
  , 'VAT' AS "tax_type"
  , sum_money(to_money(t."LINE_NET")) AS "value_taxed"
  , multiply_money(t."VAT_RATE", '0.01', 2) AS "rate"
  , 'PROPORTION' AS "unit_type"
FROM main.bill_lines AS t
GROUP BY t."ACCT_NO", t."TXN_ID", t."VAT_RATE";

-- The last line of the export is its total.
CREATE TEMP VIEW statements AS
SELECT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , t."INV_NO" AS "statement_id"
  , to_date(t."PERIOD_FROM", 'YYYY-MM-DD HH24:MI:SS.FF') AS "bill_period_from_date"
  , to_date(t."PERIOD_TO", 'YYYY-MM-DD HH24:MI:SS.FF') AS "bill_period_to_date"
  , to_date(t."ISSUE_DATE", 'DD-MON-RR') AS "issued_date"
  , t."TOTAL" AS "gross_amount"
  , t."PDF_PATH" AS "statement_path"
FROM main.invoices AS t
WHERE t."ACCT_NO" <> '';

-- The billing system's own figures, which nothing above has touched: a wrong mapping does not add up to them.
CREATE TEMP VIEW manifest AS
SELECT
    pad(t."ACCT_NO", 8) AS "external_account_number"
  , to_money(t."BALANCE", 'cr-positive') AS "transfer_balance"
  , t."TXN_COUNT" AS "transactions"
  , t."TXN_TOTAL" AS "transactions_sum"
  , t."INV_COUNT" AS "statements"
  , t."INV_TOTAL" AS "statements_gross"
FROM main.balances AS t;
