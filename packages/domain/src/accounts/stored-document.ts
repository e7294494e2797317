import {
  AccountPayload,
  type AccountPayloadAsStored,
  asStored,
  Customer,
  fieldsOf,
  MeterPoint,
  PaymentSchedule,
  SupplyAddress,
} from '@causeway/contracts';
import type { AccountKey } from '../shared/derived-id.ts';

type Row = Record<string, unknown>;
type Schema = Parameters<typeof fieldsOf>[0];

/** The rows that the creation of an account stored (`READ_ACCOUNTS`); null where none exists. */
export interface StoredRows {
  account: Row;
  customers: Row[] | null;
  supply_addresses: Row[] | null;
  meter_points: Row[] | null;
  payment_schedules: Row[] | null;
}

/** The data of a created account, as it was sent (behaviour 4.16.2). */
export function storedDocument(key: AccountKey, rows: StoredRows): AccountPayloadAsStored {
  const lists = {
    customers: itemsOf(Customer, rows.customers),
    supply_addresses: itemsOf(SupplyAddress, withMeterPoints(rows)),
    payment_schedules: itemsOf(PaymentSchedule, rows.payment_schedules),
  };
  const { import_supplier_code: import_supplier, external_account_number } = key;
  return asStored(
    AccountPayload,
    objectOf(AccountPayload, { ...rows.account, import_supplier, external_account_number, ...lists }),
  );
}

function withMeterPoints({ supply_addresses, meter_points }: StoredRows): Row[] | null {
  const pointsAt = Map.groupBy(meter_points ?? [], ({ supply_address_position }) => supply_address_position);
  const addressOf = (row: Row) => ({
    ...row,
    meter_points: itemsOf(MeterPoint, pointsAt.get(row.position)?.map(asSent) ?? null),
  });
  return supply_addresses?.map(addressOf) ?? null;
}

/**
 * Without what the columns of a meter point have beside what was sent: empty lists for none, and as its identifier the
 * `mpxn` of one that was sent so.
 */
function asSent(point: Row): Row {
  const { agreements, meters, identifier, details } = point;
  const isRenamed = 'mpxn' in ((details ?? {}) as Row);
  const sent = { agreements: unlessEmpty(agreements), meters: unlessEmpty(meters) };
  return { ...point, ...sent, identifier: isRenamed ? null : identifier };
}

function unlessEmpty(list: unknown): unknown {
  return Array.isArray(list) && list.length === 0 ? null : list;
}

function itemsOf(schema: Schema, rows: Row[] | null): Row[] | null {
  return rows?.map((row) => objectOf(schema, row)) ?? null;
}

/**
 * A row as the object that was sent: its columns by the fields of the schema, and what `details` has beside them. So a
 * field that gets a column or is kept in `details` is read back without more.
 */
export function objectOf(schema: Schema, row: Row): Row {
  const details = (row.details ?? {}) as Row;
  const object: Row = {};
  for (const name of fieldsOf(schema)) {
    const value = details[name] ?? row[name];
    if (value !== null && value !== undefined) object[name] = value;
  }
  return Object.assign(object, details);
}
