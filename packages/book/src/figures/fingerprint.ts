import { createHash } from 'node:crypto';
import { moneyText } from '@causeway/contracts';
import type { AccountLine, HistoryLine } from '../reader/checked-line.ts';
import { transactionsOf } from './figures-of-line.ts';

/** 60 bits, as hexadecimal digits: what a database adds up without a carry into the sign. */
const PREFIX_DIGITS = 15;

/**
 * A figure of a line's transactions that is the same in any order, and another one if a transaction is missing, altered
 * or swapped for one of the same amount: the sum of the first 60 bits of SHA-256 of `id|date|type|amount` of each, the
 * date as it was sent, the amount with two decimals. A decimal string.
 */
export function fingerprint(line: AccountLine | HistoryLine): string {
  let sum = 0n;
  for (const { transaction_id, transaction_date, type, amount } of transactionsOf(line)) {
    const text = `${transaction_id}|${transaction_date}|${type}|${moneyText(amount)}`;
    const digest = createHash('sha256').update(text).digest('hex');
    sum += BigInt(`0x${digest.slice(0, PREFIX_DIGITS)}`);
  }
  return sum.toString();
}
