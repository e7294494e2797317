/** Every published limit, defined once. Lengths are counted in Unicode characters. */
export const LIMITS = {
  /** Errors, and undocumented fields, reported in one answer. */
  reported_errors: 100,
  /** How far the problems of one list, and undocumented fields, are counted beyond that. */
  counted_errors: 1_000,
  counted_undocumented_fields: 100_000,

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
  /** Lists that grow with time, such as the lines of a charge and their units. */
  long_list: 10_000,
  agreements: 10_000,
  registers: 10_000,
  readings: 10_000,
  /** Of a meter; the values of each are a `long_list`. */
  interval_readings: 10_000,
  interval_minutes: 1_440,
  consumption_estimates: 10_000,
  title: 20,
  billing_name: 512,
  address_line: 512,
  email: 254,
  email_sender: 400,
  email_unsubscribe: 500,
  email_subject: 300,
  email_text: 20_000,
  email_html: 100_000,
  /** Of what the texts of a template become for a customer: a subject fits on a line of RFC 5322. */
  email_rendered_subject: 998,
  email_rendered_text: 200_000,
  email_rendered_html: 500_000,
  /** Of the words with which a server refused an e-mail. */
  email_answer: 1_000,
  phone_number: 32,
  reference_namespace: 50,
  reference_value: 100,
  metadata_key: 1_024,
  /** Of a value as compact JSON in UTF-8, as all limits in bytes. */
  metadata_value_bytes: 4_096,
  business_fields: 30,
  business_bytes: 16_384,
  additional_data_fields: 10_000,
  additional_data_bytes: 65_536,
  debt_notes: 4_096,
  day_of_month: 31,
  period_length_multiplier: 36,
  industry_code: 999_999,
  register_digits: 20,

  notes: 1_000,
  note_body: 65_536,
  transactions: 10_000,
  transaction_id: 255,
  transaction_note: 4_096,
  statements: 1_000,
  /** Types of payment instruction that an account has at a time. */
  payment_instructions: 20,
  /** Those that were replaced by others, and are kept. */
  superseded_payment_instructions: 100,

  /** The maximum number of records per page of a list. */
  list: 10_000,
  /** Whole lists of more than a page that a caller reads at once. */
  streamed_lists: 10,
  /** The default `limit` of a list over tRPC. */
  list_default: 1_000,
  /** The maximum and the default number of events of one answer. */
  events: 1_000,
  events_default: 100,
  /** The maximum and the default number of problems in a list. */
  problems: 1_000,
  problems_default: 100,
  /** Open refusals of an import supplier's account numbers that were never staged; the oldest go first. */
  refusals_of_unstaged: 100_000,
  /** Calls in one tRPC batch. */
  batch: 10,
  /** Events of one audit trail, the newest. */
  audit_trail: 1_000,

  /** Money, and units, prices and rates, are below 10 to the power of their digits before the point. */
  money_integer_digits: 11,
  money_decimal_places: 2,
  quantity_integer_digits: 8,
  /** Also of money before it is rounded. */
  quantity_decimal_places: 10,
  reading_integer_digits: 12,
  reading_decimal_places: 7,
  decimal_string: 64,

  /** Accounts that one search finds. */
  found_accounts: 50,
  /** Accounts with such a name that are looked at. */
  found_names: 1_000,
  /** Accounts that one call skips. */
  skipped_accounts: 1_000,
  /** Accounts that one call adopts. */
  adopted_accounts: 1_000,
  undo_hours: 720,

  staff_reason: 1_000,
  process_concurrency_limit: 10_000,
  /** Account types that an import supplier adds. */
  account_types: 100,
  /** Bytes of the undocumented fields that are kept of one account. */
  kept_bytes: 262_144,
  /** Paths of kept fields that are counted, those of most accounts. */
  kept_paths: 1_000,

  /** Jobs of an import supplier that have not ended. */
  bulk_unfinished_jobs: 20,
  bulk_parts: 100_000,
  bulk_lines: 100_000_000,
  /** Of one part, after it is decompressed. */
  bulk_part_lines: 10_000,
  bulk_part_bytes: 67_108_864,
  /** What is worked on together. */
  bulk_chunk_lines: 100,
  bulk_chunk_bytes: 1_048_576,
  bulk_parallelism: 16,
  bulk_parallelism_default: 2,
  bulk_accounts_per_second: 10_000,
  /** How often a chunk is tried before its job is paused. */
  bulk_attempts: 5,
  /** The first lines of a job, of which a part may be refused. */
  bulk_first_lines: 10_000,
  /** Of those that a job names. */
  bulk_missing_parts: 100,
  /** Problems of a job, those of most lines. */
  bulk_problems: 1_000,
  /** Of those the names of undocumented fields: the others are counted together. */
  bulk_undocumented_fields: 500,
  /** Points in one answer about the progress of an import supplier. */
  progress_points: 500,

  /** About as many accounts are compared together. */
  reconciliation_range_accounts: 2_000,
  /** Those that are stored; all are counted. */
  reconciliation_differences: 1_000_000,
  /** How often accounts that change meanwhile are compared. */
  reconciliation_rounds: 3,
  /** Reconciliations of an import supplier that have not ended. */
  reconciliation_unfinished: 20,

  /** Manifests of an import supplier that are not withdrawn. */
  manifests: 20,
  manifest_parts: 10_000,
  /** Of a line: what it claims takes a thousand. */
  manifest_line_bytes: 16_384,
  /** Of one account, and of all. */
  manifest_count: 1_000_000,
  manifest_total_count: 1_000_000_000_000,
  sum_integer_digits: 15,
  total_integer_digits: 18,

  /** Of an organisation. */
  webhook_endpoints: 20,
  webhook_url: 2_048,
  webhook_event_types: 50,
  webhook_import_suppliers: 50,
  /** Of the body of a receiver's answer, that are kept. */
  webhook_answer_bytes: 1_024,
  /** Messages of an endpoint that have failed: while there are so many, no further ones are begun. */
  webhook_waiting: 1_000,
  /** Days from the last attempt of a message to the removal of what happened to it. */
  webhook_delivery_days: 30,
  /** The maximum and the default number of messages in a list. */
  webhook_deliveries: 1_000,
  webhook_deliveries_default: 100,
} as const;

const GROUPED = new Intl.NumberFormat('en-GB');

/** A limit as sentences have it: `1,000`. */
export function limitText(limit: number): string {
  return GROUPED.format(limit);
}
