import type { ErrorCode } from '@causeway/contracts';

/**
 * The HTTP status of every error code (specification 7.1, design 4.3). A code without a status does not compile. Where
 * the same code is a 404 for one procedure and a 400 for the others, the procedure says so.
 */
export const ERROR_STATUS = {
  account_failed_validation: 400,
  request_failed_validation: 400,

  import_supplier_does_not_exist: 400,
  import_supplier_migration_not_ongoing: 400,
  import_process_does_not_exist: 400,
  account_import_process_already_imported: 400,
  account_import_process_skipped: 400,
  operations_team_name_does_not_exist: 400,
  dry_run_rolled_back: 400,
  concurrency_limit_exceeded: 429,
  account_erased: 400,
  account_not_found: 400,

  transaction_outside_open_statement_period: 400,
  historical_statement_already_exists: 400,
  payment_instruction_already_active: 400,
  payment_vendor_rejected: 400,
  payment_vendor_unavailable: 500,

  not_authenticated: 401,
  authentication_failed: 401,
  token_expired: 401,
  permission_denied: 403,

  idempotency_key_reused: 422,
  idempotency_key_in_progress: 409,

  not_found: 404,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  payload_too_large: 413,
  request_timeout: 408,
  invalid_json: 400,
  invalid_utf8: 400,
  nul_character: 400,
  lone_surrogate: 400,
  number_too_precise: 400,
  duplicate_key: 400,
  forbidden_key: 400,
  too_deep: 400,
  too_many_values: 400,
  too_many_keys: 400,
  not_an_object: 400,
  internal_error: 500,
  service_unavailable: 503,

  organisation_does_not_exist: 404,
  organisation_already_exists: 409,
  api_key_does_not_exist: 404,
  last_staff_api_key: 409,
  import_supplier_already_exists: 409,
  import_supplier_status_not_allowed: 409,
  operations_team_does_not_exist: 404,
  operations_team_already_exists: 409,
} satisfies Record<ErrorCode, number>;
