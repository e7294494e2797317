import type { z } from 'zod';
import type { Fields, Query } from '../shared/database.ts';
import type { AccountPayload } from '../shared/payloads.ts';

/** The calendar day after a day. */
function dayAfter(date: string | undefined): string | undefined {
  return date && new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

export async function createAccount(
  query: Query,
  account: { id: string; service_account_number: string; team: string },
  payload: z.output<typeof AccountPayload>,
): Promise<void> {
  const now = new Date();
  const { import_supplier: _supplier, external_account_number: _number, account_type, ...rest } = payload;
  const { billing_name, billing_email, transfer_balance, last_billed_to_date, ...others } = rest;
  const { customers = [], supply_addresses = [], payment_schedules = [], ...details } = others;
  await query(
    'complete',
    `UPDATE account_imports SET state = 'COMPLETED', attempts = attempts + 1, last_error = NULL, updated_at = $2,
      completed_at = $2, service_account_number = $3 WHERE id = $1`,
    [account.id, now, account.service_account_number],
  );
  await query(
    'account',
    `INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, billing_name,
      billing_email, transfer_balance, last_billed_to_date, open_statement_from, details, created_at, payload_size)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, pg_column_size(payload)
    FROM account_imports
    WHERE id = $1`,
    [
      ...[account.id, account.service_account_number, account.team, account_type, billing_name, billing_email],
      ...[transfer_balance, last_billed_to_date, dayAfter(last_billed_to_date) ?? now, details, now],
    ],
  );
  const insertAll = async (name: string, sql: string, rows: Fields[]) => {
    if (rows.length > 0) await query(name, sql, [account.id, JSON.stringify(rows)]);
  };
  await insertAll(
    'customers',
    `INSERT INTO customers (account_import_id, position, title, given_name, family_name, email, mobile, landline,
      date_of_birth, details)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, title text, given_name text,
      family_name text, email text, mobile text, landline text, date_of_birth date, details jsonb)`,
    customers.map(({ title, given_name, family_name, email, mobile, landline, date_of_birth, ...more }, position) => {
      const person = { title, given_name, family_name, email, mobile, landline, date_of_birth };
      return { position, ...person, details: more };
    }),
  );
  await insertAll(
    'supply-addresses',
    `INSERT INTO supply_addresses (account_import_id, position, supply_address1, supply_address2, supply_address3,
      supply_address4, supply_address5, supply_postcode, customer_at_supply_address_from_date,
      customer_at_supply_address_to_date, is_landlord)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, supply_address1 text,
      supply_address2 text, supply_address3 text, supply_address4 text, supply_address5 text, supply_postcode text,
      customer_at_supply_address_from_date date, customer_at_supply_address_to_date date, is_landlord boolean)`,
    supply_addresses.map(({ meter_points: _points, ...address }, position) => ({ position, ...address })),
  );
  await insertAll(
    'meter-points',
    `INSERT INTO meter_points (account_import_id, supply_address_position, position, identifier, supply_type,
      supply_start_date, mpid, agreements, meters)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (supply_address_position int, position int,
      identifier text, supply_type text, supply_start_date date, mpid text, agreements jsonb, meters jsonb)`,
    supply_addresses.flatMap(({ meter_points = [] }, supply_address_position) =>
      meter_points.map(({ agreements = [], meters = [], ...point }, position) => {
        return { supply_address_position, position, ...point, agreements, meters };
      }),
    ),
  );
  await insertAll(
    'payment-schedules',
    `INSERT INTO payment_schedules (account_import_id, position, means, start_date, end_date, frequency, day_of_month,
      amount)
    SELECT $1, record.* FROM json_to_recordset($2::json) AS record (position int, means text, start_date date,
      end_date date, frequency text, day_of_month int, amount numeric)`,
    payment_schedules.map((schedule, position) => ({ position, ...schedule })),
  );
}
