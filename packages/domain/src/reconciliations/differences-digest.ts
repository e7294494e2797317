import { createHash } from 'node:crypto';
import { LIMITS } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { READ_DIFFERENCES } from './finish-reconciliation.sql.ts';

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
