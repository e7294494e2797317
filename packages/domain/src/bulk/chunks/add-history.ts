import type { CheckedRequest } from '@causeway/book';
import { errorsBelow, type ImportTransactionsResponse, type Statement } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { LOCK_ACCOUNT } from '../../imports/statement.sql.ts';
import { importNotes } from '../../notes/import-notes.ts';
import { importPaymentInstruction } from '../../payment-instructions/import-payment-instruction.ts';
import { IS_NAMED } from '../../shared/conditions.sql.ts';
import type { Context } from '../../shared/context.ts';
import { DomainError } from '../../shared/errors.ts';
import { inMajorUnit } from '../../statements/decide-statements.ts';
import { importStatements } from '../../statements/import-statements.ts';
import { importTransactions } from '../../transactions/import-transactions.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { HistoryChunkLine } from './chunk-line.ts';
import { inStep } from './in-step.ts';
import type { Added, LineOutcome, StepCounts } from './line-outcome.ts';

/** What one import has added. */
interface Step {
  counts: StepCounts;
  added: Added;
  /** Something of it is known with other values. */
  differs?: boolean;
}

/**
 * Adds the history of a line to an account that exists, by the separate imports in their order, all or nothing. The
 * account is locked first: what is counted as added is what was added.
 */
export async function addHistory(writing: Writing, line: HistoryChunkLine): Promise<LineOutcome> {
  const { database } = writing.context;
  await database.query(LOCK_ACCOUNT, { id: line.key.id });
  const done: Step[] = [];
  for (const add of [addNotes, addTransactions, addStatements, addInstructions]) {
    const step = await add(writing, line);
    if (step !== undefined) done.push(step);
  }
  const [account] = await database.query(EXISTING_ACCOUNT, line.key);
  const number = account?.service_account_number ?? undefined;
  const counts = done.flatMap((step) => Object.values(step.counts));
  const hasFilled = counts.some(({ filled }) => filled !== undefined);
  return {
    outcome: counts.some(({ added }) => added > 0) ? 'created' : hasFilled ? 'updated' : 'unchanged',
    ...(number !== undefined && { service_account_number: number }),
    steps: Object.assign({}, ...done.map(({ counts }) => counts)),
    added: Object.assign({}, ...done.map(({ added }) => added)),
    differs: done.some(({ differs }) => differs),
  };
}

/** The context of one import, with the undocumented fields that are kept of it and what is doubtful about it. */
function importing(writing: Writing, line: HistoryChunkLine, { kept, remarks }: CheckedRequest<unknown>): Context {
  return { ...contextOf(writing, line), undocumented: kept, remarks };
}

async function addNotes(writing: Writing, line: HistoryChunkLine): Promise<Step | undefined> {
  const { notes } = line.history;
  if (notes === undefined) return undefined;
  const results = await inStep('notes', () => importNotes(importing(writing, line, notes), notes.request));
  const added = results.filter(({ status }) => status === 'NOTE_CREATION_SUCCESS').length;
  const counts = { notes: { added, existing: results.length - added, ...countFilled(results) } };
  return { counts, added: { notes: added }, differs: results.some(hasDifferences) };
}

async function addTransactions(writing: Writing, line: HistoryChunkLine): Promise<Step | undefined> {
  const { transactions } = line.history;
  if (transactions === undefined) return undefined;
  const context = importing(writing, line, transactions);
  const { results } = await inStep('transactions', () => importTransactions(context, transactions.request));
  const added = results.flatMap((result) => (isAdded(result) ? [result.transaction_data] : []));
  const counts = { transactions: { added: added.length, existing: results.length - added.length } };
  return { counts, added: { transactions: added }, differs: results.some(hasDifferences) };
}

function countFilled(results: readonly { filled?: string[] | undefined }[]): { filled?: number } {
  const filled = results.filter((result) => result.filled !== undefined).length;
  return filled === 0 ? {} : { filled };
}

const hasDifferences = ({ differences = [] }: { differences?: string[] | undefined }) => differences.length > 0;

const isAdded = ({ status }: ImportTransactionsResponse['results'][number]) =>
  status === 'TRANSACTION_ADDED_TO_ACCOUNT';

const STORED_STATEMENT_IDS = sql('stored-statement-ids', { identifier: 'text' })`
  SELECT statement_id AS identifier
  FROM statements
  WHERE account_import_id = ${'account_import_id'} AND statement_id = ANY (${'identifiers'})`;

async function addStatements(writing: Writing, line: HistoryChunkLine): Promise<Step | undefined> {
  const { statements: checked } = line.history;
  if (checked === undefined) return undefined;
  const context = importing(writing, line, checked);
  const { statements } = checked.request;
  const identifiers = statements.map(({ statement_id }) => statement_id);
  const stored = await context.database.query(STORED_STATEMENT_IDS, { account_import_id: line.key.id, identifiers });
  const answer = await inStep('statements', () => importStatements(context, checked.request));
  const added = statements.filter(isNew(new Set(stored.map(({ identifier }) => identifier))));
  const existing = statements.length - added.length;
  const counts = { statements: { added: added.length, existing, ...countFilled(answer.statements) } };
  return { counts, added: { statements: inMajorUnit(added, writing.supplier) } };
}

/** The first of each id that is not known. */
const isNew = (known: Set<string>) => (statement: Statement) => {
  const isKnown = known.has(statement.statement_id);
  known.add(statement.statement_id);
  return !isKnown;
};

async function addInstructions(writing: Writing, line: HistoryChunkLine): Promise<Step | undefined> {
  const { payment_instructions: instructions } = line.history;
  if (instructions.length === 0) return undefined;
  let existing = 0;
  for (const [index, instruction] of instructions.entries()) {
    const context = importing(writing, line, instruction);
    const { vendor, reference, type } = instruction.request;
    const named = { account_import_id: line.key.id, vendor, reference, type };
    const stored = await context.database.query(STORED_INSTRUCTION, named);
    await inStep('payment_instruction', () =>
      importPaymentInstruction(context, instruction.request).catch((error: unknown) => {
        throw instructions.length > 1 ? ofOneOf(index, error) : error;
      }),
    );
    existing += stored.length;
  }
  return { counts: { payment_instruction: { added: instructions.length - existing, existing } }, added: {} };
}

/** A refusal says which of several instructions it is about. */
function ofOneOf(index: number, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const errors = errorsBelow(`payment_instructions.${index}`, error.errors);
  return new DomainError(error.code, error.message, { errors, cause: error });
}

/** This payment instruction, if it is active: whatever else is stored, it is added or refused. */
const STORED_INSTRUCTION = sql('stored-payment-instruction', { type: 'text' })`
  SELECT type
  FROM payment_instructions
  WHERE account_import_id = ${'account_import_id'} AND type = ${'type'} AND vendor = ${'vendor'} AND reference = ${'reference'}`;

/** The number of an account that exists. */
const EXISTING_ACCOUNT = sql('existing-account', { service_account_number: 'text | null' })`
  SELECT service_account_number
  FROM account_imports AS import
  WHERE id = ${'id'}
    AND ${IS_NAMED}`;
