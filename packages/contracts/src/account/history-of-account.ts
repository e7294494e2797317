import type { FieldError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Note } from '../notes.ts';
import type { Statement } from '../statements.ts';
import type { Transaction } from '../transactions.ts';
import type { AccountPayload } from './account-payload.ts';
import { AccountPaymentInstruction } from './history.ts';

/** The fields of the payload that make it an account with its history. */
export const HISTORY_FIELDS = [
  'notes',
  'transactions',
  'historical_transactions',
  'ledgers',
  'statements',
  'payment_instruction',
  'payment_instructions',
] as const;

type Carrier = Pick<AccountPayload, (typeof HISTORY_FIELDS)[number] | 'last_statement_balance'>;

/** The history of an account, whatever its spelling; what was not sent is empty. */
export interface AccountHistory {
  notes: Note[];
  transactions: Transaction[];
  historical_transactions: Transaction[];
  last_statement_balance: number | string | undefined;
  statements: Statement[];
  payment_instructions: Sent<AccountPaymentInstruction>[];
  paths: HistoryPaths;
}

/** Where a payload has the parts of its history, for the paths of their problems. */
export interface HistoryPaths {
  transactions: string;
  historical_transactions: string;
  last_statement_balance: string;
}

/** A payment instruction, and where it was sent. */
export interface Sent<Instruction> {
  path: string;
  sent: Instruction;
}

/** Reads both spellings (behaviour 4.17); the schema has refused a payload that mixes them. */
export function historyOfAccount(payload: Carrier): AccountHistory {
  const [ledger] = payload.ledgers ?? [];
  const { notes = [], statements = [] } = payload;
  return {
    notes,
    statements,
    payment_instructions: instructionsOf(payload.payment_instruction, payload.payment_instructions),
    transactions: payload.transactions ?? ledger?.current_statement_transactions ?? [],
    historical_transactions: payload.historical_transactions ?? ledger?.historical_statement_transactions ?? [],
    last_statement_balance: payload.last_statement_balance ?? ledger?.last_statement_balance,
    paths: pathsOf(ledger !== undefined),
  };
}

/** A list as it was sent, and where. An item that is no object has no fields. */
export interface SentList {
  path: string;
  /** The schema refuses it for its type or its length: it is read as empty. */
  isRefused: boolean;
  items: Record<string, unknown>[];
}

/** A history as it was sent, valid or not. */
export interface SentHistory {
  transactions: SentList;
  historical_transactions: SentList;
  statements: SentList;
  last_statement_balance: unknown;
  payment_instructions: Sent<Record<string, unknown>>[];
  paths: HistoryPaths;
}

/** Reads the history of a payload that was not validated. */
export function sentHistory(payload: unknown): SentHistory {
  const account = Object(payload) as Record<string, unknown>;
  const [ledger] = itemsOf(account.ledgers, LIMITS.nested);
  const paths = pathsOf(ledger !== undefined);
  const open = ledger === undefined ? account.transactions : ledger.current_statement_transactions;
  const closed = ledger === undefined ? account.historical_transactions : ledger.historical_statement_transactions;
  return {
    transactions: listAt(paths.transactions, open, LIMITS.transactions),
    historical_transactions: listAt(paths.historical_transactions, closed, LIMITS.transactions),
    statements: listAt('statements', account.statements, LIMITS.statements),
    last_statement_balance: (ledger ?? account).last_statement_balance,
    payment_instructions: sentInstructions(account),
    paths,
  };
}

/** The payment instructions of an account or a line that was not validated. */
export function sentInstructions(sent: Record<string, unknown>): Sent<Record<string, unknown>>[] {
  const { payment_instruction: one, payment_instructions: all } = sent;
  return instructionsOf(one === undefined ? one : Object(one), itemsOf(all, LIMITS.payment_instructions));
}

/** The errors of an instruction's own call, its fields at their place in the payload or the line. */
export function errorsBelow(path: string, errors: readonly FieldError[]): FieldError[] {
  const isOwn = ({ attr }: FieldError) => Object.hasOwn(AccountPaymentInstruction.shape, attr);
  return errors.map((error) => (isOwn(error) ? { ...error, attr: `${path}.${error.attr}` } : error));
}

function instructionsOf<Instruction>(one: Instruction | undefined, all: Instruction[] = []): Sent<Instruction>[] {
  if (all.length === 0) return one === undefined ? [] : [{ path: 'payment_instruction', sent: one }];
  return all.map((sent, index) => ({ path: `payment_instructions.${index}`, sent }));
}

function pathsOf(inLedger: boolean): HistoryPaths {
  return {
    transactions: inLedger ? 'ledgers.0.current_statement_transactions' : 'transactions',
    historical_transactions: inLedger ? 'ledgers.0.historical_statement_transactions' : 'historical_transactions',
    last_statement_balance: inLedger ? 'ledgers.0.last_statement_balance' : 'last_statement_balance',
  };
}

function listAt(path: string, list: unknown, maximum: number): SentList {
  const isRefused = list !== undefined && !(Array.isArray(list) && list.length <= maximum);
  return { path, isRefused, items: itemsOf(list, maximum) };
}

/** The items of a list that was sent; none if the schema refuses it for its type or its length. */
export function itemsOf(list: unknown, maximum: number): Record<string, unknown>[] {
  return Array.isArray(list) && list.length <= maximum ? list.map((item) => Object(item)) : [];
}
