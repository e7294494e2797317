import type { CheckedRequest, HistoryLine } from '@causeway/book';
import { type AccountHistory, type AccountPayload, historyOfAccount } from '@causeway/contracts';
import { isUnavailable, sql } from '@causeway/db';
import { stageAccount } from '../../account-imports/stage-account.ts';
import { createStagedAccount } from '../../creation/process-account.ts';
import { DomainError } from '../../shared/errors.ts';
import { addHistory, EXISTING_ACCOUNT } from './add-history.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { AccountChunkLine, WritableLine } from './chunk-line.ts';
import { creationOf } from './decide-line.ts';
import { inStep, refusalOfLine } from './in-step.ts';
import { type LineOutcome, refused } from './line-outcome.ts';
import { type CreatingLine, stagedPayload, stagingContext } from './stage-and-create.ts';
import { createdOutcome, stagedOutcome } from './write-together.ts';

/**
 * Writes one line by the use cases of the single calls, all or nothing, and waits for others where those wait. Throws
 * what is neither the line's fault nor a reason to stop: an error of the service, or of the database.
 */
export async function writeOne(writing: Writing, line: WritableLine): Promise<LineOutcome> {
  try {
    const outcome = await writing.context.database.transaction(() => write(writing, line));
    if (outcome === undefined) throw new Error(`Line ${line.number} has no outcome`);
    return outcome;
  } catch (error) {
    if (isUnavailable(error) || !(error instanceof DomainError)) throw error;
    return refused(refusalOfLine(error));
  }
}

async function write(writing: Writing, line: WritableLine): Promise<LineOutcome | undefined> {
  if (line.kind === 'staged') return create(writing, await creationOf(writing, line));
  if (line.kind === 'history') return addHistory(writing, line);
  return writing.work.kind === 'STAGE' ? stagedOutcome(line, await stage(writing, line)) : move(writing, line);
}

async function stage(writing: Writing, line: AccountChunkLine): Promise<number> {
  const payload = stagedPayload(writing, line);
  const context = stagingContext(writing, line);
  const { timesStaged } = await inStep('stage', () => stageAccount(context, payload));
  return timesStaged;
}

/** An account that exists already, exactly as it was sent, is left as it is. */
async function move(writing: Writing, line: AccountChunkLine): Promise<LineOutcome | undefined> {
  try {
    // First: what is there already is neither decided again, nor asked of a payment vendor.
    const times_staged = await stage(writing, line);
    const creation = await creationOf(writing, line);
    return await create(writing, { ...creation, bundle: { ...creation.bundle, times_staged } });
  } catch (error) {
    if (!isImported(error) || !(await isUnchanged(writing, line))) throw error;
    const { service_account_number } = error.extra as { service_account_number: string };
    return { outcome: 'unchanged', service_account_number };
  }
}

async function create(writing: Writing, line: CreatingLine): Promise<LineOutcome | undefined> {
  const { key, bundle } = line;
  const context = contextOf(writing, line);
  const creation = { ...key, operations_team_name: writing.operationsTeamName, has_slot: true };
  const { service_account_number } = await inStep('process', () => createStagedAccount(context, creation, bundle));
  return createdOutcome(line, service_account_number);
}

const isImported = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'account_import_process_already_imported';

/** Thrown to roll back what was done to find out what the account does not have. */
class Tried extends Error {
  override readonly name = 'Tried';
}

/**
 * Whether an account that exists was created from the payload of a line, and has all of its history with the same
 * values, closed and open alike: then the line was moved before. Whatever differs, nothing is written.
 */
export async function isUnchanged(writing: Writing, line: AccountChunkLine): Promise<boolean> {
  const { database } = writing.context;
  const payload = JSON.stringify(stagedPayload(writing, line));
  const [account] = await database.query(EXISTING_ACCOUNT, { ...line.key, payload });
  if (account?.has_payload !== true) return false;
  const carried = historyOfAccount(line.account.request);
  const idsOf = (transactions: readonly { transaction_id: string }[]) =>
    transactions.map(({ transaction_id }) => transaction_id);
  // Where repeats are skipped, as always in closed periods, an id that was sent twice is stored once.
  const open = idsOf(carried.transactions);
  const [periods] = await database.query(HAS_PERIODS, {
    id: line.key.id,
    last_statement_balance: carried.last_statement_balance ?? null,
    open: writing.work.options.check_previously_added ? [...new Set(open)] : open,
    closed: [...new Set(idsOf(carried.historical_transactions))],
  });
  if (periods?.has_all !== true) return false;
  const history = historyLineOf(line.account.request, carried);
  let isSame = false;
  try {
    await database.transaction(async () => {
      const { outcome, differs } = await addHistory(writing, { ...line, kind: 'history', history });
      isSame = outcome === 'unchanged' && !differs;
      throw new Tried();
    });
  } catch (error) {
    if (!(error instanceof Tried || error instanceof DomainError)) throw error;
  }
  return isSame;
}

/** Whether an account's last statement ended so, and its open and closed periods have as many of these transactions. */
const HAS_PERIODS = sql('has-periods', { has_all: 'boolean' })`
  SELECT last_statement_balance IS NOT DISTINCT FROM ${'last_statement_balance'}::numeric AND NOT EXISTS (
    SELECT transaction_id, is_historical
    FROM (
      SELECT unnest(${'open'}::text[]) AS transaction_id, false AS is_historical
      UNION ALL
      SELECT unnest(${'closed'}::text[]), true
    ) AS sent
    EXCEPT ALL
    SELECT transaction_id, is_historical
    FROM transactions
    WHERE account_import_id = ${'id'}
  ) AS has_all
  FROM accounts
  WHERE account_import_id = ${'id'}`;

/** The history that a payload carries, as the separate imports take it. */
function historyLineOf(
  { import_supplier, external_account_number }: AccountPayload,
  carried: AccountHistory,
): HistoryLine {
  const { notes, statements, transactions, historical_transactions } = carried;
  const named = { import_supplier, external_account_number, dry_run: false };
  const all = [...historical_transactions, ...transactions];
  const asUsual = { check_previously_added: true, force_add_to_current_statement: true };
  return {
    kind: 'history',
    external_account_number,
    control: undefined,
    ...(notes.length > 0 && { notes: checked({ ...named, notes }) }),
    ...(all.length > 0 && { transactions: checked({ ...named, ...asUsual, transactions: all }) }),
    ...(statements.length > 0 && { statements: checked({ ...named, statements }) }),
    payment_instructions: carried.payment_instructions.map(({ sent }) => checked({ ...named, ...sent })),
  };
}

function checked<Request>(request: Request): CheckedRequest<Request> {
  return { request, kept: undefined, undocumented: undefined, remarks: [] };
}
