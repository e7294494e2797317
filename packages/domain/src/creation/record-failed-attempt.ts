import type { AttemptFailure } from '@causeway/contracts';
import { isUnavailable, sql } from '@causeway/db';
import { LeavesTransaction } from '../idempotency/leave-transaction.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';

/**
 * Marks the import FAILED if the attempt itself failed: its team does not exist, or an unexpected error occurred. A
 * refusal that says nothing about this account (paused supplier, busy slots, a database out of reach or full) leaves it
 * staged. Never replaces the original error.
 */
export async function recordFailedAttempt(context: Context, accountImportId: string, error: unknown): Promise<void> {
  const failure = failureOf(error);
  if (failure === undefined) {
    return;
  }
  const values = { ...auditValues(context, accountImportId), error: JSON.stringify(failure) };
  await context.database.query(RECORD_FAILED_ATTEMPT, values).catch(() => undefined);
}

function failureOf(error: unknown): AttemptFailure | undefined {
  if (isUnavailable(error) || error instanceof LeavesTransaction) {
    return undefined;
  }
  if (!(error instanceof DomainError)) {
    const detail = 'The account could not be created because of an unexpected error.';
    return { code: 'internal_error', detail, errors: [] };
  }
  const { code, message: detail, errors } = error;
  return code === 'operations_team_name_does_not_exist' ? { code, detail, errors } : undefined;
}

const RECORD_FAILED_ATTEMPT = sql('record-failed-attempt')`
  WITH failed AS (
    UPDATE account_imports
    SET
      state = 'FAILED',
      attempts = attempts + 1,
      last_error = ${'error'}::jsonb,
      updated_at = ${'at'},
      failed_at = ${'at'}
    WHERE id = ${'id'} AND state IN ('STAGED', 'FAILED')
    RETURNING id
  )
  INSERT INTO audit_events ${AUDITED} 'account_import', 'process_failed', ${'error'}::jsonb
  FROM failed`;
