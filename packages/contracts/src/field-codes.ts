/**
 * The field codes, in `errors[].code`, each with the sentence that says when it is returned (behaviour 7.2).
 */
export const FIELD_CODES = {
  required: 'The field is missing.',
  null: 'The field is null; an optional field that is not set must be left out.',
  blank: 'The text is empty or only white space.',
  invalid: 'The value has the wrong type or form; `detail` says what is expected.',
  invalid_choice: 'The value is not one of the allowed values; `detail` lists them.',
  surrounding_white_space: 'The identifier or name begins or ends with white space.',
  invalid_characters:
    'The text has characters that are not allowed: control characters, line breaks in a single line, invisible or unassigned characters.',
  not_normalised:
    'The identifier or name is not in Unicode normalisation form NFKC, in which texts that look the same are the same.',
  max_length: 'The text is too long.',
  min_length: 'The text is too short.',
  max_bytes: 'The value is too large as JSON; `detail` says how many bytes it may have.',
  max_value: 'The number is too large.',
  min_value: 'The number is too small.',
  max_decimal_places: 'The number has too many decimal places.',
  not_a_list: 'A list is expected.',
  empty: 'The list needs at least one item.',
  max_items: 'The list has too many items.',

  invalid_date: 'Not a real calendar day written YYYY-MM-DD, years 1900 to 2200. An open end is left out.',
  invalid_datetime: 'Not a real datetime written YYYY-MM-DDTHH:MM:SSZ, years 1900 to 2200.',
  invalid_email: 'Not an e-mail address.',
  invalid_phone_number: "Not a possible phone number in the import supplier's country.",
  invalid_postcode: 'Not a postcode.',
  whole_account_number:
    'The mandate or the payment instruction has the whole number of a bank account, which belongs to the payment vendor; send the last four digits, in a mandate.',
  invalid_country: 'Not an ISO 3166-1 alpha-2 country code in capitals.',
  invalid_document_path: "Not a relative path below the import supplier's document root.",
  date_in_future: 'The date or datetime is in the future; a date of birth must be before today.',
  start_date_later_than_end_date: 'The period starts after it ends.',

  customer_with_unknown_occupier:
    'The account has both an unknown occupier and customers; only one of them is allowed.',
  customer_name_not_found: 'The customer has no `given_name`, `family_name` or `company_name`.',
  duplicate_user_identifier: 'An earlier customer of the payload has the same `user_identifier`.',
  billing_address_new_style_and_legacy:
    'Both `billing_address` and fields of the legacy form (`billing_address1` to `billing_address5`, `billing_postcode`) are given.',
  supply_address_new_style_and_legacy:
    'Both `supply_address` and fields of the legacy form (`supply_address1` to `supply_address5`, `supply_postcode`) are given.',
  meter_point_identifiers_differ: 'The `identifier` and the `mpxn` of the meter point are not the same.',
  duplicate_meter_point: 'An earlier meter point of the supply address has the same `identifier`.',
  duplicate_meter:
    'An earlier meter of the meter point has the same `meter_serial_number`, and neither of them was removed.',
  meter_with_duplicate_register_ids: 'An earlier register of the meter has the same `register_id`.',
  reading_register_id_not_recognised:
    'The reading names a register that the meter does not list. Zeros in front count: `01` is not `1`.',
  note_body_or_document_path_not_found: 'The note has neither a `body` nor a document path.',
  note_unpin_at_earlier_than_creation_date: 'The note would be unpinned at or before its creation.',
  contradicts_another_field: 'The value contradicts that of another field; `detail` names it.',
  history_spelled_twice:
    'A part of the history is given in two spellings, such as `transactions` and `ledgers`; only one of them is allowed.',
  historical_transaction_not_billed:
    'The historical transaction is dated after `last_billed_to_date`, or after today: it is not closed history.',
  undocumented_fields_too_large:
    'The undocumented fields of the account, which the import supplier is configured to keep, are too large together.',
  repeated_with_other_values:
    'An earlier item of the request has the same identifier, but another value of this field.',
  undocumented_field:
    'The field is not documented, and the import supplier is configured to refuse such fields; or it is `dry_run` in a call that has no dry run.',
  differs_from_stored: 'The account exists already, and has another value of this field; nothing was changed.',
  damaged_number:
    'The identifier looks like a number that a spreadsheet has changed, which the import supplier is configured to refuse.',
  placeholder:
    'The value stands for a missing one, such as `NULL` or `#N/A`, which the import supplier is configured to refuse.',
  wrongly_decoded_text: 'The text was read in a wrong encoding, which the import supplier is configured to refuse.',
  unlikely_meter_point:
    'The identifier has not the form or check digit of its country, which the import supplier is configured to refuse.',
  unlikely_reading_date:
    'A reading is in the future, or of a day on which its meter or the customer was not there, which the import supplier is configured to refuse.',
  falling_reading:
    'A reading is lower than an earlier one of its register, which the import supplier is configured to refuse.',
  unlikely_postcode: 'The postcode has not the form of its country, which the import supplier is configured to refuse.',
  unusual_email_address:
    'The e-mail address has points that no standard allows, which the import supplier is configured to refuse.',
  repeated_meter_serial_number:
    'An earlier meter of the meter point has the same serial number, which the import supplier is configured to refuse.',
  control_differs:
    'A count or a sum is not what was expected: the `control` of a line, or a total of a manifest; `detail` has both figures.',
  zero_amount:
    'The amount of the transaction is zero, and the import supplier is configured to leave such transactions out: only bulk jobs and `causeway move` do so.',
  balance_does_not_add_up:
    'The amount is not the sum of its parts, and the import supplier is configured to refuse that; `detail` has both sums.',
} as const;

/**
 * The code of a field at fault. If a field is at fault for a top-level error, `errors[].code` repeats that error's
 * code.
 */
export type FieldCode = keyof typeof FIELD_CODES;
