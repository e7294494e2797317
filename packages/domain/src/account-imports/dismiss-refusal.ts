import type { DismissRefusalRequest, OpenRefusal } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { openRefusals } from '../refusals/open-refusals.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { findStaffAccountImport } from './staff-account-import.ts';

/**
 * Resolves an open refusal of a created account, since what was refused is not to come (behaviour 14.6.10). One that was
 * refused again since it was seen stays open. Answers with what is still open. Refuses with `account_not_found`.
 */
export async function dismissRefusal(context: Context, request: DismissRefusalRequest): Promise<OpenRefusal[]> {
  const { code, external_account_number, operation, request_id: refused_by, reason } = request;
  await findStaffAccountImport(context, request);
  const { id } = accountKey(code, external_account_number);
  await context.database.query(DISMISS_REFUSAL, { ...auditValues(context, id), operation, refused_by, reason });
  return openRefusals(context, id);
}

const DISMISS_REFUSAL = sql('dismiss-refusal')`
  WITH dismissed AS (
    UPDATE account_import_refusals
    SET resolved_at = ${'at'}
    WHERE account_import_id = ${'id'} AND operation = ${'operation'} AND reported = ''
      AND request_id = ${'refused_by'} AND resolved_at IS NULL AND is_created
    RETURNING operation, code
  )
  INSERT INTO audit_events ${AUDITED} 'account_import', 'refusal_dismissed',
    jsonb_build_object('operation', operation, 'code', code, 'reason', ${'reason'}::text)
  FROM dismissed`;
