import { createHash } from 'node:crypto';
import {
  LIMITS,
  MASK,
  type ReconciliationDifference,
  type ReconciliationDifferencesRequest,
} from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { mayOnlyRead } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { pageSize } from '../shared/list-page.ts';
import { documentedPart } from '../shared/refused-fields.ts';
import { READ_DIFFERENCES } from './finish-reconciliation.sql.ts';
import { findReconciliation } from './get-reconciliation.ts';
import { LIST_DIFFERENCES } from './reconciliation.sql.ts';

type Position = Pick<ReconciliationDifferencesRequest, 'kind' | 'field' | 'after'>;

/**
 * One page of the differences that a reconciliation found, those of one account together (behaviour 23.5): `limit`
 * (default 1,000) behind `after`. While it runs, those of the ranges that are compared. A key that may only read is
 * shown neither why an account was skipped nor names that are not documented. Refuses with `reconciliation_does_not_exist`.
 */
export async function listReconciliationDifferences(
  context: Context,
  request: ReconciliationDifferencesRequest,
): Promise<{ records: ReconciliationDifference[]; next?: Position }> {
  const { reconciliation_id, kind, field, after } = request;
  const { id, import_supplier_code } = await findReconciliation(context, reconciliation_id);
  const limit = pageSize(request);
  const rows = await context.database.query(LIST_DIFFERENCES, {
    ...{ id, kind: kind ?? null, field: field ?? null, limit: limit + 1 },
    ...(after === undefined ? IN_FRONT : placeOf(import_supplier_code, after)),
  });
  const page = rows.slice(0, limit);
  const records = mayOnlyRead(context) ? page.map(masked) : page;
  const last = records.at(-1);
  if (last === undefined || records.length === rows.length) return { records };
  const position = `${last.external_account_number}/${last.field}`;
  return { records, next: { ...(kind && { kind }), ...(field && { field }), after: position } };
}

function masked(row: ReconciliationDifference): ReconciliationDifference {
  const { reason, problem_attr: attr } = row;
  return { ...row, reason: reason && MASK, problem_attr: attr && documentedPart(attr) };
}

/** Behind the account number and the field, between which is the last slash. */
function placeOf(code: string, after: string): typeof IN_FRONT {
  const slash = after.lastIndexOf('/');
  return { after_id: accountImportId(code, after.slice(0, Math.max(slash, 0))), after_field: after.slice(slash + 1) };
}

/** The place in front of all differences. */
export const IN_FRONT = { after_id: '00000000-0000-0000-0000-000000000000', after_field: '' };

/**
 * The SHA-256 of the stored differences in the order of their list, one line each, which anyone can compute from the
 * list (behaviour 23.5): the JSON array `[external_account_number, kind, field, expected, actual]` and a line feed.
 */
export async function digestOfDifferences(database: Queryable, id: string): Promise<Buffer> {
  const digest = createHash('sha256');
  let place = IN_FRONT;
  for (;;) {
    const rows = await database.query(READ_DIFFERENCES, { id, ...place, limit: LIMITS.list });
    for (const { external_account_number, kind, field, expected, actual } of rows) {
      digest.update(`${JSON.stringify([external_account_number, kind, field, expected, actual])}\n`);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < LIMITS.list) return digest.digest();
    place = { after_id: last.id, after_field: last.field };
  }
}
