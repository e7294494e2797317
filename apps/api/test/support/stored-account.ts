import type { Database } from '@causeway/db';

type Row = Record<string, unknown>;

/** The account as its rows have it, in the form in which it was sent. */
export async function storedAccount({ pool }: Database, id: string): Promise<Row> {
  const rows = async (table: string): Promise<Row[]> => {
    const text = `SELECT * FROM ${table} WHERE account_import_id = $1 ORDER BY position`;
    return (await pool.query<Row>(text, [id])).rows;
  };
  const { rows: accounts } = await pool.query<Row>(
    `SELECT import_supplier_code AS import_supplier, external_account_number, account.*
    FROM account_imports import JOIN accounts account ON account_import_id = id WHERE id = $1`,
    [id],
  );
  const points = await rows('meter_points');
  const addresses = (await rows('supply_addresses')).map((address) => ({
    ...sentFields(address),
    meter_points: points.filter((point) => point.supply_address_position === address.position).map(sentFields),
  }));
  return {
    ...sentFields(accounts[0] ?? {}),
    customers: (await rows('customers')).map(sentFields),
    supply_addresses: addresses,
    payment_schedules: (await rows('payment_schedules')).map(sentFields),
  };
}

const OWN_COLUMNS = [
  ...['account_import_id', 'position', 'supply_address_position', 'service_account_number', 'operations_team_id'],
  ...['revision', 'open_statement_from', 'created_at', 'details', 'payload_size'],
];

function sentFields(row: Row): Row {
  const columns = Object.entries(row).filter(([name, value]) => value !== null && !OWN_COLUMNS.includes(name));
  const fields = { ...Object.fromEntries(columns), ...(row.details as Row) };
  return typeof fields.amount === 'string' ? { ...fields, amount: Number(fields.amount) } : fields;
}
