-- The peer's own tables, in front of those of the service, whose import suppliers, teams and keys it uses.
CREATE SCHEMA peer;
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = peer, public', current_database()); END $$;
SET search_path = peer, public;

CREATE TABLE account_imports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  import_supplier_code text NOT NULL REFERENCES import_suppliers (code), external_account_number text NOT NULL,
  completed boolean NOT NULL DEFAULT false, payload jsonb NOT NULL, staged_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (import_supplier_code, external_account_number)
);
CREATE TABLE accounts (
  account_import_id bigint PRIMARY KEY REFERENCES account_imports, service_account_number text NOT NULL UNIQUE,
  operations_team_id uuid NOT NULL REFERENCES operations_teams (id), account_type text NOT NULL,
  billing_name text, billing_email text, transfer_balance numeric(13, 2), last_billed_to_date date,
  details jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE customers (
  account_import_id bigint REFERENCES accounts, position int, PRIMARY KEY (account_import_id, position),
  title text, given_name text, family_name text, email text, mobile text, landline text, date_of_birth date,
  details jsonb NOT NULL
);
CREATE TABLE supply_addresses (
  account_import_id bigint REFERENCES accounts, position int, PRIMARY KEY (account_import_id, position),
  supply_address1 text NOT NULL, supply_address2 text, supply_address3 text, supply_address4 text, supply_address5 text,
  supply_postcode text NOT NULL, customer_at_supply_address_from_date date NOT NULL,
  customer_at_supply_address_to_date date, is_landlord boolean
);
CREATE TABLE meter_points (
  account_import_id bigint, supply_address_position int, position int,
  PRIMARY KEY (account_import_id, supply_address_position, position),
  FOREIGN KEY (account_import_id, supply_address_position) REFERENCES supply_addresses,
  identifier text, supply_type text, supply_start_date date, mpid text, agreements jsonb NOT NULL, meters jsonb NOT NULL
);
CREATE TABLE payment_schedules (
  account_import_id bigint REFERENCES accounts, position int, PRIMARY KEY (account_import_id, position),
  means text, start_date date, end_date date, frequency text, day_of_month int, amount numeric(13, 2)
);
CREATE TABLE notes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_import_id bigint NOT NULL REFERENCES accounts,
  body text, document_paths jsonb NOT NULL, created_at timestamptz NOT NULL, is_pinned boolean NOT NULL,
  unpin_at timestamptz
);
CREATE UNIQUE INDEX ON notes (account_import_id, created_at, md5(coalesce(body, document_paths::text)));
CREATE TABLE transactions (
  account_import_id bigint REFERENCES accounts, transaction_id text, PRIMARY KEY (account_import_id, transaction_id),
  transaction_date date NOT NULL, amount numeric(13, 2) NOT NULL, type text NOT NULL, reason text, display_note text,
  note text, reference text, payment_type text, product_code text, line_items jsonb, tax_items jsonb
);
CREATE TABLE statements (
  account_import_id bigint REFERENCES accounts, statement_id text, PRIMARY KEY (account_import_id, statement_id),
  bill_period_from_date date NOT NULL, bill_period_to_date date NOT NULL, issued_date date NOT NULL,
  number text NOT NULL, gross_amount numeric(13, 2) NOT NULL, statement_path text
);
