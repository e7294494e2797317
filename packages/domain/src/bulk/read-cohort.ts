import type { RowOf } from '@causeway/db';
import { accountKey } from '../account-key.ts';
import { decideHistory } from '../bundles/prepare-bundle.ts';
import { DomainError } from '../errors.ts';
import type { ChunkLine } from './chunk-line.ts';
import { refusalOfLine } from './in-step.ts';
import { STAGED_ACCOUNTS } from './staged-accounts.sql.ts';
import { contextOf, type Writing } from './write-context.ts';

/** The part of a cohort's chunk that is done in one transaction. */
export interface CohortPart {
  ids: readonly string[];
  /** The number of the first of them. */
  number: number;
}

/** The accounts of a cohort as they are staged now, with their histories as the rules decide them. */
export async function readCohort(writing: Writing, { ids, number: first }: CohortPart): Promise<ChunkLine[]> {
  const rows = await writing.context.database.query(STAGED_ACCOUNTS, { ids, with_payload: false });
  const found = new Map(rows.map((row) => [row.id, row]));
  const lines = ids.map((id, index) => {
    const row = found.get(id);
    if (row === undefined) throw new Error(`The account import ${id} of a cohort is gone`);
    return cohortLine(writing, first + index, row);
  });
  return Promise.all(lines);
}

async function cohortLine(writing: Writing, number: number, row: RowOf<typeof STAGED_ACCOUNTS>): Promise<ChunkLine> {
  const { external_account_number, times_staged, history, transfer_balance, account_type } = row;
  const key = accountKey(writing.work.import_supplier_code, external_account_number);
  const { customers, supply_points } = row;
  const figures = { transfer_balance, account_type, customers: customers ?? 0, supply_points: supply_points ?? 0 };
  const context = contextOf(writing, { number });
  try {
    const decided = await decideHistory(context, { times_staged, text: history ?? '{}' });
    return { kind: 'staged', number, key, decided, figures };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: 'refused', number, key, refusal: refusalOfLine(error) };
  }
}
