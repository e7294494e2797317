import { AccountPayload, HISTORY_FIELDS } from '@causeway/contracts';
import type { z } from 'zod';

/** Every text of the payload begins with this, so that one search finds where a word of a person is left. */
export const MARK = 'Zephyrine';

type Style = 'legacy' | 'new';

/** Of the two styles of an address an account has one. */
const OTHER_STYLE: Record<Style, RegExp> = {
  legacy: /(?:^|\.)(?:billing_address|supply_address)$/,
  new: /(?:^|\.)(?:billing_address\d|billing_postcode|supply_address\d|supply_postcode)$/,
};

/** What one field says of another, so that it cannot be any text. */
const FIXED: [path: RegExp, value: unknown][] = [
  [/^import_supplier$/, 'NORTHWIND-2026'],
  [/^external_account_number$/, 'NW-1'],
  [/^account_type$/, 'BUSINESS_VACANT'],
  [/^unknown_occupier$/, false],
  [/meter_points\.\*\.(?:identifier|mpxn)$/, `${MARK} MPAN`],
  [/register_id$/, `${MARK} 01`],
  [/interval_readings\.\*\.values$/, ['0.21', -0.198]],
];

/**
 * What an account brings with it is no field of its own: it becomes notes, transactions and the like (behaviour 4.17).
 */
const HISTORY: readonly string[] = [...HISTORY_FIELDS, 'last_statement_balance'];

interface Search {
  style: Style;
  /** The documented paths that were filled in, with `*` for each item of a list. */
  paths: Set<string>;
}

/** An account that uses every field of the schema, in one style of its addresses. A new field is in it by itself. */
export function everyField(style: Style): { account: Record<string, unknown>; paths: Set<string> } {
  const search: Search = { style, paths: new Set() };
  return { account: fieldValue(AccountPayload, '', search) as Record<string, unknown>, paths: search.paths };
}

/** The paths of all documented fields of an account. */
export function documentedPaths(): Set<string> {
  return new Set([...everyField('legacy').paths, ...everyField('new').paths]);
}

function fieldValue(schema: z.core.$ZodType, path: string, search: Search): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
      return fieldValue(def.innerType, path, search);
    case 'object':
      return objectOf(def.shape, path, search);
    case 'array':
      return itemsOf(def.element, `${path}.*`, search);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'union':
    case 'string':
      return textOf(schema, path, search);
    default:
      return exampleOf(schema);
  }
}

function objectOf(shape: z.core.$ZodShape, path: string, search: Search): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(shape)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (OTHER_STYLE[search.style].test(at) || HISTORY.includes(at)) continue;
    search.paths.add(at);
    const [, fixed] = FIXED.find(([path]) => path.test(at)) ?? [];
    fields[key] = fixed ?? fieldValue(field, at, search);
  }
  return fields;
}

/** One item in each form that it can have. */
function itemsOf(element: z.core.$ZodType, path: string, search: Search): unknown[] {
  const { def } = (element as z.core.$ZodTypes)._zod;
  return (def.type === 'union' ? def.options : [element]).map((option) => fieldValue(option, path, search));
}

function exampleOf(schema: z.core.$ZodType): unknown {
  const { examples = [] } = ((schema as z.ZodType).meta() ?? {}) as { examples?: unknown[] };
  return examples.at(-1);
}

/** The mark, where it is a text of that field; otherwise its example. */
function textOf(schema: z.core.$ZodType, path: string, { paths }: Search): unknown {
  const mark = /email$/.test(path) ? `${MARK}@example.com` : `${MARK} ${paths.size}`;
  return (schema as z.ZodType).safeParse(mark).success && !/phone|mobile|landline/.test(path)
    ? mark
    : exampleOf(schema);
}
