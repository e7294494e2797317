import { type SentList, sentHistory } from '@causeway/contracts';
import { exact, exactSum, exactText, HALF_A_PENNY } from './exact-sum.ts';
import type { Doubt } from './remarks/remarks-of.ts';

/**
 * What does not add up in an account with its history (behaviour 4.17.12), computed exactly: the closed history is the
 * last statement's balance; with the transactions since then it is the balance handed over. A sum of which a part was
 * not sent, or is not valid, is not judged; an account without any transactions gets them later.
 */
export function balanceOfAccount(payload: unknown): Doubt[] {
  const { transactions: open, historical_transactions: closed, last_statement_balance, paths } = sentHistory(payload);
  if (closed.items.length === 0 && open.items.length === 0) return [];
  const statement = exact(last_statement_balance);
  const history = closed.items.length > 0 ? balanceOf(closed) : undefined;
  const start = statement ?? history;
  const change = balanceOf(open);
  const end = start === undefined || change === undefined ? undefined : start + change;
  return [
    ...differing(paths.last_statement_balance, statement, history),
    ...differing('transfer_balance', exact(Object(payload).transfer_balance), end),
    ...faultsOfCharges(closed),
    ...faultsOfCharges(open),
  ];
}

/**
 * What does not add up in an import of transactions (behaviour 4.17.13): supply charges, each with its lines and taxes.
 */
export function balanceOfTransactions(request: unknown): Doubt[] {
  const { transactions } = sentHistory({ transactions: Object(request).transactions });
  return faultsOfCharges(transactions);
}

const RAISES = new Set<unknown>(['CREDIT', 'PAYMENT']);

/** How the transactions change the balance, in which credit is positive; a repeat is not added. */
function balanceOf({ items, isRefused }: SentList): bigint | undefined {
  if (isRefused) return undefined;
  const ids = new Set<unknown>();
  let balance = 0n;
  for (const { transaction_id, type, amount } of items) {
    const change = exact(amount);
    if (change === undefined) return undefined;
    if (!ids.has(transaction_id)) balance += RAISES.has(type) ? change : -change;
    ids.add(transaction_id);
  }
  return balance;
}

function differing(attr: string, sent: bigint | undefined, computed: bigint | undefined): Doubt[] {
  if (sent === undefined || computed === undefined || sent === computed) return [];
  const detail = { sent: exactText(sent), computed: exactText(computed) };
  return [{ code: 'balance_does_not_add_up', attr, detail }];
}

function faultsOfCharges({ path, items }: SentList): Doubt[] {
  return items.flatMap((item, index) => (item.type === 'SUPPLY_CHARGE' ? faultOfCharge(item, `${path}.${index}`) : []));
}

/** The lines and taxes are more precise than the amount, which is their sum to the penny, rounded either way. */
function faultOfCharge({ amount, line_items, tax_items = [] }: Record<string, unknown>, path: string): Doubt[] {
  if (!Array.isArray(line_items) || !Array.isArray(tax_items)) return [];
  if (isPlainlyEqual(amount, line_items, tax_items)) return [];
  const parts = [...line_items.map(netAmountOf), ...tax_items.map(amountOf)];
  const [sent, computed] = [exact(amount), exactSum(parts)];
  if (sent === undefined || computed === undefined) return [];
  const difference = sent > computed ? sent - computed : computed - sent;
  return difference <= HALF_A_PENNY ? [] : differing(`${path}.amount`, sent, computed);
}

const netAmountOf = (line: unknown): unknown => Object(line).net_amount;
const amountOf = (tax: unknown): unknown => Object(tax).amount;

const SMALL = 1e9;
/** Far below half a penny, and far above the error of a few hundred additions of small numbers. */
const CLOSE = 0.004;

/** Whether it adds up without any doubt: nearly every charge is JSON numbers, whose sum needs no closer look. */
function isPlainlyEqual(amount: unknown, lines: readonly unknown[], taxes: readonly unknown[]): boolean {
  let rest = small(amount);
  for (const line of lines) rest -= small(netAmountOf(line));
  for (const tax of taxes) rest -= small(amountOf(tax));
  return lines.length + taxes.length < 1_000 && Math.abs(rest) < CLOSE;
}

/** A small JSON number; anything else is not a number. */
function small(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) < SMALL ? value : Number.NaN;
}
