import { AccountPayload } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { accountNumberOf, readBookLine } from '../src/index.ts';
import {
  aCharge,
  anAccount,
  anInstruction,
  aStatement,
  bytesOf,
  framed,
  inPieces,
  pieceSizes,
  refusalOf,
  SETTINGS,
  withSupplier,
} from './support.ts';

const good = (number: number) => ({ account: anAccount({ external_account_number: `HV-${number}` }) });

/** Lines that are no line, each with its code and path. */
const BAD: [string | Buffer, string, string?][] = [
  ['[1]', 'not_an_object'],
  ['null', 'not_an_object'],
  ['"HV-1"', 'not_an_object'],
  ['{"account":{}', 'invalid_json', ''],
  ['{"account":{}} x', 'invalid_json', ''],
  ['HV-1;Zoë', 'invalid_json', ''],
  [Buffer.from('{"a":"\xE9"}', 'latin1'), 'invalid_utf8'],
  ['{"a":"\0"}', 'nul_character'],
  ['{"account":{"customers":[{"given_name":"a\\u0000"}]}}', 'nul_character', 'customers.0.given_name'],
  ['{"notes":[{"body":"\\ud800"}]}', 'lone_surrogate', 'notes.0.body'],
  ['{"account":{},"account":{}}', 'duplicate_key', 'account'],
  ['{"account":{"customers":[],"customers":[]}}', 'duplicate_key', 'customers'],
  ['{"__proto__":{}}', 'forbidden_key', '__proto__'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'too_deep'],
  ['{"account":{"transfer_balance":1.00000000000000000001}}', 'number_too_precise', 'transfer_balance'],
  [`{"account":"${'x'.repeat(SETTINGS.maxLineBytes)}"}`, 'line_too_long'],
  [Buffer.alloc(SETTINGS.maxLineBytes + 1, ' '), 'line_too_long'],
];

test.each(BAD)('21.1.1 %.40s is refused with the code of such a body', (line, code, attr) => {
  const { refusal } = refusalOf(line);
  expect(refusal).toMatchObject({ step: 'validate', code });
  expect(refusal.errors.map((error) => error.attr)).toEqual(attr === undefined ? [] : [attr]);
  expect(refusal.detail).toMatch(/^[A-Z].*\.$/);
});

test('21.1.1 a line that is not JSON is told its column, also where only its errors are kept', () => {
  const { refusal } = refusalOf('{"account":{}');
  const detail = 'The book line is not valid JSON: see column 14.';
  expect(refusal).toMatchObject({ detail, errors: [{ detail, code: 'invalid_json', attr: '' }] });
});

test('21.1.1 a line of exactly the longest length is read', () => {
  const line = bytesOf(good(1));
  expect(readBookLine(line, { ...SETTINGS, maxLineBytes: line.length })).toHaveProperty('line');
  expect(readBookLine(line, { ...SETTINGS, maxLineBytes: line.length - 1 })).toHaveProperty('refusal');
});

test('21.1.1 a bad line between good ones changes none of them', async () => {
  const aBadLine = fc.constantFrom(...BAD.map(([line]) => Buffer.from(line)));
  const lines = fc.array(fc.oneof(aBadLine, fc.constant(undefined)), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, pieceSizes, async (sent, sizes) => {
      const bytes = sent.map((bad, index) => bad ?? bytesOf(good(index)));
      const book = Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\r\n')]));
      const found = await framed(inPieces(book, sizes));
      const numbers = found.map((line) => {
        const read = readBookLine(line.bytes, SETTINGS);
        return 'line' in read ? read.line.external_account_number : undefined;
      });
      expect(numbers).toEqual(sent.map((bad, index) => (bad === undefined ? `HV-${index}` : undefined)));
    }),
  );
});

/** Every object and list in a value, itself included. */
function containersIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

const history = {
  notes: [
    { body: 'A', external_id: 'N-1' },
    { body: 'B', external_id: 'N-1' },
  ],
  transactions: [aCharge(1), aCharge(1)],
  statements: [aStatement(1), aStatement(1)],
  payment_instruction: anInstruction,
  control: { transactions: 1 },
};
const [example] = z.globalRegistry.get(AccountPayload)?.examples ?? [];

