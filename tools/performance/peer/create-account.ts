import type { Fields, Query } from '../shared/database.ts';
import { insertInto } from './insert.ts';

/** A staged payload, as far as it is read by name. */
export interface Account extends Fields {
  import_supplier: string;
  external_account_number: string;
  customers?: Fields[];
  supply_addresses?: (Fields & { meter_points?: Fields[] })[];
  payment_schedules?: Fields[];
}

const insertCustomers = insertInto('customers', {
  int: 'position',
  text: 'title given_name family_name email mobile landline',
  date: 'date_of_birth',
  jsonb: 'details',
});
const insertSupplyAddresses = insertInto('supply_addresses', {
  int: 'position',
  text: 'supply_address1 supply_address2 supply_address3 supply_address4 supply_address5 supply_postcode',
  date: 'customer_at_supply_address_from_date customer_at_supply_address_to_date',
  boolean: 'is_landlord',
});
const insertMeterPoints = insertInto('meter_points', {
  int: 'supply_address_position position',
  text: 'identifier supply_type mpid',
  date: 'supply_start_date',
  jsonb: 'agreements meters',
});
const insertPaymentSchedules = insertInto('payment_schedules', {
  int: 'position day_of_month',
  text: 'means frequency',
  date: 'start_date end_date',
  numeric: 'amount',
});

/** Makes a staged import an account, with all that belongs to it. */
export async function createAccount(
  query: Query,
  { id, service_account_number, team }: { id: string; service_account_number: string; team: string },
  payload: Account,
): Promise<void> {
  const { import_supplier: _supplier, external_account_number: _number, account_type, ...rest } = payload;
  const { billing_name, billing_email, transfer_balance, last_billed_to_date, ...others } = rest;
  const { customers = [], supply_addresses = [], payment_schedules = [], ...details } = others;
  await query('complete', 'UPDATE account_imports SET completed = true WHERE id = $1', [id]);
  await query(
    'account',
    `INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, billing_name,
      billing_email, transfer_balance, last_billed_to_date, details)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[id, service_account_number, team, account_type, billing_name, billing_email],
      ...[transfer_balance, last_billed_to_date, details],
    ],
  );
  const persons = customers.map((customer, position) => {
    const { title, given_name, family_name, email, mobile, landline, date_of_birth, ...more } = customer;
    return { position, title, given_name, family_name, email, mobile, landline, date_of_birth, details: more };
  });
  await insertCustomers(query, id, persons);
  const addresses = supply_addresses.map((address, position) => ({ ...address, position }));
  await insertSupplyAddresses(query, id, addresses);
  const meterPoints = addresses.flatMap(({ meter_points = [], position: supply_address_position }) =>
    meter_points.map((point, position) => ({
      agreements: [],
      meters: [],
      ...point,
      supply_address_position,
      position,
    })),
  );
  await insertMeterPoints(query, id, meterPoints);
  const schedules = payment_schedules.map((schedule, position) => ({ ...schedule, position }));
  await insertPaymentSchedules(query, id, schedules);
}
