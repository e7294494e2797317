import { fragment, sql } from '@causeway/db';
import { LRUCache } from 'lru-cache';
import { HISTORY } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import type { AccountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { type Bundle, type CarriedHistory, decideHistory } from './prepare-bundle.ts';

/** The history that a payload carries, with what its rules depend on, as text; NULL if it carries none. */
export const HISTORY_TEXT = fragment`CASE WHEN payload ?| ${HISTORY} THEN (
        SELECT jsonb_object_agg(key, value)::text
        FROM jsonb_each(payload)
        WHERE key IN ('last_billed_to_date', 'last_statement_balance') OR key = ANY (${HISTORY})
      ) END`;

/**
 * The history of each account that was staged, without a lock: what is written is conditional on `times_staged`. The
 * state is checked then, too; here the plan might look for it instead of the id.
 */
export const READ_HISTORIES = sql('read-histories', {
  id: 'uuid',
  busy: 'boolean',
  times_staged: 'integer',
  history: 'text | null',
})`
  SELECT id, false AS busy, times_staged, ${HISTORY_TEXT} AS history
  FROM account_imports
  WHERE id = ANY (ARRAY(SELECT id FROM json_to_recordset(${'calls'}::json) AS input (id uuid)))`;

const readTogether = groupedStatement(READ_HISTORIES);

/** The import suppliers whose last account carried a history: the next one probably does too. */
const carryHistories = new LRUCache<string, true>({ max: 10_000 });

/** Notes that an account of this import supplier carried a history. */
export function expectHistories(importSupplierCode: string): void {
  carryHistories.set(importSupplierCode, true);
}

/**
 * The decided history of an account, if it is expected to carry one: concurrent calls read theirs together, and
 * `PROCESS_ACCOUNTS` need not look first. Undefined whenever that has to look first after all: the rules refuse the
 * history, but the account's own checks come before them; or a payment vendor is to be asked, which those checks
 * precede too.
 */
export async function foreseeBundle(context: Context, creation: AccountKey): Promise<Bundle | undefined> {
  const { id, import_supplier_code } = creation;
  if (!carryHistories.has(import_supplier_code)) return undefined;
  const row = await readTogether(context.database, { id });
  if (row === undefined) return undefined;
  const { times_staged, history } = row;
  if (history === null) carryHistories.delete(import_supplier_code);
  return history === null ? undefined : decideUnlessRefused(context, { times_staged, text: history });
}

async function decideUnlessRefused(context: Context, carried: CarriedHistory): Promise<Bundle | undefined> {
  try {
    const { bundle, instructions } = await decideHistory(context, carried);
    return instructions.length === 0 ? bundle : undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return undefined;
  }
}
