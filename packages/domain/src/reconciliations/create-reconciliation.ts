import { randomUUIDv7 } from 'node:crypto';
import { type CreateReconciliationRequest, LIMITS, type Reconciliation } from '@causeway/contracts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { findManifest, manifestStateNotAllowed } from '../manifests/find-manifest.ts';
import { SHARE_MANIFEST } from '../manifests/manifest.sql.ts';
import {
  CREATE_RECONCILIATION,
  LOCK_RECONCILIATIONS,
  READ_RECONCILIATION_LIMITS,
} from './create-reconciliation.sql.ts';
import { getReconciliation } from './get-reconciliation.ts';
import { rangeBounds } from './range-bounds.ts';

/**
 * Creates a reconciliation of a sealed manifest, which the lanes then run (behaviour 23.5). Refuses with
 * `manifest_does_not_exist`, `manifest_state_not_allowed` if it is not SEALED, and `too_many_reconciliations`.
 */
export async function createReconciliation(
  context: Context,
  { manifest_id }: CreateReconciliationRequest,
): Promise<Reconciliation> {
  const id = randomUUIDv7();
  await context.database.transaction(async (database) => {
    const manifest = await findManifest({ ...context, database }, manifest_id, SHARE_MANIFEST);
    if (manifest.state !== 'SEALED') throw manifestStateNotAllowed(manifest.state, 'cannot be compared');
    const { import_supplier_code } = manifest;
    await database.query(LOCK_RECONCILIATIONS, { import_supplier_code });
    const [limits] = await database.query(READ_RECONCILIATION_LIMITS, { import_supplier_code });
    const { unfinished = 0, all_accounts = 0 } = limits ?? {};
    refuseTooMany(unfinished);
    const bounds = rangeBounds(Math.max(manifest.totals.accounts, all_accounts));
    await database.query(CREATE_RECONCILIATION, {
      ...auditValues(context, id),
      manifest_id: manifest.id,
      import_supplier_code,
      ranges: JSON.stringify(bounds.map((range, index) => ({ number: index + 1, ...range }))),
    });
  });
  return getReconciliation(context, { reconciliation_id: id });
}

function refuseTooMany(unfinished: number): void {
  if (unfinished < LIMITS.reconciliation_unfinished) return;
  const detail = `The import supplier has ${unfinished} reconciliations that have not finished: wait for one.`;
  throw new DomainError('too_many_reconciliations', detail);
}
