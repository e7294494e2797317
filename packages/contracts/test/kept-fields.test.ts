import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccountPayload, fieldsToKeep, ImportTransactionsRequest, LIMITS, undocumentedFields } from '../src/index.ts';
import { account, accountWithMeter, charge, transactionsRequest } from './support.ts';

function kept(input: unknown, schema = AccountPayload): { path: string; value: unknown }[] {
  const fields = fieldsToKeep(schema, input);
  expect(fields.tooLargeAt).toBe(undefined);
  return JSON.parse(fields.json);
}

test('2.2.12 the undocumented fields of a request are kept with their paths and values, whatever those are', () => {
  const tariff = { code: 'ECO-7', bands: [{ from: '00:00', rate: 1.10000001 }, null], notes: '' };
  const input = account({
    ...accountWithMeter({ registers: [{ register_id: '1', colour: 'red' }] }),
    tariff,
    customers: [{ given_name: 'A', 'nick.name': null }],
    // Stored as it is sent, whatever it has (2.10.20).
    business: { sector: 'BAKERY' },
  });
  expect(kept(input)).toEqual([
    { path: 'customers.0.nick.name', value: null },
    { path: 'supply_addresses.0.meter_points.0.meters.0.registers.0.colour', value: 'red' },
    { path: 'tariff', value: tariff },
  ]);
  expect(kept(account())).toEqual([]);
});

test('2.2.12 fields of another kind of transaction are kept too', () => {
  const input = transactionsRequest(charge, { ...charge, line_items: [] });
  const fields = fieldsToKeep(ImportTransactionsRequest, input);
  expect(fields).toMatchObject({ json: '[{"path":"transactions.1.line_items","value":[]}]' });
});

test('2.2.15 what is larger than the limit is named, and the bytes are counted, not the characters', () => {
  const room = LIMITS.kept_bytes - '[{"path":"a","value":""},]'.length;
  expect(kept(account({ a: 'x'.repeat(room) }))).toHaveLength(1);
  expect(fieldsToKeep(AccountPayload, account({ a: 'x'.repeat(room + 1) }))).toMatchObject({ tooLargeAt: 'a' });
  expect(fieldsToKeep(AccountPayload, account({ a: 'ü'.repeat(room) }))).toMatchObject({ tooLargeAt: 'a' });
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`stray_${index}`, index]));
  expect(fieldsToKeep(AccountPayload, account(many))).toMatchObject({ tooLargeAt: expect.stringMatching(/^stray_/) });
});

test('2.2.12 whatever is sent, exactly the fields that are named are kept', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), fc.jsonValue(), { maxKeys: 20 }), (strays) => {
      const input = account({ ...strays, customers: [{ given_name: 'A', ...strays }] });
      expect(kept(input).map(({ path }) => path)).toEqual(undocumentedFields(AccountPayload, input));
    }),
  );
});
