import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkStatements } from '../src/check-statements.ts';

const MINOR = { importSupplier: { statement_amount_unit: 'MINOR' as const } };
const MAJOR = { importSupplier: { statement_amount_unit: 'MAJOR' as const } };
const ofAmounts = (...amounts: unknown[]) => ({ statements: amounts.map((gross_amount) => ({ gross_amount })) });

test('2.9.4 an amount in the minor unit has no decimals', () => {
  const request = ofAmounts(11207, 112.07, '11207', '112.07', '112.00', -1, -0.5, 0);
  const fault = (index: number) => ({ attr: `statements.${index}.gross_amount`, code: 'max_decimal_places' });
  expect(checkStatements(request, MINOR)).toMatchObject([fault(1), fault(3), fault(4), fault(6)]);
  expect(checkStatements(request, MAJOR)).toEqual([]);
  const parts = { statements: [{ gross_amount: 1, net_amount: 0.5, tax_amount: '0.50' }] };
  expect(checkStatements(parts, MINOR)).toMatchObject([
    { attr: 'statements.0.net_amount' },
    { attr: 'statements.0.tax_amount' },
  ]);
});

test('2.9.4 amounts are blamed as often as errors are reported, and not at all in a list that is too long', () => {
  expect(checkStatements(ofAmounts(...Array(1_000).fill(0.5)), MINOR)).toHaveLength(100);
  expect(checkStatements(ofAmounts(...Array(1_001).fill(0.5)), MINOR)).toEqual([]);
});

test('2.9.4 whatever is sent, nothing is thrown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const request of [value, { statements: value }, { statements: [value] }, ofAmounts(value)]) {
        expect(Array.isArray(checkStatements(request, MINOR))).toBe(true);
      }
    }),
  );
});
