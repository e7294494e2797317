import { sql } from '@causeway/db';
import { refuseReadOnly } from '../api-keys/refuse-read-only.ts';
import { AUDIT_COLUMNS, AUDIT_VALUES, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import type { AccountKey } from '../derived-id.ts';

/**
 * Records that the service team sees personal data of an account, before it does (behaviour 4.16.8). A supplier that
 * reads its own leaves nothing. Refuses a key that may only read.
 */
export async function recordView(context: Context, { id }: AccountKey): Promise<void> {
  if (context.actor.kind === 'staff') {
    refuseReadOnly(context);
    await context.database.query(RECORD_VIEW, auditValues(context, id));
  }
}

/** One event a request, however many pages of the account it reads. */
const RECORD_VIEW = sql('record-view')`
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
  SELECT ${AUDIT_VALUES}, 'account_import', 'payload_viewed'
  WHERE NOT EXISTS (
    SELECT FROM audit_events
    WHERE subject_id = ${'id'} AND action = 'payload_viewed' AND request_id = ${'request_id'}
  )`;
