import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figuresOfLine, fingerprint } from '../src/index.ts';
import { aCharge, anAccount, aStatement, lineOf, problemsOf, refusalOf } from './support.ts';

const charges = [aCharge(1), aCharge(2, { amount: '0.10' }), aCharge(3, { amount: -5, type: 'CREDIT' })];
const history = { transactions: charges, statements: [aStatement(1), aStatement(2, { gross_amount: -0.07 })] };

test('21.1.5 figures are exact, and a repeat counts once', () => {
  const line = {
    account: anAccount({ last_billed_to_date: '2026-03-31' }),
    ...history,
    transactions: [...charges, aCharge(2, { amount: '0.10' })],
    notes: [{ body: 'A' }],
  };
  const closed = [aCharge(9, { amount: '99999999999.99', transaction_date: '2026-03-01' })];
  const found = figuresOfLine(lineOf({ ...line, account: { ...line.account, historical_transactions: closed } }));
  expect(found).toEqual({
    notes: 1,
    transactions: 4,
    transactions_sum: '100000000007.39',
    by_type: { CHARGE: { count: 3, amount: '100000000012.39' }, CREDIT: { count: 1, amount: '-5.00' } },
    statements: 2,
    statements_gross: '112.00',
  });
});

test('21.1.5 a line that holds what its control expects is read, and one that does not is refused by the figure', () => {
  const control = { transactions: 3, transactions_sum: '7.4', statements: 2, statements_gross: 112 };
  for (const line of [
    { account: anAccount(), ...history },
    { external_account_number: 'HV-1', ...history },
  ]) {
    expect(problemsOf({ ...line, control })).toEqual([]);
    const { refusal } = refusalOf({ ...line, control: { ...control, transactions: 4, transactions_sum: '7.41' } });
    expect(refusal.errors).toEqual([
      { detail: 'The line has 3, and 4 was expected.', code: 'control_differs', attr: 'control.transactions' },
      {
        detail: 'The line has 7.40, and 7.41 was expected.',
        code: 'control_differs',
        attr: 'control.transactions_sum',
      },
    ]);
  }
});

test.each([
  [{ transaction: 3 }, 'control.transaction: undocumented_field'],
  [{ transactions: '3' }, 'control.transactions: invalid'],
  [{ transactions_sum: '1.234' }, 'control.transactions_sum: max_decimal_places'],
  [[], 'control: invalid'],
])('21.1.5 control %j is refused', (control, problem) => {
  expect(problemsOf({ account: anAccount(), control })).toEqual([problem]);
});

const fingerprintOf = (transactions: unknown[]) =>
  fingerprint(lineOf({ external_account_number: 'HV-1', transactions }));

test('21.1.9 the fingerprint is that of every order, and spells numbers alike', () => {
  const expected = fingerprintOf(charges);
  fc.assert(
    fc.property(fc.shuffledSubarray(charges, { minLength: 3 }), (shuffled) => {
      expect(fingerprintOf(shuffled)).toBe(expected);
    }),
  );
  expect(fingerprintOf([aCharge(1, { amount: '12.30' })])).toBe(fingerprintOf([aCharge(1, { amount: 12.3 })]));
  // Computed by hand: the first 15 hexadecimal digits of SHA-256 of T-1|2026-04-05|CHARGE|12.30.
  expect(fingerprintOf([aCharge(1)])).toBe('142428819719720673');
});

test('21.1.9 the fingerprint differs if a transaction is missing, altered, or has swapped its amount', () => {
  const swapped = [aCharge(1, { amount: '0.10' }), aCharge(2), charges[2]];
  const variants = [
    charges,
    charges.slice(1),
    swapped,
    [aCharge(1, { transaction_date: '2026-04-06' }), ...charges.slice(1)],
    [aCharge(1, { type: 'PAYMENT' }), ...charges.slice(1)],
  ];
  expect(new Set(variants.map(fingerprintOf)).size).toBe(variants.length);
});
