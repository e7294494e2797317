import { AccountPayload, type KeptField, MASK, type Shape, shapeOf } from '@causeway/contracts';

/** What is shown of a value: all of it, or these of its fields; of a list, of each item. */
type Shown = true | { readonly [field: string]: Shown };

const fields = (...names: string[]): Record<string, true> => Object.fromEntries(names.map((name) => [name, true]));

const READING = fields('reading_date', 'reading_at', 'reading_value', 'billed');
const METER = {
  ...fields('installed_on', 'removed_on', 'is_prepay'),
  registers: fields('number_of_digits', 'is_settlement', 'last_billed_to_date', 'direction', 'multiplier'),
  transfer_readings: READING,
  reading_history: READING,
};
const METER_POINT = { ...fields('supply_type', 'supply_start_date', 'mpid', 'agreements'), meters: METER };
const TRANSACTION = {
  ...fields('transaction_id', 'transaction_date', 'amount', 'type', 'reason'),
  ...fields('payment_type', 'product_code', 'line_items', 'tax_items', 'reverses'),
};
const PAYMENT_INSTRUCTION = fields('vendor', 'type');

/**
 * What is shown of an account whose personal data is masked: what `accounts.erase` leaves of it, named one by one, so
 * that a new field is masked unless it is added here.
 */
const ACCOUNT: Shown = {
  ...fields('import_supplier', 'external_account_number', 'account_type'),
  ...fields('transfer_balance', 'last_statement_balance', 'last_billed_to_date'),
  supply_addresses: {
    ...fields('customer_at_supply_address_from_date', 'customer_at_supply_address_to_date', 'is_landlord'),
    meter_points: METER_POINT,
  },
  payment_schedules: fields('means', 'start_date', 'end_date', 'day_of_month', 'amount'),
  notes: fields('created_at', 'is_pinned', 'unpin_at', 'is_archived'),
  transactions: TRANSACTION,
  historical_transactions: TRANSACTION,
  ledgers: {
    last_statement_balance: true,
    current_statement_transactions: TRANSACTION,
    historical_statement_transactions: TRANSACTION,
  },
  statements: {
    ...fields('bill_period_from_date', 'bill_period_to_date', 'statement_id', 'issued_date', 'number', 'gross_amount'),
    ...fields('status', 'replaces', 'due_date', 'net_amount', 'tax_amount', 'currency'),
  },
  payment_instruction: PAYMENT_INSTRUCTION,
  payment_instructions: PAYMENT_INSTRUCTION,
};

/**
 * The data of an account with every value masked that might describe a person, and every name of a field that is not
 * documented: anything may be written there (behaviour 14.8.6).
 */
export function maskAccount(account: Record<string, unknown>): Record<string, unknown> {
  return mask(account, { shown: ACCOUNT, shape: shapeOf(AccountPayload) }) as Record<string, unknown>;
}

/** The calls of kept fields, without their names and values: an erasure removes both. */
export function maskKeptFields(kept: KeptField[]): KeptField[] {
  return kept.map((field) => ({ ...field, path: MASK, value: MASK }));
}

interface Place {
  shown: Shown | undefined;
  /** The documented names of the fields. */
  shape: Shape | undefined;
}

function mask(value: unknown, { shown, shape }: Place): unknown {
  if (shown === true || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, { shown, shape: itemOf(shape) }));
  if (typeof value !== 'object') return MASK;
  const documented = fieldsOf(shape, value);
  let undocumented = 0;
  const fields = Object.entries(value).map(([name, field]) => {
    const known = documented?.get(name);
    if (known === undefined) {
      undocumented += 1;
      const hidden = undocumented === 1 ? MASK : `${MASK} ${undocumented}`;
      return [hidden, mask(field, { shown: undefined, shape: undefined })];
    }
    const isShown = shown !== undefined && Object.hasOwn(shown, name);
    return [name, mask(field, { shown: isShown ? shown[name] : undefined, shape: known.shape })];
  });
  return Object.fromEntries(fields);
}

function itemOf(shape: Shape | undefined): Shape | undefined {
  if (shape?.kind === 'either') return itemOf(shape.list);
  return shape?.kind === 'list' ? shape.item : undefined;
}

function fieldsOf(shape: Shape | undefined, value: object): (Shape & { kind: 'object' })['fields'] | undefined {
  if (shape?.kind === 'either') return fieldsOf(shape.object, value);
  if (shape?.kind === 'choice') {
    return fieldsOf(shape.options.get(Reflect.get(value, shape.discriminator)), value);
  }
  return shape?.kind === 'object' ? shape.fields : undefined;
}

/** What `accounts.erase` writes where a column may not be null (`erase-account.sql.ts`). */
const ERASED = '[erased]';

/** A value read from an erased account, without the places of what was erased (behaviour 4.16.7). */
export function withoutErased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutErased);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([, field]) => field !== ERASED);
  return Object.fromEntries(left.map(([name, field]) => [name, withoutErased(field)]));
}
