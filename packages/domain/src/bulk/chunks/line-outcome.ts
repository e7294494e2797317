import type { LineRefusal } from '@causeway/book';
import { type ImportOperation, moneyText, type StepResult } from '@causeway/contracts';

/** What of an account counts for the sums of a job. */
export interface AccountFigures {
  transfer_balance: string | null;
  account_type: string | null;
  customers: number;
  supply_points: number;
}

/** What a line has added, for the sums. Amounts are decimal, in the major unit. */
export interface Added {
  account?: AccountFigures;
  transactions?: readonly { type: string; amount: string | number }[];
  statements?: readonly { gross_amount?: string | number | null | undefined }[];
  notes?: number;
  /** The same as `transactions` and `statements`, added up already. */
  totals?: Pick<SumsJson, 'transactions' | 'statements'>;
  /** Transactions of zero that were left out. */
  omitted?: number;
}

/** How many items of a step were new, and how many the account had. */
export type StepCounts = Partial<Record<ImportOperation, StepResult>>;

/** What happened to a line. */
export interface LineOutcome {
  outcome: 'created' | 'updated' | 'unchanged' | 'undone' | 'refused' | 'failed';
  service_account_number?: string;
  steps?: StepCounts;
  /** Of one that was refused or failed. */
  refusal?: LineRefusal;
  added?: Added;
  /** What the account had already has other values than were sent. */
  differs?: boolean;
}

export function refused(refusal: LineRefusal): LineOutcome {
  return { outcome: 'refused', refusal };
}

/** How many lines of a chunk have which outcome; none may be absent. They add up to its `cursor`. */
export type CountsJson = Partial<Record<LineOutcome['outcome'], number>>;

export function count(before: CountsJson, outcomes: readonly LineOutcome[]): CountsJson {
  const counts = { ...before };
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The sums of a chunk as its row has them: what is zero is absent, and money is a decimal string. */
export interface SumsJson {
  transfer_balance_credit?: string;
  transfer_balance_debit?: string;
  transactions?: Record<string, { count: number; amount: string }>;
  statements?: { count: number; gross: string };
  notes?: number;
  customers?: number;
  supply_points?: number;
  omitted_transactions?: number;
  account_types?: Record<string, number>;
}

/** Adds up what lines have added to what was added before; exactly. */
export function addUp(before: SumsJson, all: readonly Added[]): SumsJson {
  const sums = structuredClone(before);
  for (const { account, transactions = [], statements = [], notes = 0, totals = {}, omitted = 0 } of all) {
    addTotals(sums, totals);
    if (account !== undefined) addAccount(sums, account);
    for (const { type, amount } of transactions) addTransaction(sums, type, amount);
    for (const { gross_amount } of statements) addStatement(sums, gross_amount);
    if (omitted > 0) sums.omitted_transactions = (sums.omitted_transactions ?? 0) + omitted;
    if (notes > 0) sums.notes = (sums.notes ?? 0) + notes;
  }
  return sums;
}

function addTotals(sums: SumsJson, { transactions = {}, statements }: Pick<SumsJson, 'transactions' | 'statements'>) {
  for (const [type, { count, amount }] of Object.entries(transactions)) {
    const before = sums.transactions?.[type];
    const total = { count: (before?.count ?? 0) + count, amount: plus(before?.amount, amount) };
    sums.transactions = { ...sums.transactions, [type]: total };
  }
  if (statements === undefined || statements.count === 0) return;
  const { count, gross } = sums.statements ?? { count: 0, gross: ZERO };
  sums.statements = { count: count + statements.count, gross: plus(gross, statements.gross) };
}

function addAccount(sums: SumsJson, account: AccountFigures): void {
  const { transfer_balance, account_type, customers, supply_points } = account;
  if (transfer_balance !== null) {
    const which = transfer_balance.startsWith('-') ? 'transfer_balance_debit' : 'transfer_balance_credit';
    const sum = plus(sums[which], transfer_balance);
    if (sum !== ZERO) sums[which] = sum;
  }
  if (account_type !== null) {
    sums.account_types ??= {};
    sums.account_types[account_type] = (sums.account_types[account_type] ?? 0) + 1;
  }
  if (customers > 0) sums.customers = (sums.customers ?? 0) + customers;
  if (supply_points > 0) sums.supply_points = (sums.supply_points ?? 0) + supply_points;
}

function addTransaction(sums: SumsJson, type: string, amount: string | number): void {
  sums.transactions ??= {};
  const before = sums.transactions[type];
  sums.transactions[type] = { count: (before?.count ?? 0) + 1, amount: plus(before?.amount, amount) };
}

/** One without a gross amount is counted, and adds nothing. */
function addStatement(sums: SumsJson, gross: string | number | null | undefined): void {
  const { statements: before } = sums;
  sums.statements = { count: (before?.count ?? 0) + 1, gross: plus(before?.gross, gross ?? ZERO) };
}

export const ZERO = '0.00';

/** The sum of two amounts with at most two decimals. */
export function plus(sum: string | undefined, amount: string | number): string {
  return textOf(penniesOf(sum ?? ZERO) + penniesOf(amount));
}

function penniesOf(amount: string | number): bigint {
  return BigInt(moneyText(amount).replace('.', ''));
}

function textOf(pennies: bigint): string {
  const digits = (pennies < 0n ? -pennies : pennies).toString().padStart(3, '0');
  return `${pennies < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
