import type { OpenRefusal, RefusedOperation } from '@causeway/contracts';
import { fragment, narrow, sql } from '@causeway/db';
import { mayOnlyRead } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, withUtcDatetimes } from '../shared/dates.ts';
import { withoutMadeUpNames } from '../shared/refused-fields.ts';

/** An open refusal as JSON has it. */
export type OpenRefusalJson = Omit<OpenRefusal, 'refused'> & { is_refusal: boolean };

/** Of a line, what is open of it. */
const DETAIL = fragment`CASE operation WHEN 'line' THEN nullif(kinds_of_line(refusal), '{}') ELSE detail END AS detail`;

/** The open refusals of the account import `import`, oldest first, as JSON; NULL if there are none. */
export const REFUSALS_OF_IMPORT = fragment`
      SELECT json_agg(to_json(refusal) ORDER BY first_seen_at, operation, is_refusal DESC)
      FROM (
        SELECT operation, reported = '' AS is_refusal, code, errors, ${DETAIL}, times, request_id, first_seen_at, last_seen_at
        FROM account_import_refusals AS refusal
        WHERE account_import_id = import.id AND resolved_at IS NULL
      ) AS refusal`;

export const OPEN_REFUSALS = sql('open-refusals', {
  operation: narrow<RefusedOperation>('text'),
  is_refusal: 'boolean',
  code: narrow<OpenRefusal['code']>('text'),
  errors: narrow<OpenRefusal['errors']>('jsonb'),
  detail: narrow<OpenRefusal['detail']>('jsonb | null'),
  times: 'integer',
  request_id: 'text',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
})`
  SELECT operation, reported = '' AS is_refusal, code, errors, ${DETAIL}, times, request_id, first_seen_at, last_seen_at
  FROM account_import_refusals AS refusal
  WHERE account_import_id = ${'id'} AND resolved_at IS NULL
  ORDER BY refusal.first_seen_at, operation, reported`;

/** The open refusals and remarks of an account import, oldest first (behaviour 4.15). */
export async function openRefusals(context: Context, id: string): Promise<OpenRefusal[]> {
  const rows = await context.database.query(OPEN_REFUSALS, { id });
  const refusals = rows.map(({ is_refusal, ...row }) => ({ ...withUtcDatetimes(row), refused: is_refusal }));
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
