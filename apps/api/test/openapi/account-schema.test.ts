import { expect, test } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { publishedDocument } from '../support/published-document.ts';

const schemas = (publishedDocument.components?.schemas ?? {}) as Record<string, oas31.SchemaObject>;

/** The names that a schema refers to, and the places where it describes the fields of an object itself. */
function partsOf(name: string) {
  const names: string[] = [];
  const inline: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const at = `${path}.${key}`;
      if (key === '$ref') names.push(String(part).slice('#/components/schemas/'.length));
      else if (key === 'properties') inline.push(at);
      else if (key !== 'examples') walk(part, at);
    }
  };
  for (const [field, schema] of Object.entries(schemas[name]?.properties ?? {})) walk(schema, `${name}.${field}`);
  for (const form of [schemas[name]?.anyOf, schemas[name]?.oneOf]) walk(form, name);
  return { names, inline };
}

test('2.10.26 every object below the account is a schema with a name', () => {
  const reached = new Set(['AccountPayload']);
  for (const name of reached) {
    const { names, inline } = partsOf(name);
    expect(inline).toEqual([]);
    for (const other of names) reached.add(other);
  }
  expect([...reached]).toEqual(expect.arrayContaining(['BillingAddress', 'PriorityService', 'PrepayDetails', 'Debt']));
});

test('2.10.26 the fields of an account stand together by what they are about', () => {
  const fields = Object.keys(schemas.AccountPayload?.properties ?? {});
  const areas: RegExp[] = [
    /billing|next_bill|last_billed|transfer_balance/,
    /^customers$/,
    /^supply_addresses$/,
    /payment_(?:schedules|review_date)|last_payment/,
    /^debts|dunning|warm_home/,
    /^business|portfolio|campaigns/,
    /^metadata|additional_data/,
    /^(?:notes|(?:historical_)?transactions|last_statement_balance|ledgers|statements|payment_instructions?)$/,
  ];
  const order = fields.map((field) => areas.findIndex((area) => area.test(field)));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(new Set(order).size).toBe(areas.length + 1);
});
