/**
 * The top-level codes of error bodies: stable, published, each with the sentence that says when it is returned
 * (specification 7.2, design 4.3). What a code's HTTP status is, the API's one table says.
 */
export const ERROR_CODES = {
  account_failed_validation: 'The account breaks a rule; `errors` names every field to blame.',
  request_failed_validation: 'The request breaks a rule; `errors` names every field to blame.',

  import_supplier_does_not_exist: 'No import supplier of your organisation has this code.',
  import_supplier_migration_not_ongoing:
    'The import supplier is Paused or Complete and takes no accounts; `detail` says which.',
  import_process_does_not_exist: 'Nothing is staged for this import supplier and external account number.',
  account_import_process_already_imported:
    'The account was created before; the body also has `external_account_number` and `service_account_number`.',
  account_import_process_skipped:
    'The service team marked the account to be skipped, so it cannot be staged or processed.',
  operations_team_name_does_not_exist: 'No operations team that you may use has this name.',
  dry_run_rolled_back: 'The account would have been created; nothing was kept because `dry_run` was true.',
  concurrency_limit_exceeded:
    'As many accounts as the import supplier allows are being processed now; retry after `Retry-After` seconds.',
  account_erased: 'The personal data of the account was erased on request; nothing more can be added to it.',
  account_not_found: 'No account has been created for this import supplier and external account number.',

  transaction_outside_open_statement_period:
    'A transaction lies outside the open statement period and `force_add_to_current_statement` is false; nothing was added.',
  historical_statement_already_exists:
    'A statement with this `statement_id` but other values was imported before; nothing was stored.',
  payment_instruction_already_active: 'A different payment instruction is active on the account.',
  payment_vendor_rejected:
    'The payment vendor does not know the instruction or cannot use it; do not send the same request again.',
  payment_vendor_unavailable:
    'The payment vendor could not be reached or gave no usable answer; retry the same request.',

  not_authenticated: 'The request carries no `Authorization` header.',
  authentication_failed: 'The token is malformed, was not issued by this service, or its API key was revoked.',
  token_expired: 'The token was good and has expired; obtain a new one.',
  permission_denied: 'The token is good, but not for this.',

  idempotency_key_reused: 'Another request was sent with this `Idempotency-Key`; use a new key for a new request.',
  idempotency_key_in_progress:
    'A request with this `Idempotency-Key` is still running; retry after `Retry-After` seconds to get its answer: soon, or within 30 seconds if the instance that ran it died.',

  not_found: 'Nothing answers at this path.',
  method_not_allowed: 'The path exists, but not for this method; `Allow` lists those it takes.',
  unsupported_media_type: 'The body of a POST must be sent as `application/json`.',
  payload_too_large: 'The body, or a batch of calls, is larger than the service accepts.',
  request_timeout: 'The request did not arrive completely in time.',
  invalid_json: 'The body is empty or is not JSON.',
  invalid_utf8: 'The body is not valid UTF-8.',
  nul_character: 'A string of the body contains the character U+0000, which cannot be stored.',
  lone_surrogate: 'A string of the body contains half of a surrogate pair, which is not a character.',
  number_too_precise:
    'A number of the body has more digits than a double keeps, so that another one would be stored; 15 are always kept.',
  duplicate_key: 'An object of the body has the same key twice.',
  forbidden_key: 'An object of the body has the key `__proto__`.',
  too_deep: 'The body is nested more deeply than the service accepts.',
  too_many_values: 'The body has more keys and values than the service accepts.',
  too_many_keys: 'The objects of the body have more different keys than the service accepts.',
  not_an_object: 'The top level of the body must be a JSON object.',
  internal_error:
    'An unexpected error on our side, logged by `X-Request-Id`; the request may have been done: retry it, with `check_previously_added=false` only with the same `Idempotency-Key`.',
  service_unavailable:
    'Starting, stopping, overloaded or without database; the request may have been done: retry it later, with `check_previously_added=false` only with the same `Idempotency-Key`.',

  organisation_does_not_exist: 'No organisation has this id.',
  organisation_already_exists: 'Another organisation has this name.',
  api_key_does_not_exist: 'No API key has this id.',
  last_staff_api_key: 'The API key is the last one of the service team in force, and cannot be revoked.',
  import_supplier_already_exists: 'An import supplier with this code exists; codes are unique over all organisations.',
  import_supplier_status_not_allowed: 'The import supplier cannot go from its present status to the one asked for.',
  operations_team_does_not_exist: 'No operations team has this id.',
  operations_team_already_exists: 'An operations team with this name exists.',
} as const;

/** The code of an error body. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes that blame one field, in `errors[].code`, each with the sentence that says when it is returned (design 4.3). */
export const FIELD_CODES = {
  required: 'The field is missing.',
  null: 'The field is null; an optional field that is not set must be left out.',
  blank: 'The text is empty or only white space.',
  invalid: 'The value has the wrong type or form; `detail` says what is expected.',
  invalid_choice: 'The value is not one of those allowed; `detail` lists them.',
  surrounding_white_space: 'The identifier or name begins or ends with white space.',
  invalid_characters:
    'The text has characters that it cannot have: control characters, line breaks in a single line, invisible or unassigned ones.',
  not_normalised:
    'The identifier or name is not in Unicode normalisation form NFKC, in which what looks the same is the same.',
  max_length: 'The text is too long.',
  min_length: 'The text is too short.',
  max_value: 'The number is too large.',
  min_value: 'The number is too small.',
  max_decimal_places: 'The number has too many decimal places.',
  not_a_list: 'A list is expected.',
  empty: 'The list needs at least one item.',
  max_items: 'The list has too many items.',

  invalid_date: 'Not a real calendar day written YYYY-MM-DD, years 1900 to 2200.',
  invalid_datetime: 'Not a real moment written YYYY-MM-DDTHH:MM:SSZ, years 1900 to 2200.',
  invalid_email: 'Not an e-mail address.',
  invalid_phone_number: "Not a possible phone number in the import supplier's country.",
  invalid_postcode: 'Not a postcode.',
  invalid_country: 'Not an ISO 3166-1 alpha-2 country code in capitals.',
  invalid_document_path: "Not a relative path below the import supplier's document root.",
  date_in_future: 'The date must lie in the past.',
  start_date_later_than_end_date: 'The period starts after it ends.',

  customer_with_unknown_occupier: 'The account has an unknown occupier and customers; it can have only one of them.',
  customer_name_not_found: 'The customer has neither a `given_name` nor a `family_name`.',
  duplicate_user_identifier: 'An earlier customer of the payload has the same `user_identifier`.',
  billing_address_new_style_and_legacy:
    'Both `billing_address` and fields of the legacy form (`billing_address1` to `billing_address5`, `billing_postcode`) are given.',
  meter_with_duplicate_register_ids: 'An earlier register of the meter has the same `register_id`.',
  reading_register_id_not_recognised: 'The reading names a register that the meter does not list.',
  note_body_or_document_path_not_found: 'The note has neither a `body` nor a document path.',
  note_unpin_at_earlier_than_creation_date: 'The note would be unpinned at or before the moment of its creation.',
  undocumented_field: 'The field is not documented, and the import supplier is configured to refuse such fields.',
} as const;

/** A code that blames a field. Where a field is to blame for a top-level error, `errors[].code` repeats that error's code. */
export type FieldCode = keyof typeof FIELD_CODES;
