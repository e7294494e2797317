import type { OpenRefusal } from '@causeway/contracts';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { OPEN_REFUSALS, type OpenRefusalJson } from './open-refusals.sql.ts';
import { withoutMadeUpNames } from './without-made-up-names.ts';

/** The open refusals and reported problems of an account import, oldest first (behaviour 4.15). */
export async function openRefusals(context: Context, id: string): Promise<OpenRefusal[]> {
  const rows = await context.database.query(OPEN_REFUSALS, { id });
  const refusals = rows.map(({ is_refusal, first_seen_at, last_seen_at, ...row }) => ({
    ...row,
    refused: is_refusal,
    first_seen_at: utcDatetime(first_seen_at),
    last_seen_at: utcDatetime(last_seen_at),
  }));
  return mayOnlyRead(context) ? refusals.map(withoutMadeUpNames) : refusals;
}

/** The same from what a statement that reads more has of them (`REFUSALS_OF_IMPORT`). */
export function openRefusalsOf(found: readonly OpenRefusalJson[] | null): OpenRefusal[] {
  return (found ?? []).map(({ is_refusal, first_seen_at, last_seen_at, ...refusal }) => ({
    ...refusal,
    refused: is_refusal,
    first_seen_at: utcDatetime(new Date(first_seen_at)),
    last_seen_at: utcDatetime(new Date(last_seen_at)),
  }));
}
