import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  AccountPayload,
  findUndocumentedFields,
  ImportNotesRequest,
  ImportTransactionsRequest,
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
