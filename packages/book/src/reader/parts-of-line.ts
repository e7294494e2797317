import { type BookControl, type FieldError, type ImportOperation, sentInstructions } from '@causeway/contracts';
import { controlErrors } from '../figures/check-control.ts';
import { figuresOfLine } from '../figures/figures-of-line.ts';
import { accountNumberIn } from './account-number-of.ts';
import { errorsOfLine } from './check-account-line.ts';
import { errorsOfInstructions, NOTHING } from './check-history-line.ts';
import type { AccountLine, BookSettings, LineRefusal, RefusedLine } from './checked-line.ts';
import { fieldsOfLine, isFields, type LineFields } from './line-fields.ts';
import { parseLine } from './parse-line.ts';
import { refusedLine } from './refused-line.ts';
import { type WithoutZeros, withoutZeros } from './zero-amounts.ts';

type Fields = Record<string, unknown>;

/** A line taken apart for the single-account calls, which check what is in the parts. */
export interface PartsOfLine {
  external_account_number: string | undefined;
  /** The account as validate and stage take it; undefined if the line adds history to one that exists. */
  account: Fields | undefined;
  /** What the calls of each import take beside the names of the account. */
  history: { [Import in ImportOperation]?: Fields[] };
  /** What is in the parts no more. */
  zeros: Pick<WithoutZeros<unknown>, 'omitted' | 'places'>;
}

type Settings = Pick<BookSettings, 'maxLineBytes'> & {
  importSupplier: Pick<BookSettings['importSupplier'], 'code' | 'empty_means_omitted' | 'zero_amounts'>;
};

/**
 * Takes a line apart (behaviour 21.1): refuses what no call would notice, such as a line that is not JSON, a field in
 * two places or in the wrong one, and a `control` that differs.
 */
export function partsOfLine(bytes: Buffer, settings: Settings): PartsOfLine | RefusedLine {
  const parsed = parseLine(bytes, settings.maxLineBytes);
  if ('refusal' in parsed) return refusedAsRead(parsed.refusal);
  const fields = fieldsOfLine(parsed.object, settings);
  const { account, control } = fields;
  const external_account_number = accountNumberIn(parsed.object);
  const parts = account === undefined ? historyParts(fields) : accountParts(fields);
  const errors = [...errorsOf(fields, settings), ...(control === undefined ? [] : controlErrorsOf(parts, control))];
  if (errors.length === 0) return { external_account_number, ...partsWithoutZeros(parts, settings) };
  const code = account === undefined ? 'request_failed_validation' : 'account_failed_validation';
  return refusedLine({ step: 'validate', code, sent: parsed.object }, { all: errors });
}

const refusedAsRead = (refusal: LineRefusal): RefusedLine => {
  return { refusal, external_account_number: undefined };
};

function errorsOf(fields: LineFields, settings: Settings): FieldError[] {
  const { account, history, errors } = fields;
  if (isFields(account)) return [...errorsOfLine(account, fields, settings), ...errorsOfInstructions(fields)];
  const isNothing = account === undefined && Object.keys(history).length === 0;
  return [...errors, ...(isNothing ? [NOTHING] : []), ...errorsOfInstructions(fields)];
}

type Parts = Pick<PartsOfLine, 'account' | 'history'>;

/** Undocumented fields of the line are the account's. What is no object is left to validate. */
function accountParts({ account, history, others }: LineFields): Parts {
  return { account: isFields(account) ? { ...account, ...others } : (account as Fields), history: requests(history) };
}

/** Those of a line without an account go with its first import. */
function historyParts({ history: sent, others }: LineFields): Parts {
  const history = requests(sent);
  const [first] = Object.values(history);
  if (first !== undefined) first[0] = { ...others, ...first[0] };
  return { account: undefined, history };
}

function requests(history: Fields): PartsOfLine['history'] {
  const { payment_instruction: _one, payment_instructions: _all, ...lists } = history;
  const imports = Object.entries(lists).map(([name, list]) => [name, [{ [name]: list }]]);
  const instructions = sentInstructions(history).map(({ sent }) => sent);
  return { ...Object.fromEntries(imports), ...(instructions.length > 0 && { payment_instruction: instructions }) };
}

/** Their paths do not collide: a list is in the account, or beside it. An import of nothing is left out. */
function partsWithoutZeros(
  { account, history }: Parts,
  { importSupplier }: Settings,
): Omit<PartsOfLine, 'external_account_number'> {
  const own = withoutZeros(isFields(account) ? account : {}, importSupplier);
  const [sent = {}] = history.transactions ?? [];
  const beside = withoutZeros(sent, importSupplier);
  const { transactions: _all, ...others } = history;
  const zeros = { omitted: own.omitted + beside.omitted, places: new Map([...own.places, ...beside.places]) };
  const isNothing = beside.omitted > 0 && (beside.fields.transactions as unknown[]).length === 0;
  return {
    account: own.omitted > 0 ? own.fields : account,
    history: beside.omitted === 0 ? history : isNothing ? others : { ...history, transactions: [beside.fields] },
    zeros,
  };
}

/** Lists that are none are refused by the call that takes them. */
function controlErrorsOf({ account, history }: Parts, control: BookControl): FieldError[] {
  const { notes = [], transactions = [], statements = [] } = history;
  const own = isFields(account) ? account : {};
  const request: Fields = Object.assign({}, own, ...notes, ...transactions, ...statements);
  const lists = ['notes', 'transactions', 'historical_transactions', 'statements'].map((name) => request[name] ?? []);
  if (!lists.every((list) => Array.isArray(list) && list.every(isFields))) return [];
  return controlErrors(control, () =>
    figuresOfLine({ kind: 'account', account: { request } } as unknown as AccountLine),
  );
}
