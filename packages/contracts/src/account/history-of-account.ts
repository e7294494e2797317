import { LIMITS } from '../limits.ts';
import type { Note } from '../notes.ts';
import type { Statement } from '../statements.ts';
import type { Transaction } from '../transactions.ts';
import type { AccountPayload } from './account-payload.ts';
import type { AccountPaymentInstruction } from './history.ts';

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
  payment_instruction: AccountPaymentInstruction | undefined;
  paths: HistoryPaths;
}

/** Where a payload has the parts of its history, for the paths of their problems. */
export interface HistoryPaths {
  transactions: string;
  historical_transactions: string;
  last_statement_balance: string;
  payment_instruction: string;
}

/** Reads both spellings (behaviour 4.17); the schema has refused a payload that mixes them. */
export function historyOfAccount(payload: Carrier): AccountHistory {
  const [ledger] = payload.ledgers ?? [];
  const [instruction] = payload.payment_instructions ?? [];
  const { notes = [], statements = [], payment_instruction = instruction } = payload;
  return {
    notes,
    statements,
    payment_instruction,
    transactions: payload.transactions ?? ledger?.current_statement_transactions ?? [],
    historical_transactions: payload.historical_transactions ?? ledger?.historical_statement_transactions ?? [],
    last_statement_balance: payload.last_statement_balance ?? ledger?.last_statement_balance,
    paths: pathsOf(ledger !== undefined, instruction !== undefined),
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
  payment_instruction: Record<string, unknown>;
  paths: HistoryPaths;
}

/** Reads the history of a payload that was not validated. */
export function sentHistory(payload: unknown): SentHistory {
  const account = Object(payload) as Record<string, unknown>;
  const [ledger] = itemsOf(account.ledgers, LIMITS.nested);
  const [instruction] = itemsOf(account.payment_instructions, LIMITS.nested);
  const paths = pathsOf(ledger !== undefined, instruction !== undefined);
  const open = ledger === undefined ? account.transactions : ledger.current_statement_transactions;
  const closed = ledger === undefined ? account.historical_transactions : ledger.historical_statement_transactions;
  return {
    transactions: listAt(paths.transactions, open, LIMITS.transactions),
    historical_transactions: listAt(paths.historical_transactions, closed, LIMITS.transactions),
    statements: listAt('statements', account.statements, LIMITS.statements),
    last_statement_balance: (ledger ?? account).last_statement_balance,
    payment_instruction: instruction ?? Object(account.payment_instruction),
    paths,
  };
}

function pathsOf(inLedger: boolean, inList: boolean): HistoryPaths {
  return {
    transactions: inLedger ? 'ledgers.0.current_statement_transactions' : 'transactions',
    historical_transactions: inLedger ? 'ledgers.0.historical_statement_transactions' : 'historical_transactions',
    last_statement_balance: inLedger ? 'ledgers.0.last_statement_balance' : 'last_statement_balance',
    payment_instruction: inList ? 'payment_instructions.0' : 'payment_instruction',
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
