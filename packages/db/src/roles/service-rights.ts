/** The rights of the service's role on a table that is not listed below. */
export const USUAL_RIGHTS = ['SELECT', 'INSERT', 'UPDATE'] as const;

type Right = (typeof USUAL_RIGHTS)[number] | 'DELETE' | `UPDATE (${string})`;

const ADD: readonly Right[] = ['SELECT', 'INSERT'];
/** All other columns never change: the owner and the name of a row. */
const addAndChange = (...columns: string[]): readonly Right[] => [...ADD, `UPDATE (${columns.sort().join(', ')})`];
/** Personal data, which is erased on request, and the revision that changes with it. */
const addAndErase = addAndChange;
const ADD_AND_REMOVE: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/**
 * The rights of the service's role, table by table: it owns nothing and cannot change the schema. It cannot remove the
 * rows of an account but by `undo_account`, or change an amount or an audit event. It may remove what expires.
 */
export const SERVICE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  _prisma_migrations: ['SELECT'],
  organisations: ADD,
  operations_teams: ADD,
  // Version 0.1.0 looks there at its start.
  service_secrets: ['SELECT', 'DELETE'],
  import_suppliers: addAndChange(
    'name',
    'status',
    'country',
    'document_root',
    ...['send_customer_emails', 'email_sender', 'email_unsubscribe'],
    'process_concurrency_limit',
    ...['reject_undocumented_fields', 'keep_undocumented_fields', 'empty_means_omitted', 'statement_amount_unit'],
    ...['account_types', 'balance_check', 'bulk_parallelism', 'suspect_data', 'suspect_data_by_code', 'zero_amounts'],
    ...['undo_hours', 'suppliers_may_undo'],
  ),
  api_keys: addAndChange('revoked_at'),
  account_imports: addAndChange(
    ...['state', 'payload', 'payload_removed_at', 'payload_digest', 'erased_at', 'times_staged', 'attempts'],
    ...['last_error', 'skip_reason', 'updated_at', 'failed_at', 'skipped_at', 'completed_at'],
    ...['service_account_number', 'kept_fields', 'adopted_at'],
  ),
  // Those that undo_account writes.
  retired_service_account_numbers: ['SELECT'],
  accounts: addAndErase('billing_name', 'billing_email', 'details', 'revision'),
  customers: addAndErase(
    'title',
    'given_name',
    'family_name',
    'email',
    'mobile',
    'landline',
    'date_of_birth',
    'details',
  ),
  supply_addresses: addAndErase(
    ...[1, 2, 3, 4, 5].map((line) => `supply_address${line}`),
    'supply_postcode',
    'details',
  ),
  meter_points: addAndErase('identifier', 'meters', 'details'),
  payment_schedules: addAndErase('frequency', 'details'),
  notes: addAndErase('body', 'document_paths', 'external_id'),
  transactions: addAndErase(
    'display_note',
    'note',
    'reference',
    'supply_point_identifier',
    'to_prepay_meter_serial_number',
  ),
  statements: addAndErase('statement_path'),
  kept_fields: addAndErase('fields'),
  payment_instructions: addAndChange('vendor', 'reference', 'details', 'created_at'),
  superseded_payment_instructions: addAndErase('reference', 'details'),
  customer_emails: addAndErase(
    ...['address', 'state', 'reason', 'answer', 'attempts', 'template_language', 'template_version'],
    ...['template_failure', 'claim', 'lease_until', 'next_attempt_at', 'updated_at', 'sent_at'],
  ),
  email_templates: ADD,
  email_suppressions: ['SELECT', 'INSERT', 'DELETE', 'UPDATE (address)'],
  email_pace: ['SELECT', 'UPDATE (next_at)'],
  audit_events: ADD,
  account_import_refusals: ADD_AND_REMOVE,
  remark_decisions: ADD_AND_REMOVE,
  meter_point_occupancies: ADD_AND_REMOVE,
  meter_point_cursors: USUAL_RIGHTS,
  meter_point_changes: ['SELECT', 'INSERT', 'DELETE'],
  import_problems: ADD_AND_REMOVE,
  import_problem_accounts: ADD_AND_REMOVE,
  import_problem_changes: ADD_AND_REMOVE,
  incomplete_accounts: ['SELECT'],
  incomplete_account_counts: ADD_AND_REMOVE,
  refusal_settlements: ['SELECT', 'UPDATE (settled_at)'],
  bulk_jobs: addAndChange(
    ...['label', 'options', 'selection', 'state', 'state_reason', 'run', 'run_mode', 'lines', 'report', 'started_at'],
    ...['resumed_at', 'paused_at', 'finished_at', 'files_expire_at', 'files_removed_at', 'next_claim_at', 'run_by'],
  ),
  bulk_parts: ADD,
  bulk_bodies: ['SELECT', 'INSERT', 'DELETE', 'UPDATE (body)'],
  bulk_chunks: ADD_AND_REMOVE,
  bulk_folds: ['SELECT', 'INSERT', 'DELETE'],
  bulk_problems: ADD_AND_REMOVE,
  progress_samples: ADD_AND_REMOVE,
  manifests: addAndChange(
    'state',
    'digest',
    'lodged_before_load',
    'sealed_by',
    'sealed_at',
    'withdrawn_at',
    'withdrawn_reason',
  ),
  manifest_parts: ADD,
  manifest_accounts: ['SELECT', 'INSERT', 'DELETE'],
  reconciliations: addAndChange(
    ...[
      'state',
      'round',
      'read_again',
      'verdict',
      'expected',
      'actual',
      'covered',
      'missing',
      'extra',
      'not_created',
      'skipped',
    ],
    ...['different', 'differences', 'differences_digest', 'moved_ranges', 'report_jws', 'started_at', 'finished_at'],
    ...['signed_off_by', 'signed_off_person', 'signed_off_at', 'signed_off_note', 'undone_before'],
  ),
  events: ['SELECT', 'INSERT', 'DELETE'],
  event_settings: ['SELECT', 'UPDATE (is_recorded)'],
  report_keys: ADD,
  reconciliation_ranges: ADD_AND_REMOVE,
  reconciliation_differences: ADD_AND_REMOVE,
  webhook_endpoints: addAndChange(
    ...['url', 'description', 'event_types', 'import_suppliers', 'state', 'disabled_reason', 'disabled_at'],
    ...['secret', 'previous_secret'],
    ...['previous_secret_until', 'secret_unreadable_since', 'position', 'failures', 'failing_since', 'not_before'],
    ...['last_delivered_at', 'revision', 'lease', 'leased_until', 'worked_at', 'deleted_at'],
  ),
  webhook_deliveries: ADD_AND_REMOVE,
  refresh_tokens: ADD_AND_REMOVE,
  rate_limits: ADD_AND_REMOVE,
  idempotency_keys: ADD_AND_REMOVE,
};
