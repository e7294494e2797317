import type {
  GetAccountImportRequest,
  SkipAccountImportRequest,
  StaffAccountImport,
  UnskipAccountImportRequest,
} from '@causeway/contracts';
import { sql } from '@causeway/db';
import { accountErased } from '../imports/import.ts';
import { AUDITED, type AuditValues, auditValues } from '../shared/audit-values.ts';
import { IS_NAMED } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { eventsOfSkipping } from '../shared/events.sql.ts';
import { findStaffAccountImport } from './staff-account-import.ts';

/**
 * Marks an account to be skipped: it can be neither staged again nor processed (behaviour 4.2). Skipping it again
 * replaces the reason. Answers with the record.
 * Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function skipAccountImport(
  context: Context,
  request: SkipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = { ...keyValues(context, request), reason: request.reason };
  await context.database.query(SKIP_ACCOUNT_IMPORT, values);
  return findUnfinished(context, request);
}

/**
 * Brings a skipped account back into its previous state: pending, or undone; one that is already pending stays so. Answers with the
 * record. Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function unskipAccountImport(
  context: Context,
  request: UnskipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = { ...keyValues(context, request), reason: request.reason ?? null };
  await context.database.query(UNSKIP_ACCOUNT_IMPORT, values);
  return findUnfinished(context, request);
}

function keyValues(
  context: Context,
  { code, external_account_number }: GetAccountImportRequest,
): AuditValues & AccountKey {
  const key = accountKey(code, external_account_number);
  return { ...auditValues(context, key.id), ...key };
}

async function findUnfinished(context: Context, request: GetAccountImportRequest): Promise<StaffAccountImport> {
  const record = await findStaffAccountImport(context, request);
  if (record.state === 'COMPLETED') {
    const { external_account_number, service_account_number } = record;
    throw new DomainError('account_import_process_already_imported', 'This account has already been imported.', {
      attr: 'external_account_number',
      extra: { external_account_number, service_account_number },
    });
  }
  if (record.erased_at !== null) {
    throw accountErased();
  }
  return record;
}

/**
 * Resolves the open refusals, until it is unskipped: nothing is expected of a skipped account. They are resolved at
 * the time of the skipping, by which unskipping knows them, whatever the clocks of instances say.
 */
const SKIP_ACCOUNT_IMPORT = sql('skip-account-import')`
  WITH skipped AS (
    UPDATE account_imports AS import
    SET state = 'SKIPPED', skip_reason = ${'reason'}, updated_at = ${'at'},
      skipped_at = coalesce(skipped_at, ${'at'})
    WHERE id = ${'id'}
      AND ${IS_NAMED}
      AND state <> 'COMPLETED'
      AND erased_at IS NULL
    RETURNING id, import_supplier_code, external_account_number, skipped_at
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'account_import', 'skipped', jsonb_build_object('reason', ${'reason'}::text)
    FROM skipped
  ),
  ${eventsOfSkipping('skipped')},
  resolved AS (
    UPDATE account_import_refusals
    SET resolved_at = skipped.skipped_at
    FROM skipped
    WHERE account_import_id = skipped.id AND resolved_at IS NULL
  )
  SELECT FROM skipped`;

/**
 * Opens the refusals again that a skipping has resolved. Its time is that of its audit event: version 0.1.0 changes
 * `skipped_at` when an account is skipped again.
 */
const UNSKIP_ACCOUNT_IMPORT = sql('unskip-account-import')`
  WITH unskipped AS (
    UPDATE account_imports AS import
    SET
      state = CASE
        WHEN payload IS NULL THEN 'UNDONE'
        WHEN failed_at IS NULL THEN 'STAGED'
        ELSE 'FAILED'
      END::account_import_state,
      skip_reason = NULL,
      updated_at = ${'at'},
      skipped_at = NULL
    WHERE id = ${'id'}
      AND ${IS_NAMED}
      AND state = 'SKIPPED'
      AND erased_at IS NULL
    RETURNING id, import_supplier_code, external_account_number
  ),
  reopened AS (
    UPDATE account_import_refusals
    SET resolved_at = NULL
    FROM unskipped
    WHERE account_import_id = unskipped.id AND resolved_at = ANY (ARRAY(
      SELECT occurred_at FROM audit_events WHERE subject_id = unskipped.id AND action = 'skipped'
    ))
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'account_import', 'unskipped',
      jsonb_strip_nulls(jsonb_build_object('reason', ${'reason'}::text))
    FROM unskipped
  ),
  ${eventsOfSkipping('unskipped')}
  SELECT FROM unskipped`;
