import type { AccountPayload } from '@causeway/contracts';
import { STAGE_ACCOUNTS } from '../../account-imports/stage-account.sql.ts';
import { stagingCall } from '../../account-imports/stage-account.ts';
import { creationValues } from '../../creation/account-rows.ts';
import { CREATE_BUNDLES } from '../../creation/create-bundle.sql.ts';
import { type Bundle, bundleValues } from '../../creation/prepare-bundle.ts';
import type { Context } from '../../shared/context.ts';
import type { AccountKey } from '../../shared/derived-id.ts';
import { contextOf, PausesJob, TriesLater, type Writing } from './bulk-work.ts';
import type { AccountChunkLine } from './chunk-line.ts';
import type { AccountFigures } from './line-outcome.ts';

/**
 * Stages the accounts of lines by one statement, without waiting for others. Returns, by their ids, how often each was
 * staged by now; those that it could not stage are missing. Throws `PausesJob` if the import supplier is not ongoing.
 */
export async function stageLines(writing: Writing, lines: readonly AccountChunkLine[]): Promise<Map<string, number>> {
  if (lines.length === 0) return new Map();
  const { context, supplier } = writing;
  const calls = lines.map((line) => {
    const staging = { context: stagingContext(writing, line), supplier, key: line.key };
    return stagingCall(staging, stagedPayload(writing, line));
  });
  const rows = await context.database.query(STAGE_ACCOUNTS, { calls: JSON.stringify(calls), may_wait: false });
  refuseUnlessOngoing(rows);
  return new Map(rows.flatMap(({ id, times_staged }) => (times_staged === null ? [] : [[id, times_staged] as const])));
}

/**
 * What is staged of a line: all of it if it is only staged. An account that is created in the same transaction leaves
 * its history in its rows alone, as the separate calls do: in the payload too it would cost a third of the time.
 */
export function stagedPayload({ work }: Writing, { account }: AccountChunkLine): AccountPayload {
  return work.kind === 'STAGE' ? account.request : withoutHistory(account.request);
}

export function withoutHistory(request: AccountPayload): AccountPayload {
  const {
    notes: _notes,
    transactions: _transactions,
    historical_transactions: _historical,
    ledgers: _ledgers,
    statements: _statements,
    payment_instruction: _instruction,
    payment_instructions: _instructions,
    ...payload
  } = request;
  return payload;
}

/** With the undocumented fields that are kept of the account, and what is doubtful about it. */
export function stagingContext(writing: Writing, line: AccountChunkLine): Context {
  return { ...contextOf(writing, line), undocumented: line.account.kept, remarks: line.account.remarks };
}

/** Without an answer the status is being changed: that takes a moment. */
export function refuseUnlessOngoing(rows: readonly { supplier_status: string | null }[]): void {
  for (const { supplier_status } of rows) {
    if (supplier_status === null) throw new TriesLater('The status of the import supplier is being changed');
    if (supplier_status !== 'ONGOING') throw new PausesJob('import_supplier_not_ongoing');
  }
}

/** A staged account to be created, with its history. */
export interface CreatingLine {
  number: number;
  key: AccountKey;
  bundle: Bundle;
  figures: AccountFigures;
}

/**
 * Creates staged accounts by one statement, without waiting for others: each with its history, all or nothing. Returns,
 * by their ids, the numbers of those that were created. Throws `PausesJob` if the import supplier is not ongoing, or if
 * the operations team does not exist.
 */
export async function createLines(writing: Writing, lines: readonly CreatingLine[]): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map();
  const { context, work, operationsTeamName: operations_team_name } = writing;
  const calls = lines.map((each) => {
    const creation = { ...each.key, operations_team_name, job_id: work.id, has_slot: true };
    const values = creationValues(contextOf(writing, each), creation);
    return { ...values, ...bundleValues(each.bundle, values.service_account_number) };
  });
  const rows = await context.database.query(CREATE_BUNDLES, { calls: JSON.stringify(calls), may_wait: false });
  const checked = rows.filter(({ locked }) => locked);
  refuseUnlessOngoing(checked);
  if (checked.some(({ operations_team_id }) => operations_team_id === null))
    throw new PausesJob('operations_team_gone');
  const created = new Set(rows.filter((row) => row.created).map(({ id }) => id));
  return new Map(
    calls.flatMap(({ id, service_account_number }) => (created.has(id) ? [[id, service_account_number] as const] : [])),
  );
}
