/** Everything that is published of one remark: what is doubtful and stored nevertheless (behaviour 4.15.10). */
export interface RemarkRow {
  /** When it is remarked. */
  when: string;
  /** One sentence: its usual cause. */
  cause: string;
  /** What the supplier does next. */
  remedy: string;
  /** Whether a migration is not ready until it is fixed or a person has decided about it. */
  keepsFromReady: boolean;
  /** What is remembered of an account that has it. */
  example: {
    operation: 'stage' | 'notes' | 'transactions';
    errors: readonly string[];
    detail: Record<string, string> | null;
  };
}

const CORRECT =
  'Correct the value at its source and send it again; after the account is created, ask the service team. If it is right as it is, tell the service team, who accept it with a reason.';

/** Doubtful data by code. What an import supplier's `suspect_data` says of a code decides whether it is refused instead. */
export const REMARKS = {
  existing_data_differs: {
    when: 'The account already has a note or transaction with this identity, and its other values are not those that were sent. It was skipped: what is stored was not changed.',
    cause: 'It was corrected after it was imported, or two of them have the same identifier.',
    remedy:
      'Read back what is stored and compare the fields that `errors` names. If the stored values are right, send those, which resolves the remark; if they are wrong, ask the service team; if there are two, send the second with an identifier of its own.',
    keepsFromReady: true,
    example: { operation: 'transactions', errors: ['transactions.*.amount'], detail: null },
  },
  undocumented_field: {
    when: 'A field that is not documented was sent. Nothing of it was stored.',
    cause: 'Its name is misspelt, it is of another version, or there is no place for it.',
    remedy:
      'Compare its name with the documentation. If you need it and it has no place, the service team can have such fields kept.',
    keepsFromReady: false,
    example: { operation: 'stage', errors: ['customers.*.*'], detail: null },
  },
  transaction_date_moved: {
    when: 'The date of a transaction is outside the open statement period. It is stored on the nearest day of the period; its description and a pinned note of the account have the date that was sent.',
    cause: 'It is on a statement already, or `last_billed_to_date` is missing or wrong.',
    remedy:
      'What is on a statement already belongs in `historical_transactions`. Send `last_billed_to_date`, or correct it. If the transaction is only late, nothing needs to be done.',
    keepsFromReady: false,
    example: { operation: 'stage', errors: ['transactions.*.transaction_date'], detail: null },
  },
  balance_does_not_add_up: {
    when: 'The amount is not the sum of its parts, and was accepted as it is. `transfer_balance` is the `last_statement_balance` with the transactions since then, `last_statement_balance` is all `historical_transactions`, and the `amount` of a supply charge is its lines and taxes.',
    cause:
      'A transaction is missing or is in the wrong list, an amount has the wrong sign, or a line or tax of a supply charge was left out.',
    remedy:
      'Compare the two sums in `detail` and correct the data. Stage the account again while it does not exist, which resolves the remark; afterwards ask the service team.',
    keepsFromReady: true,
    example: {
      operation: 'stage',
      errors: ['transfer_balance'],
      detail: { sent: '-48.20', computed: '-48.02' },
    },
  },
  damaged_number: {
    when: 'An identifier looks like a number that a spreadsheet has changed: `123.0`, `1.2E+12`, or zeros behind the fifteenth digit.',
    cause: 'A file was opened and saved by a spreadsheet, or a column of numbers had an empty cell.',
    remedy: CORRECT,
    keepsFromReady: true,
    example: { operation: 'stage', errors: ['supply_addresses.*.meter_points.*.identifier'], detail: null },
  },
  placeholder: {
    when: 'A value is a word that stands for a missing one, such as `nan`, `None`, `NULL`, `#N/A` or `#REF!`, or an e-mail address such as `noemail@noemail.com`.',
    cause: 'A program has written an empty value as text, a formula had an error, or somebody had to type something.',
    remedy: CORRECT,
    keepsFromReady: true,
    example: { operation: 'stage', errors: ['customers.*.family_name'], detail: null },
  },
  wrongly_decoded_text: {
    when: 'A text has characters that come from reading it in a wrong encoding, such as `Ã©`, `â€™` or U+FFFD.',
    cause: 'A file in UTF-8 was read as Windows-1252, or the other way round.',
    remedy: CORRECT,
    keepsFromReady: true,
    example: { operation: 'stage', errors: ['customers.*.given_name'], detail: null },
  },
  unlikely_meter_point: {
    when: 'The identifier of a meter point does not have the length, the form or the check digit that those of its country have.',
    cause: 'A digit was mistyped, leading zeros were lost, or it is the identifier of something else.',
    remedy: CORRECT,
    keepsFromReady: true,
    example: { operation: 'stage', errors: ['supply_addresses.*.meter_points.*.identifier'], detail: null },
  },
  unlikely_postcode: {
    when: 'A postcode does not have the form of the postcodes of its country.',
    cause: 'A leading zero was lost, or the address is in another country than `country` says.',
    remedy: CORRECT,
    keepsFromReady: false,
    example: { operation: 'stage', errors: ['billing_address.postal_code'], detail: null },
  },
  unlikely_reading_date: {
    when: 'A reading has a day that is in the future, or on which its meter was not installed, the customer was not at the address, or the meter point was not supplied.',
    cause:
      'The day was read in a wrong order, such as day and year exchanged, or the reading is of another meter or another customer.',
    remedy: CORRECT,
    keepsFromReady: true,
    example: {
      operation: 'stage',
      errors: ['supply_addresses.*.meter_points.*.meters.*.reading_history.*.reading_date'],
      detail: null,
    },
  },
  falling_reading: {
    when: 'A reading is lower than an earlier one of its register, which does not count in both directions.',
    cause:
      'A decimal point was lost, the reading is of another register or meter, or the register has passed its last number: then `number_of_digits` says so.',
    remedy: CORRECT,
    keepsFromReady: false,
    example: {
      operation: 'stage',
      errors: ['supply_addresses.*.meter_points.*.meters.*.reading_history.*.reading_value'],
      detail: null,
    },
  },
  unusual_email_address: {
    when: 'An e-mail address has points that no standard allows, as some mobile carriers give out: `taro..t@docomo.ne.jp`.',
    cause: 'The address is an old one of a carrier, or a point was typed twice.',
    remedy: CORRECT,
    keepsFromReady: false,
    example: { operation: 'stage', errors: ['customers.*.email'], detail: null },
  },
  repeated_meter_serial_number: {
    when: 'A meter point has two meters with the same serial number, of which at most one is still installed.',
    cause: 'A row for each reading became a meter each, or a meter was removed and installed again.',
    remedy: CORRECT,
    keepsFromReady: false,
    example: {
      operation: 'stage',
      errors: ['supply_addresses.*.meter_points.*.meters.*.meter_serial_number'],
      detail: null,
    },
  },
  meter_point_in_two_accounts: {
    when: 'A meter point is in two accounts of the import supplier at the same time. Both have the remark. It comes some seconds after the account was stored, and ends when either account is staged otherwise, skipped or erased. An account that ends on the day on which the other begins, or before, is a change of occupier.',
    cause:
      'The former customer has no `customer_at_supply_address_to_date`, an account was exported twice, or the identifier stands for a missing one.',
    remedy:
      'Compare the account with `other_accounts` in `detail`. Stage the wrong one again with its own meter point or the day on which its customer left, or have it skipped; after it is created, ask the service team. If both are right, tell the service team, who accept it with a reason.',
    keepsFromReady: true,
    example: {
      operation: 'stage',
      errors: ['supply_addresses.0.meter_points.0.identifier'],
      detail: { other_accounts: 'NW-0001483' },
    },
  },
} as const satisfies Record<string, RemarkRow>;

export type RemarkCode = keyof typeof REMARKS;

/** What rules find in a request, whatever is stored. */
export type DoubtCode = Exclude<RemarkCode, 'existing_data_differs' | 'meter_point_in_two_accounts'>;

/** What has happened to data, told in any case: `suspect_data` decides about the others. */
export const ALWAYS_TOLD = [
  ...(['existing_data_differs', 'undocumented_field', 'transaction_date_moved'] as const),
] satisfies RemarkCode[];

/** Something doubtful that is stored as it was sent: its code, and the path of the field. */
export interface Remark<Code extends RemarkCode = RemarkCode> {
  code: Code;
  attr: string;
  /** What the service computed itself, such as two sums. Never text that was sent. */
  detail?: Readonly<Record<string, string>>;
}
