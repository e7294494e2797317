import {
  AccountPayload,
  accept,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  undocumentedFields,
} from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { REALISTIC_BOOKS, sampleBook } from '../src/index.ts';

const import_supplier = 'HARBOUR-VALE';
const REQUEST = { import_supplier, external_account_number: 'A-1' };

/** What real suppliers send, each with the schema of its call. */
function sentRequests(): { schema: z.ZodType; request: object }[] {
  const book = { seed: 'causeway', importSupplier: import_supplier, bookDate: '2026-03-17' };
  const sample = sampleBook({ ...book, accounts: 60 }).filter(({ expectedRefusal }) => expectedRefusal === undefined);
  const accounts = [...REALISTIC_BOOKS.map(({ account }) => account), ...sample.map(({ payload }) => payload)];
  return [
    ...accounts.map((account) => ({ schema: AccountPayload, request: { ...account, ...REQUEST } })),
    ...sample.flatMap(({ notes, transactions, statements, paymentInstruction }) => [
      { schema: ImportNotesRequest, request: { ...REQUEST, notes } },
      { schema: ImportTransactionsRequest, request: { ...REQUEST, transactions } },
      { schema: ImportStatementsRequest, request: { ...REQUEST, statements } },
      { schema: ImportPaymentInstructionRequest, request: { ...REQUEST, ...paymentInstruction } },
    ]),
  ].filter(({ schema, request }) => schema.safeParse(request).success);
}

const SENT = sentRequests();
const VALUES = [
  ...[null, true, false, 0, -1, 12.345, 76.54, 1e12, '', ' ', 'x', ' x', 'A-1', '12.30', '-0.00', '1e2'],
  ...['2026-02-30', '2026-03-17', '2026-03-17T00:00:00Z', 'CHARGE', 'PAYMENT', 'GB', 'x'.repeat(3_000), 'a\u0000', 'ﬁ'],
  ...[[], {}, [{}], [null], { opted_into_x: true }, { __proto__: 1 }, { length: { toString: 1 } }],
];

type Container = Record<string | number, unknown>;

/** Every object and list in a value, with itself. */
function containersIn(value: unknown): Container[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value as Container, ...Object.values(value).flatMap(containersIn)];
}

interface Edit {
  kind: 'replace' | 'remove' | 'add' | 'repeat';
  place: number;
  key: number;
  value: unknown;
}

function apply(request: object, { kind, place, key, value }: Edit): void {
  const containers = containersIn(request);
  const container = containers[place % containers.length] ?? {};
  const keys = Object.keys(container);
  const name = keys[key % Math.max(1, keys.length)] ?? 'x';
  if (Array.isArray(container)) {
    if (kind === 'remove') container.splice(Number(name), 1);
    else container.push(kind === 'repeat' ? container[0] : structuredClone(value));
  } else if (kind === 'remove') delete container[name];
  else container[kind === 'add' ? `other_${name}` : name] = structuredClone(value);
}

test('2.2 everything in realistic books is accepted in one walk, as it is', () => {
  expect(SENT.length).toBeGreaterThan(200);
  for (const { schema, request } of SENT) {
    const accepted = accept(schema, request);
    expect(accepted?.value).toEqual(schema.parse(request));
    expect(accepted?.isDocumented).toBe(undocumentedFields(schema, request).length === 0);
  }
});

test('2.2 what is accepted in one walk is what zod accepts, with an equal value', () => {
  const kind = fc.constantFrom<Edit['kind']>('replace', 'remove', 'add', 'repeat');
  const edit = fc.record({ kind, place: fc.nat(), key: fc.nat(), value: fc.constantFrom(...VALUES) });
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  let both = 0;
  fc.assert(
    fc.property(fc.constantFrom(...SENT), edits, ({ schema, request }, changes) => {
      const changed = structuredClone(request);
      for (const change of changes) apply(changed, change);
      const before = JSON.stringify(changed);
      const accepted = accept(schema, changed);
      const parsed = schema.safeParse(changed);
      expect(JSON.stringify(changed)).toBe(before);
      expect(accepted !== undefined).toBe(parsed.success);
      expect(accepted?.value).toEqual(parsed.data);
      if (accepted?.isDocumented) expect(undocumentedFields(schema, changed)).toEqual([]);
      if (parsed.success) both += 1;
    }),
    { numRuns: 5_000 },
  );
  expect(both).toBeGreaterThan(500);
});
