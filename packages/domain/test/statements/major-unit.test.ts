import type { Statement } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inMajorUnit } from '../../src/statements/decide-statements.ts';

const MINOR = { statement_amount_unit: 'MINOR' as const };
const statements = (...amounts: (number | string)[]) =>
  amounts.map((gross_amount, index) => ({ statement_id: `S-${index}`, gross_amount }) as Statement);
const inPounds = (...amounts: (number | string)[]) =>
  inMajorUnit(statements(...amounts), MINOR).map(({ gross_amount }) => gross_amount);

test('2.9.4 pence become pounds', () => {
  expect(inPounds(11207, 7, 0, -5, -120, '007', '-0', 99_999_999_999, '99999999999')).toEqual([
    ...['112.07', '0.07', '0.00', '-0.05', '-1.20', '0.07', '0.00', '999999999.99', '999999999.99'],
  ]);
  const [first] = inMajorUnit(statements(1), MINOR);
  expect(first).toEqual({ statement_id: 'S-0', gross_amount: '0.01' });
});

test('2.9.4 no penny is lost or won', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }), (pence) => {
      const [text] = inPounds(pence);
      expect(text).toMatch(/^-?\d+\.\d\d$/);
      expect(BigInt(String(text).replace('.', ''))).toBe(BigInt(pence));
    }),
  );
});

test('2.9.4 pounds stay as they are, and a fraction of a penny is refused even if the setting changes meanwhile', () => {
  const sent = statements(112.07, '1.5');
  expect(inMajorUnit(sent, { statement_amount_unit: 'MAJOR' })).toBe(sent);
  expect(() => inPounds(1, 112.07)).toThrow(
    expect.objectContaining({
      code: 'request_failed_validation',
      errors: [expect.objectContaining({ attr: 'statements.1.gross_amount' })],
    }),
  );
});