test('21.1.1 whatever stands in the place of a field, the line is read or refused', () => {
  const junk = fc.constantFrom<unknown>(null, '', 'x', 0, -1.5, true, [], {}, [null], [[]], { a: null });
  const line = fc.constantFrom(
    { account: { ...Object(example), import_supplier: 'HARBOUR-VALE' }, ...history },
    { account: anAccount({ ledgers: [{ current_statement_transactions: [aCharge(1)] }], ...history }) },
    { external_account_number: 'HV-1', ...history },
  );
  fc.assert(
    fc.property(line, fc.array(fc.tuple(fc.nat(), fc.nat(), junk), { minLength: 1, maxLength: 3 }), (sent, changes) => {
      const changed = structuredClone(sent);
      for (const [container, place, value] of changes) {
        const all = containersIn(changed);
        const object = all[container % all.length] as Record<string, unknown>;
        const keys = Object.keys(object);
        object[keys[place % keys.length] ?? 'a'] = structuredClone(value);
      }
      for (const settings of [SETTINGS, withSupplier({ empty_means_omitted: true, balance_check: 'REFUSE' })]) {
        const read = readBookLine(bytesOf(changed), settings);
        if ('refusal' in read) expect(read.refusal.detail).not.toBe('');
      }
    }),
    { numRuns: 2_000 },
  );
});

test('21.1.1 whatever a line holds, it is read or refused', () => {
  const names = ['account', 'notes', 'transactions', 'payment_instruction', 'control', 'data', 'line', 'x'];
  const key = fc.constantFrom(...names);
  const line = fc.oneof(
    fc.json(),
    fc.dictionary(key, fc.jsonValue()).map((value) => JSON.stringify(value)),
    fc.string(),
  );
  fc.assert(
    fc.property(line, fc.boolean(), (text, empty_means_omitted) => {
      const importSupplier = { ...SETTINGS.importSupplier, empty_means_omitted, undocumented_fields: 'KEEP' as const };
      const read = readBookLine(bytesOf(text), { ...SETTINGS, importSupplier });
      if ('line' in read) return;
      expect(read.refusal.detail).not.toBe('');
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  [good(7), 'HV-7'],
  [{ external_account_number: 'HV-8', notes: [] }, 'HV-8'],
  [{ line: 3, code: 'x', errors: [], data: good(9) }, 'HV-9'],
  [{ account: {}, external_account_number: 'HV-1' }, 'HV-1'],
  [{ account: null, external_account_number: 'HV-2' }, 'HV-2'],
  [{ account: { customers: [] }, external_account_number: 'HV-1' }, 'HV-1'],
  [{ account: { external_account_number: 7 }, external_account_number: 'HV-1' }, undefined],
  [{ external_account_number: '' }, undefined],
  [{ external_account_number: 'x'.repeat(129) }, undefined],
  [{ external_account_number: ['HV-1'] }, undefined],
  ['no json', undefined],
])('21.1.8 the account that %.60j names is found without checking the line', (line, number) => {
  expect(accountNumberOf(bytesOf(line), SETTINGS.maxLineBytes)).toBe(number);
});

test.each([
  ['is JSON', (filling: string) => `{"external_account_number":"A-1","x":"${filling}"}`, 'A-1'],
  [
    'is a failed row',
    (filling: string) => `{"line":1,"data":{"external_account_number":"A-1","x":"${filling}"}}`,
    'A-1',
  ],
  ['ends too early', (filling: string) => `{"external_account_number":"A-1","x":"${filling}`, undefined],
  [
    'has control characters',
    (filling: string) => `{"external_account_number":"A-1",${filling.replaceAll('x', '\x01')}`,
    undefined,
  ],
  [
    'names the account twice',
    (filling: string) => `{"external_account_number":"A-1","external_account_number":"A-1","x":"${filling}"}`,
    undefined,
  ],
])('21.4.9 the account of a long line is that of a short one: it %s', (_what, lineOf, number) => {
  for (const length of [1, 70_000]) {
    expect(accountNumberOf(Buffer.from(lineOf('x'.repeat(length))), 1_000_000)).toBe(number);
  }
});

test.each([
  ['levels', '['.repeat(10_000_000)],
  ['values', `[${'{},'.repeat(3_300_000)}{}]`],
  ['different keys', `{${Array.from({ length: 600_000 }, (_, index) => `"${index}":0`).join()}}`],
])('21.4.9 a line with too many %s names no account', (_, value) => {
  const line = Buffer.from(`{"external_account_number":"A-1","a":${value}}`);
  expect(accountNumberOf(line, line.length)).toBeUndefined();
});
