import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareLine, failedRow, type LineRefusal, readBookLine } from '../src/index.ts';
import { aCharge, anAccount, bytesOf, framed, refusalOf, SETTINGS } from './support.ts';

const REFUSAL: LineRefusal = {
  step: 'validate',
  code: 'account_failed_validation',
  detail: 'No.',
  errors: [{ detail: 'Not "data": {"data":1}, is it?', code: 'invalid', attr: 'data.data' }],
};

const rowOf = (bytes: Buffer, number = 1) => failedRow({ number, bytes }, REFUSAL);
const withoutEnd = (row: Buffer) => row.subarray(0, -1);

test('21.1.6 a failed row has the line exactly as it was sent, and is one line', async () => {
  const sent = bytesOf(
    '{ "account" : {"external_account_number":"HV-1", "amount": 1.50, "name":"Zo\\u00eb \u2028é"} }',
  );
  const row = rowOf(sent, 17);
  expect(row.toString()).toBe(
    `{"line":17,"code":"account_failed_validation","errors":${JSON.stringify(REFUSAL.errors)},"data":${sent}}\n`,
  );
  expect(await framed([row])).toHaveLength(1);
});

test('21.1.6 whatever was sent comes back from its failed row, and is not wrapped twice', () => {
  const json = fc.oneof(
    fc.json(),
    fc.json({ maxDepth: 5 }).map((text) => `{"account":${text}, "data" : ${text}}`),
  );
  fc.assert(
    fc.property(fc.oneof(json, fc.string()), (text) => {
      const sent = Buffer.from(text.toWellFormed().replaceAll('\n', '').trim());
      const row = withoutEnd(rowOf(sent));
      expect(bareLine(row)).toEqual(sent);
      expect(rowOf(row)).toEqual(rowOf(sent));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['a row', { line: 1, code: 'x', errors: [{ attr: 'a', detail: '"data":1' }], data: { account: anAccount() } }],
  ['its members in another order', { data: { account: anAccount() }, errors: [], line: 1, code: 'x' }],
  ['further members', { line: 1, code: 'x', step: 'validate', errors: [], data: { account: anAccount() }, seen: [{}] }],
  ['a text that was no JSON, corrected', { line: 1, data: JSON.stringify({ account: anAccount() }) }],
  ['white space', ` { "line" : 1 , "data" : ${JSON.stringify({ account: anAccount() })} } `],
])('21.1.6 a failed row is a line: %s', (_, row) => {
  expect(readBookLine(bytesOf(row), SETTINGS)).toEqual(readBookLine(bytesOf({ account: anAccount() }), SETTINGS));
});

test('21.1.6 what is refused in a failed row has the paths of its line', () => {
  const data = { account: anAccount(), transactions: [aCharge(1, { amount: 0.001 })] };
  expect(refusalOf({ line: 1, code: 'x', errors: [], data })).toEqual(refusalOf(data));
  const twice = '{"account":{"customers":[],"customers":[]}}';
  expect(refusalOf(`{"line":1,"data":${twice}}`)).toEqual(refusalOf(twice));
});

test.each([
  ['without data', '{"line":1,"errors":[]}'],
  ['cut off', '{"line":1,"data":{"account":{}}'],
  ['with something after it', '{"line":1,"data":{"account":{}}} {}'],
  ['with data further in', '{"line":{"data":{"account":{}}}}'],
])('21.1.6 a row %s is a line like any other, and refused', (_, row) => {
  expect(bareLine(Buffer.from(row)).toString()).toBe(row);
  expect(refusalOf(row).refusal.code).toMatch(/^(?:invalid_json|account_failed_validation)$/);
});

test('21.1.6 a line of the longest length may come back as a failed row', () => {
  const line = bytesOf({ account: anAccount({ billing_name: 'x'.repeat(300) }) });
  const settings = { ...SETTINGS, maxLineBytes: line.length };
  expect(readBookLine(withoutEnd(rowOf(line)), settings)).toEqual(readBookLine(line, settings));
});

test('21.1.6 a line that is not UTF-8 is shown as well as it can be', () => {
  const row = rowOf(Buffer.from('{"a":"\xE9"}', 'latin1'));
  expect(JSON.parse(row.toString()).data).toBe('{"a":"\uFFFD"}');
});
