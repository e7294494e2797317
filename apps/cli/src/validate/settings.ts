/** All that the answer to a line depends on besides the line; as JSON, for the workers and for the report. */
export interface CheckSettings {
  supplier: string;
  country: string;
  time_zone: string;
  /** YYYY-MM-DD in that time zone. */
  today: string;
  undocumented_fields: 'REPORT' | 'REJECT' | 'KEEP';
  empty_means_omitted: boolean;
  statement_amount_unit: 'MAJOR' | 'MINOR';
  account_types: readonly string[];
  balance_check: 'OFF' | 'REPORT' | 'REFUSE';
  /** Those that the service knows; null if any is accepted. */
  payment_vendors: readonly string[] | null;
}
