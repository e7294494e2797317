import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AccountPayload,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  undocumentedFields,
  withoutEmptyFields,
} from '../src/index.ts';
import { type Shape, shapeOf } from '../src/schema-shape.ts';
import { account, notesRequest, problems, statement, supplyCharge, transactionsRequest } from './support.ts';

const [exampleAccount] = AccountPayload.meta()?.examples ?? [];
const PAYLOADS: [string, z.ZodObject, unknown][] = [
  ['an account', AccountPayload, exampleAccount],
  ['the smallest account', AccountPayload, account()],
  ['notes', ImportNotesRequest, notesRequest({ body: 'Moved in' }, { document_paths: [{ document_path: 'a.pdf' }] })],
  ['transactions', ImportTransactionsRequest, transactionsRequest(supplyCharge)],
  ['statements', ImportStatementsRequest, { ...account({ customers: undefined }), statements: [statement] }],
  [
    'a payment instruction',
    ImportPaymentInstructionRequest,
    { import_supplier: 'A', external_account_number: '1', vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' },
  ],
];

/** It is never left out: what was meant as a try is not done for good. */
const DRY_RUN = 'dry_run';

/** The input with one more field for each optional field that it does not have, at every depth. */
function withEmptyFields(shape: Shape | undefined, input: unknown, empty: unknown): unknown {
  if (typeof input !== 'object' || input === null || shape === undefined) return input;
  if (Array.isArray(input)) {
    return input.map((item) => withEmptyFields(shape.kind === 'list' ? shape.item : undefined, item, empty));
  }
  const chosen = shape.kind === 'choice' ? shape.options.get(Object(input)[shape.discriminator]) : shape;
  if (chosen?.kind !== 'object') return input;
  const filled: Record<string, unknown> = { ...input };
  for (const [key, field] of chosen.fields) {
    if (filled[key] !== undefined) filled[key] = withEmptyFields(field.shape, filled[key], empty);
    else if (field.optional && key !== DRY_RUN) filled[key] = empty;
  }
  return filled;
}

describe.each(PAYLOADS)('in %s', (_name, schema, payload) => {
  test.each([[''], [null], [[]], [{}], [{ country: null, street_address: '', more: { lines: [] } }]])(
    '2.2.14 an optional field that is %j is left out, at every depth',
    (empty) => {
      const filled = withEmptyFields(shapeOf(schema), payload, empty);
      const before = structuredClone(filled);
      expect(withoutEmptyFields(schema, filled)).toEqual(payload);
      // What was sent is needed again, for the digest under which its answer is kept.
      expect(filled).toEqual(before);
    },
  );

  test('2.2.14 exactly the fields that may be left out are left out', () => {
    const fields = Object.entries(schema.shape as z.core.$ZodShape);
    const isOptional = (field: z.core.$ZodType) => z.safeParse(field, undefined).success;
    const optional = fields.filter(([name, field]) => name !== DRY_RUN && isOptional(field)).map(([name]) => name);
    const empty = Object.fromEntries(fields.map(([name]) => [name, null]));
    const left = Object.keys(withoutEmptyFields(schema, empty) as object);
    expect(left).toEqual(Object.keys(empty).filter((name) => !optional.includes(name)));
  });

  test('2.2.14 an input without empty fields is handed on as it is', () => {
    expect(withoutEmptyFields(schema, payload)).toBe(payload);
  });
});

test('2.2.14 a required field that is empty stays, and gets the error that it always had', () => {
  const empty = {
    import_supplier: null,
    external_account_number: '',
    customers: [{ given_name: '', title: null }, {}],
  };
  const cleaned = withoutEmptyFields(AccountPayload, empty);
  expect(cleaned).toEqual({ ...empty, customers: [{}, {}] });
  expect(problems(AccountPayload, cleaned)).toEqual([
    'import_supplier: null',
    'external_account_number: blank',
    'customers.0.given_name: customer_name_not_found',
    'customers.1.given_name: customer_name_not_found',
  ]);
  const noTransactions = transactionsRequest();
  expect(withoutEmptyFields(ImportTransactionsRequest, noTransactions)).toBe(noTransactions);
  expect(problems(ImportTransactionsRequest, noTransactions)).toEqual(['transactions: empty']);
});

test('2.2.14 an object without any value is left out, unless it is required or the item of a list', () => {
  const cleaned = withoutEmptyFields(AccountPayload, {
    ...account(),
    billing_address: { street_address: '', country: null },
    customers: [{ family_name: 'Hartley', customer_preferences: { opted_into_sms: null } }],
    supply_addresses: [{ meter_points: [], supply_postcode: '', customer_at_supply_address_from_date: '' }],
  });
  expect(cleaned).toEqual({ ...account(), supply_addresses: [{ customer_at_supply_address_from_date: '' }] });
  // With a value in it, what it requires is required.
  const half = account({ billing_address: { street_address: '1 High Street', country: '' } });
  expect(problems(AccountPayload, withoutEmptyFields(AccountPayload, half))).toEqual([
    'billing_address.country: invalid_country',
  ]);
});

test('2.2.14 what is not documented stays as it was sent', () => {
  const stray = account({ nickname: '', billing_address: { planet: 'Mars', postal_code: '' }, metadata: {} });
  const cleaned = withoutEmptyFields(AccountPayload, stray);
  expect(cleaned).toEqual(account({ nickname: '', billing_address: { planet: 'Mars' } }));
  expect(undocumentedFields(AccountPayload, cleaned)).toEqual(undocumentedFields(AccountPayload, stray));
});

test('2.2.14 text that is only white space, zero and false are values', () => {
  const values = account({ billing_name: ' ', unknown_occupier: false, transfer_balance: 0 });
  expect(withoutEmptyFields(AccountPayload, values)).toBe(values);
});

test('2.2.14 a field that is either a list or an object is looked into as what it is', () => {
  const person = z.object({ name: z.string().optional() });
  const schema = z.object({ people: z.union([z.string(), z.array(person), person]) });
  expect(withoutEmptyFields(schema, { people: [{ name: '' }] })).toEqual({ people: [{}] });
  expect(withoutEmptyFields(schema, { people: { name: '' } })).toEqual({ people: {} });
  expect(withoutEmptyFields(schema, { people: '' })).toEqual({ people: '' });
  expect(undocumentedFields(schema, { people: [{ age: 1 }] })).toEqual(['people.0.age']);
  expect(undocumentedFields(schema, { people: { age: 1 } })).toEqual(['people.age']);
  // Which of two objects is meant cannot be known.
  const either = z.object({ people: z.union([person, z.object({ age: z.number() })]) });
  expect(undocumentedFields(either, { people: { age: 1 } })).toEqual([]);
});

test('2.2.14 whatever is sent, nothing is thrown and nothing is changed', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const input = { ...account(), customers: value, supply_addresses: [value], metadata: { key: value } };
      const before = structuredClone(input);
      const cleaned = withoutEmptyFields(AccountPayload, input);
      expect(input).toEqual(before);
      expect(withoutEmptyFields(AccountPayload, cleaned)).toBe(cleaned);
    }),
  );
});
