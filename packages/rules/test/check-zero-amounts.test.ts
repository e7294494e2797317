import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkZeroAmounts, isZeroAmount } from '../src/check-zero-amounts.ts';

const OMIT = { importSupplier: { zero_amounts: 'OMIT' as const } };

test('2.5.10 an amount is zero however it is spelled', () => {
  for (const zero of [0, -0, '0', '0.00', '-0.00', '000']) expect(isZeroAmount(zero)).toBe(true);
  for (const other of [0.01, '0.01', '', '-', 'x', null, undefined, [], false]) expect(isZeroAmount(other)).toBe(false);
});

test('2.5.10 a call with transactions of zero is refused where they are omitted, each by its path', () => {
  const [zero, other] = [{ amount: '0.00' }, { amount: 1 }];
  const account = { transactions: [other, zero], historical_transactions: [zero] };
  expect(checkZeroAmounts(account, OMIT)).toMatchObject([
    { attr: 'historical_transactions.0.amount', code: 'zero_amount' },
    { attr: 'transactions.1.amount', code: 'zero_amount' },
  ]);
  for (const importSupplier of [{}, { zero_amounts: 'KEEP' as const }]) {
    expect(checkZeroAmounts(account, { importSupplier })).toEqual([]);
  }
});

test('2.5.10 whatever is sent, nothing is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const request of [value, { transactions: value }, { transactions: [value] }]) {
        expect(Array.isArray(checkZeroAmounts(request, OMIT))).toBe(true);
      }
    }),
  );
});
