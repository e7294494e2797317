import type { AccountKey } from '../account-key.ts';
import { refuseReadOnly } from '../api-keys/refuse-read-only.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { RECORD_VIEW } from './record-view.sql.ts';

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
