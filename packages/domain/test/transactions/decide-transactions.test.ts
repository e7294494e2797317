import type { ImportTransactionsRequest, Transaction } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decideTransactions,
  nearestDayInside,
  openStatementPeriod,
  type TransactionRecord,
  transactionRecord,
} from '../../src/transactions/decide-transactions.ts';

const PERIOD = { from: '2026-04-01', to: '2026-04-20' };

const pence = fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }).filter((amount) => amount !== 0);
// Few ids and days, so that transactions are often known and often outside the period.
const transaction: fc.Arbitrary<Transaction> = fc.record({
  transaction_id: fc.constantFrom('T-1', 'T-2', 'T-3', 'T-4'),
  transaction_date: fc.constantFrom('2026-03-31', '2026-04-01', '2026-04-10', '2026-04-20', '2026-04-21'),
  type: fc.constant('CHARGE' as const),
  amount: pence.map((amount) => amount / 100),
  reason: fc.constant('IMPORTED_CHARGE'),
});
const transactions = fc.array(transaction, { maxLength: 8 });

function request(list: Transaction[], parameters: Partial<ImportTransactionsRequest> = {}): ImportTransactionsRequest {
  return {
    import_supplier: 'NW',
    external_account_number: '1',
    transactions: list,
    check_previously_added: true,
    force_add_to_current_statement: true,
    ...parameters,
  };
}

/** Sums in pence as integers: no rounding can hide in them. */
function sumOf(records: { amount: string }[]): bigint {
  return records.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
}

test('2.5 amount keeps every penny on its way from a number to a decimal string', () => {
  fc.assert(
    fc.property(pence, (amount) => {
      const { amount: text } = transactionRecord({
        transaction_id: 'T-1',
        transaction_date: '2026-04-01',
        type: 'CHARGE',
        reason: 'X',
        amount: amount / 100,
      });
      expect(text).toMatch(/^-?\d{1,11}\.\d{2}$/);
      expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount));
    }),
  );
});

test('4.5 4.5.3 check_previously_added adds the first of each transaction_id, and the same request again adds nothing', () => {
  fc.assert(
    fc.property(transactions, (list) => {
      const { added, response } = decideTransactions(request(list), [], PERIOD);
      const firsts = list.filter(({ transaction_id }, index) => {
        return list.findIndex((other) => other.transaction_id === transaction_id) === index;
      });
      expect(added.map(({ transaction_id }) => transaction_id)).toEqual(firsts.map((first) => first.transaction_id));
      expect(sumOf(added)).toBe(sumOf(firsts.map(transactionRecord)));
      expect(response.results).toHaveLength(list.length);

      const again = decideTransactions(request(list), added, PERIOD);
      expect(again).toMatchObject({ added: [], notes: [] });
      for (const { status, transaction_data } of again.response.results) {
        expect(status).toBe('TRANSACTION_ALREADY_EXISTS');
        expect(transaction_data.status).toBe('TRANSACTION_IMPORT_SUCCESS');
      }
    }),
  );
});

test('4.5 check_previously_added=false adds the same transaction again, whatever is stored', () => {
  fc.assert(
    fc.property(transactions, transactions, (before, list) => {
      const stored = before.map(transactionRecord);
      const { added, response } = decideTransactions(request(list, { check_previously_added: false }), stored, PERIOD);
      expect(sumOf(added)).toBe(sumOf(list.map(transactionRecord)));
      expect(response.results.every(({ status }) => status === 'TRANSACTION_ADDED_TO_ACCOUNT')).toBe(true);
    }),
  );
});

test('4.5 force_add_to_current_statement leaves no date outside, and tells all moves in one note', () => {
  fc.assert(
    fc.property(transactions, (list) => {
      const { added, notes } = decideTransactions(request(list), [], PERIOD);
      const moved = added.filter(({ description }) => description !== undefined);
      expect(added.every(({ transaction_date: date }) => PERIOD.from <= date && date <= PERIOD.to)).toBe(true);
      expect(notes).toHaveLength(moved.length === 0 ? 0 : 1);
      expect(notes.join().match(/sent with/g) ?? []).toHaveLength(moved.length);
      for (const { description, original_transaction_date: date, transaction_date } of moved) {
        expect(date === '2026-03-31' || date === '2026-04-21').toBe(true);
        expect(description).toContain(date);
        expect(description).toContain(transaction_date);
      }
    }),
  );
});

test('4.5 force_add_to_current_statement=false refuses at the first new transaction outside, or changes nothing', () => {
  fc.assert(
    fc.property(transactions, transactions, (before, list) => {
      const stored = decideTransactions(request(before), [], PERIOD).added;
      const asked = request(list, { force_add_to_current_statement: false });
      const isOutside = ({ transaction_date: date }: Transaction) => date < PERIOD.from || date > PERIOD.to;
      const isKnown = ({ transaction_id }: Transaction) =>
        stored.some((record: TransactionRecord) => record.transaction_id === transaction_id);
      const first = list.findIndex((one, index) => {
        const isRepeat = list.slice(0, index).some((other) => other.transaction_id === one.transaction_id);
        return isOutside(one) && !isKnown(one) && !isRepeat;
      });
      if (first === -1) {
        expect(decideTransactions(asked, stored, PERIOD).notes).toEqual([]);
        return;
      }
      expect(() => decideTransactions(asked, stored, PERIOD)).toThrow(
        expect.objectContaining({
          code: 'transaction_outside_open_statement_period',
          errors: [expect.objectContaining({ attr: `transactions.${first}.transaction_date` })],
        }),
      );
    }),
  );
});

const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
test.each([
  ['from the day that the account set', '2026-04-01', { from: '2026-04-01', to: '2026-04-20' }],
  ['with today only, billed to yesterday', '2026-04-20', { from: '2026-04-20', to: '2026-04-20' }],
  ['with today still inside, billed to today', '2026-04-21', { from: '2026-04-20', to: '2026-04-20' }],
])('2.5 the open statement period runs %s', (_what, openStatementFrom, period) => {
  expect(openStatementPeriod(openStatementFrom, '2026-04-20')).toEqual(period);
});

test('2.5 the open statement period is never empty and ends today', () => {
  fc.assert(
    fc.property(day, day, (openStatementFrom, today) => {
      const { from, to } = openStatementPeriod(openStatementFrom, today);
      expect(to).toBe(today);
      expect(from <= to).toBe(true);
    }),
  );
});

test('4.5 an outside date becomes the nearest day of the open statement period, an inside date stays', () => {
  fc.assert(
    fc.property(day, day, day, (one, other, date) => {
      const [from, to] = [one, other].sort() as [string, string];
      const inside = nearestDayInside(date, { from, to });
      const distance = (candidate: string) => Math.abs(Date.parse(candidate) - Date.parse(date));
      expect(from <= inside && inside <= to).toBe(true);
      expect(distance(inside)).toBe(from <= date && date <= to ? 0 : Math.min(distance(from), distance(to)));
    }),
  );
});
