import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  AccountPayload,
  fieldsToKeep,
  findUndocumentedFields,
  ImportNotesRequest,
  ImportTransactionsRequest,
  LIMITS,
  ListOrganisationsRequest,
  undocumentedFields,
} from '../src/index.ts';
import { account, accountWithMeter, charge, notesRequest, supplyCharge, transactionsRequest } from './support.ts';

test('2.2 names undocumented fields by their dotted path, at every depth', () => {
  const input = account({
    ...accountWithMeter({ registers: [{ register_id: '1', colour: 'red' }] }),
    customers: [{ given_name: 'A' }, { nickname: 'x', customer_preferences: { opted_into_sms: true, sms: true } }],
    billing_address: { country: 'GB', planet: 'Earth' },
    foo: { bar: 1 },
  });
  expect(undocumentedFields(AccountPayload, input).sort()).toEqual(
    [
      'customers.1.nickname',
      'customers.1.customer_preferences.sms',
      'billing_address.planet',
      'supply_addresses.0.meter_points.0.meters.0.registers.0.colour',
      'foo',
    ].sort(),
  );
});

test('2.2 knows the fields of each kind of transaction', () => {
  const input = transactionsRequest(
    { ...charge, line_items: [] },
    { ...supplyCharge, reason: 'X' },
    { ...charge, type: 'PAYMENT', units: 1 },
    { ...charge, type: 'OTHER', anything: 1 },
  );
  expect(undocumentedFields(ImportTransactionsRequest, input)).toEqual([
    'transactions.0.line_items',
    'transactions.1.reason',
    'transactions.2.units',
  ]);
});

test('2.2 looks through optional, nullable and default', () => {
  expect(undocumentedFields(ListOrganisationsRequest, { limit: 1, page: 2 })).toEqual(['page']);
  const schema = z.object({ a: z.object({ b: z.string() }).nullable().optional() });
  expect(undocumentedFields(schema, { a: { b: '', c: 1 } })).toEqual(['a.c']);
});

test('2.2 names at most 100, none longer than a header can bear', () => {
  const notes = new Array(1_000).fill({ [`x${'y'.repeat(10_000)}\ud800`]: 1, body: 'x' });
  const found = undocumentedFields(ImportNotesRequest, notesRequest(...notes));
  expect(found).toHaveLength(100);
  expect(found.every((path) => path.length < 200)).toBe(true);
});

test('2.2.9 counts each field over all items of a list, and those beyond a hundred different ones', () => {
  const notes = Array.from({ length: 1_000 }, (_, index) => ({ body: 'x', colour: 1, [`stray_${index % 200}`]: 1 }));
  const { fields, others, isCounted } =
    findUndocumentedFields(ImportNotesRequest, { ...notesRequest(...notes), foo: 1 }) ?? {};
  expect(fields?.get('notes.*.colour')).toEqual({ count: 1_000, isInList: true });
  expect(fields?.size).toBe(100);
  expect(others).toBe(101 * 5 + 1);
  expect(isCounted).toBe(true);
  expect(findUndocumentedFields(ImportNotesRequest, notesRequest({ body: 'x' }))).toBeUndefined();
});

test('2.2 sees __proto__, constructor and toString as what they are: undocumented', () => {
  const input = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');
  expect(undocumentedFields(ImportNotesRequest, input)).toEqual(['__proto__', 'constructor', 'toString']);
});

test('2.2 never fails, whatever the input, and names only well-formed text', () => {
  const shaped = fc.record(
    {
      notes: fc.anything(),
      transactions: fc.array(fc.anything()),
      customers: fc.array(fc.anything()),
      type: fc.anything(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything({ withNullPrototype: true }), shaped), (input) => {
      for (const schema of [AccountPayload, ImportNotesRequest, ImportTransactionsRequest]) {
        const found = undocumentedFields(schema, input);
        expect(found.length).toBeLessThanOrEqual(100);
        expect(found.every((path) => path.isWellFormed())).toBe(true);
      }
    }),
  );
});

test('4.3 whatever a schema takes, it gives back without what is undocumented', () => {
  const values = fc.anything({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), values), fc.dictionary(fc.string(), values), (atTop, inCustomer) => {
      const result = AccountPayload.safeParse({
        ...atTop,
        ...account({ customers: [{ ...inCustomer, given_name: 'A' }] }),
      });
      if (result.success) expect(undocumentedFields(AccountPayload, result.data)).toEqual([]);
    }),
  );
});

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
