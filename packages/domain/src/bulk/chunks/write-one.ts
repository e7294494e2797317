import type { CheckedRequest, HistoryLine } from '@causeway/book';
import { type AccountHistory, type AccountPayload, historyOfAccount } from '@causeway/contracts';
import { isUnavailable, sql } from '@causeway/db';
import { stageAccount } from '../../account-imports/stage-account.ts';
import { createStagedAccount } from '../../creation/process-account.ts';
import { DomainError } from '../../shared/errors.ts';
import { addHistory } from './add-history.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { AccountChunkLine, WritableLine } from './chunk-line.ts';
import { creationOf } from './decide-line.ts';
import { inStep, refusalOfLine } from './in-step.ts';
import { type LineOutcome, refused } from './line-outcome.ts';
import { type CreatingLine, stagedPayload, stagingContext } from './stage-and-create.ts';
import { undoLines } from './undo-lines.ts';
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
  if (line.kind === 'created') return (await undoLines(writing, [line])).get(line.number);
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
    if (!isImported(error)) throw error;
    const { service_account_number, differences } = error.extra as unknown as AlreadyImported;
    const repeat = differences === undefined ? await outcomeOfRepeat(writing, line) : { differing: differences };
    if ('outcome' in repeat) return { ...repeat, service_account_number };
    return inStep('stage', () => Promise.reject(existsWithOtherData(repeat.differing, error)));
  }
}

async function create(writing: Writing, line: CreatingLine): Promise<LineOutcome | undefined> {
  const { key, bundle } = line;
  const context = contextOf(writing, line);
  const { work, operationsTeamName: operations_team_name } = writing;
  const creation = { ...key, operations_team_name, job_id: work.id, has_slot: true };
  const { service_account_number } = await inStep('process', () => createStagedAccount(context, creation, bundle));
  return createdOutcome(line, service_account_number);
}

const isImported = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'account_import_process_already_imported';

/** Thrown to roll back what was done to find out what the account does not have. */
class Tried extends Error {
  override readonly name = 'Tried';
}

/** What the refusal of an account that exists says beside its sentence. */
interface AlreadyImported {
  service_account_number: string;
  /** The fields in which it was created from something else; absent if it was not. */
  differences?: string[];
}

function existsWithOtherData(differing: readonly string[], cause: DomainError): DomainError {
  const detail = `The account exists already, with other values of ${differing.join(', ')}. Nothing was changed.`;
  const errors = differing.map((attr) => ({ attr, code: 'differs_from_stored', detail: OTHER_VALUE }) as const);
  return new DomainError('account_exists_with_other_data', detail, { errors, cause });
}

const OTHER_VALUE = 'The account has another value of this field.';

/**
 * The outcome of a line that was moved before: the account, created from the same payload, has all of its history with the
 * same values, closed and open alike. Only documents that records lack are added. Otherwise nothing is written: the parts
 * of the history that differ.
 */
async function outcomeOfRepeat(
  writing: Writing,
  line: AccountChunkLine,
): Promise<LineOutcome | { differing: string[] }> {
  const { database } = writing.context;
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
  if (periods?.has_all !== true) return { differing: ['transactions'] };
  const history = historyLineOf(line.account.request, carried);
  let repeat: LineOutcome | { differing: string[] } = { outcome: 'unchanged' };
  try {
    await database.transaction(async () => {
      const added = await addHistory(writing, { ...line, kind: 'history', history });
      const { outcome, differs, steps = {} } = added;
      if (outcome === 'updated' && !differs) {
        repeat = { outcome, steps };
        return;
      }
      if (outcome !== 'unchanged' || differs) repeat = { differing: differingSteps(added) };
      throw new Tried();
    });
  } catch (error) {
    if (error instanceof DomainError && error.code === 'payment_instruction_superseded') throw error;
    if (error instanceof DomainError) return { differing: [error.errors[0]?.attr.split('.')[0] || 'history'] };
    if (!(error instanceof Tried)) throw error;
  }
  return repeat;
}

function differingSteps({ steps = {}, differs }: LineOutcome): string[] {
  const added = Object.entries(steps).flatMap(([step, counts]) =>
    counts !== undefined && counts.added > 0 ? step : [],
  );
  return added.length > 0 || differs !== true ? added : Object.keys(steps);
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
