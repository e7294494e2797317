import type { Statement } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideStatements, inMajorUnit } from '../../src/statements/decide-statements.ts';

const statement = {
  statement_id: 'ST-1',
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  issued_date: '2026-02-03',
  number: '1482-12',
  gross_amount: 112.07,
  statement_path: 'statements/1.pdf',
} satisfies Statement;
const { statement_path: _path, ...withoutPath } = statement;
const stored = { ...statement, gross_amount: '112.07' };
const NOTHING = { added: [], filled: [] };

test('4.6 the same statement again is not added, and a repeat in one request is added once', () => {
  expect(decideStatements([statement], [stored])).toEqual(NOTHING);
  expect(decideStatements([statement, { ...statement }], [])).toEqual({ added: [stored], filled: [] });
  expect(decideStatements([withoutPath], [{ ...stored, statement_path: null }])).toEqual(NOTHING);
});

test('4.6.6 a path is added once to a statement that is stored without one, and to no other', () => {
  const lacking = { ...stored, statement_path: null };
  const filled = [{ statement_id: 'ST-1', statement_path: 'statements/1.pdf' }];
  expect(decideStatements([statement, statement], [lacking])).toEqual({ added: [], filled });
  expect(() => decideStatements([{ ...statement, number: '2' }], [lacking])).toThrow('with other values');
  expect(() => decideStatements([withoutPath, statement], [])).toThrow('with other values');
});

test.each([
  ['bill_period_from_date', '2026-01-02'],
  ['bill_period_to_date', '2026-01-30'],
  ['issued_date', '2026-02-04'],
  ['number', '1482-13'],
  ['gross_amount', 112.08],
  ['statement_path', 'statements/2.pdf'],
  ['statement_path', undefined],
  ['status', 'CANCELLED'],
  ['replaces', 'ST-0'],
  ['due_date', '2026-02-17'],
  ['net_amount', 106.73],
  ['tax_amount', 5.34],
  ['currency', 'EUR'],
])('4.6 refuses a statement_id that is known with another %s (%s)', (field, value) => {
  const other = { ...statement, [field]: value };
  const refusal = {
    code: 'historical_statement_already_exists',
    errors: [expect.objectContaining({ attr: 'statements.1.statement_id' })],
  };
  const elsewhere = { ...statement, statement_id: 'ST-2' };
  expect(() => decideStatements([elsewhere, other], [stored])).toThrow(expect.objectContaining(refusal));
  expect(() => decideStatements([statement, other], [])).toThrow(expect.objectContaining(refusal));
});

test('2.6 gross_amount compares as money: what is stored is what was sent, to the penny', () => {
  const pence = fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 });
  fc.assert(
    fc.property(pence, (amount) => {
      const one = { ...statement, gross_amount: amount / 100 };
      const [record] = decideStatements([one], []).added;
      expect(BigInt(String(record?.gross_amount).replace('.', ''))).toBe(BigInt(amount));
      expect(decideStatements([one], record === undefined ? [] : [record])).toEqual(NOTHING);
    }),
  );
});

const MINOR = { statement_amount_unit: 'MINOR' as const };
const statements = (...amounts: (number | string)[]) =>
  amounts.map((gross_amount, index) => ({ statement_id: `S-${index}`, gross_amount }) as Statement);
const inPounds = (...amounts: (number | string)[]) =>
  inMajorUnit(statements(...amounts), MINOR).map(({ gross_amount }) => gross_amount);

test('2.9.4 pence become pounds', () => {
  expect(inPounds(11207, 7, 0, -5, -120, '007', '-0', 99_999_999_999, '99999999999')).toEqual([
    ...['112.07', '0.07', '0.00', '-0.05', '-1.20', '0.07', '0.00', '999999999.99', '999999999.99'],
  ]);
  const [first] = inMajorUnit([{ ...statement, gross_amount: 1, net_amount: '200', tax_amount: -3 }], MINOR);
  expect(first).toEqual({ ...statement, gross_amount: '0.01', net_amount: '2.00', tax_amount: '-0.03' });
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
