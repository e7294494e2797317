/** Every published limit, defined once. Lengths are counted in Unicode characters. */
export const LIMITS = {
  /** Errors, and undocumented fields, reported in one answer. */
  reported_errors: 100,

  /** Keys, values and commas in one body, and distinct keys. */
  json_values: 1_000_000,
  json_keys: 20_000,

  import_supplier: 64,
  external_account_number: 128,
  operations_team_name: 255,
  path_parameter: 1_024,
  document_path: 1_024,
  upper_snake: 64,

  short_text: 50,
  name: 255,
  long_text: 1_000,

  customers: 50,
  supply_addresses: 500,
  nested: 100,
  title: 20,
  billing_name: 510,
  email: 254,
  phone_number: 32,
  reference_namespace: 50,
  reference_value: 100,
  day_of_month: 28,
  register_digits: 20,

  notes: 1_000,
  note_body: 65_536,
  transactions: 10_000,
  transaction_id: 255,
  transaction_note: 4_096,
  statements: 1_000,

  /** The maximum number of records per page of a list. */
  list: 10_000,
  /** The default `limit` of a list over tRPC. */
  list_default: 1_000,
  /** Calls in one tRPC batch. */
  batch: 10,
  /** Events of one audit trail, the newest. */
  audit_trail: 1_000,

  /** Exclusive maximum of the absolute value of money and quantities: 15 digits survive a JSON number. */
  money: 100_000_000_000,
  money_decimal_places: 2,
  quantity: 100_000_000,
  quantity_decimal_places: 7,
  reading_integer_digits: 12,
  money_integer_digits: 11,
  decimal_string: 64,

  staff_reason: 1_000,
  process_concurrency_limit: 10_000,
} as const;

/** A limit as sentences have it: `1,000`. */
export function limitText(limit: number): string {
  return limit.toLocaleString('en-GB');
}
