import { moneyText } from '@causeway/contracts';
import type { AccountFigures, Added } from './line-outcome.ts';

/** The sums of a chunk as its row has them: what is zero is absent, and money is a decimal string. */
export interface SumsJson {
  transfer_balance_credit?: string;
  transfer_balance_debit?: string;
  transactions?: Record<string, { count: number; amount: string }>;
  statements?: { count: number; gross: string };
  notes?: number;
  customers?: number;
  supply_points?: number;
  account_types?: Record<string, number>;
}

/** Adds up what lines have added to what was added before; exactly. */
export function addUp(before: SumsJson, all: readonly Added[]): SumsJson {
  const sums = structuredClone(before);
  for (const { account, transactions = [], statements = [], notes = 0 } of all) {
    if (account !== undefined) addAccount(sums, account);
    for (const { type, amount } of transactions) addTransaction(sums, type, amount);
    for (const { gross_amount } of statements) addStatement(sums, gross_amount);
    if (notes > 0) sums.notes = (sums.notes ?? 0) + notes;
  }
  return sums;
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
