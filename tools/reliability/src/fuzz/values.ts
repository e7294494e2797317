import type { Random } from '@causeway/testing';
import type { Part, PublishedInterface } from './published-interface.ts';

const MAX_ITEMS = 3;
const TEXTS = [
  'x',
  'Zoë Hartley',
  '12 Alder Row',
  'ünïcödé 🏠',
  "O'Brien; DROP TABLE accounts",
  '%s{{7*7}}<b>',
  ' a b ',
];

/**
 * A random value that a schema of the document allows, as far as possible: values with a pattern come from the
 * examples. Optional fields are present two times in five.
 */
export function drawValue(published: PublishedInterface, random: Random, schema: Part): unknown {
  const resolved = published.resolve(schema);
  const { const: only, enum: choices, oneOf, anyOf, type, examples, pattern } = resolved;
  if (only !== undefined) return only;
  // A whole example also satisfies the rules between fields, which a schema cannot express.
  if (type === 'object' && Array.isArray(examples) && random.chance(0.4)) return random.pick(examples);
  if (Array.isArray(choices)) return random.pick(choices);
  const alternatives = oneOf ?? anyOf;
  if (Array.isArray(alternatives)) return drawValue(published, random, random.pick(alternatives));
  switch (type) {
    case 'object':
      return drawObject(published, random, resolved);
    case 'array': {
      const least = Number(resolved.minItems ?? 0);
      const length = random.integer(least, Math.max(least, MAX_ITEMS));
      return Array.from({ length }, () => drawValue(published, random, resolved.items as Part));
    }
    case 'boolean':
      return random.chance(0.5);
    case 'number':
    case 'integer':
      return drawNumber(random, resolved);
    case 'string':
      return isFree(pattern) && random.chance(0.5) ? drawText(random, resolved) : example(random, examples);
    default:
      return example(random, examples);
  }
}

function drawObject(published: PublishedInterface, random: Random, { properties = {}, required = [] }: Part): Part {
  const fields = Object.entries(properties as Record<string, Part>);
  const needed = required as string[];
  return Object.fromEntries(
    fields
      .filter(([name]) => needed.includes(name) || random.chance(0.4))
      .map(([name, schema]) => [name, drawValue(published, random, schema)]),
  );
}

function drawNumber(random: Random, schema: Part): number {
  const { minimum, maximum, exclusiveMinimum = minimum, exclusiveMaximum = maximum, type } = schema;
  const low = Math.max(Number(exclusiveMinimum ?? -1e6), -1e6) + 1;
  const high = Math.min(Number(exclusiveMaximum ?? 1e6), 1e6) - 1;
  const whole = random.integer(Math.ceil(Math.min(low, high)), Math.floor(Math.max(low, high)));
  return type === 'number' && random.chance(0.5) && whole < high ? whole + random.integer(1, 99) / 100 : whole;
}

/** Whether the published pattern of a text asks for no more than something visible. */
export const isFree = (pattern: unknown): boolean => pattern === undefined || pattern === '^[\\s\\S]*\\S[\\s\\S]*$';

function drawText(random: Random, { maxLength = 100 }: Part): string {
  const text = random.chance(0.05) ? 'x'.repeat(Number(maxLength)) : random.pick(TEXTS);
  return [...text].slice(0, Number(maxLength)).join('');
}

function example(random: Random, examples: unknown): unknown {
  return Array.isArray(examples) && examples.length > 0 ? random.pick(examples) : 'x';
}

/** Values that have broken services before. */
const NASTY: readonly unknown[] = [
  ...[null, '', ' ', 0, -0, -1, 1e308, 1e-7, 0.1 + 0.2, 2 ** 53, 100_000_000_000],
  ...[true, false, [], {}, [[]], [null], {}],
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff', '\u202e', '\ufeff', 'ﬀ', '😀'.repeat(40), 'x'.repeat(70_000)],
  ...[
    '2026-02-30',
    '0000-00-00',
    '2026-01-01T00:00:00+01:00',
    '1e3',
    'NaN',
    'null',
    '-0.00',
    '12345678901234567890.12',
  ],
  ...['../../etc/passwd', '%2e%2e/x', 'http://x/y', "' OR 1=1 --", '$(id)', '__proto__', 'constructor'],
];

/** A copy of a JSON value with one to three things about it changed. */
export function mutateValue(random: Random, value: unknown): unknown {
  let mutated = structuredClone(value);
  for (let times = random.integer(1, 3); times > 0; times -= 1) mutated = mutateOnce(random, mutated);
  return mutated;
}

function mutateOnce(random: Random, value: unknown): unknown {
  const spots = spotsOf(value);
  if (spots.length === 0) return random.pick(NASTY);
  const { parent, key } = random.pick(spots);
  random.pick(CHANGES)(parent as Items, key, random);
  return value;
}

type Items = Record<string | number, unknown>;

const spoil = (items: Items, key: string | number, random: Random): void => {
  items[key] = structuredClone(random.pick(NASTY));
};

/** What is done to a place of a value: removed, repeated, wrapped, written as text, and most often replaced. */
const CHANGES: readonly (typeof spoil)[] = [
  (items, key) => (Array.isArray(items) ? items.splice(Number(key), 1) : delete items[key]),
  (items, key) => {
    if (Array.isArray(items)) items.push(structuredClone(items[key]));
    else items[`${key}_`] = items[key];
  },
  (items, key) => {
    items[key] = [items[key]];
  },
  (items, key) => {
    items[key] = String(items[key]);
  },
  ...[spoil, spoil],
];

/** Every place of a value that can be changed: a container and a key in it. */
function spotsOf(value: unknown): { parent: object; key: string | number }[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = Object.values(value).flatMap(spotsOf);
  return [...keys.map((key) => ({ parent: value, key })), ...inner];
}

/** Bytes that are almost this JSON text, or that only a careless parser accepts. */
export function mutateText(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  const byte = Buffer.from([random.integer(0, 255)]);
  return random.pick([
    bytes.subarray(0, at),
    Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at + 1)]),
    Buffer.concat([bytes.subarray(0, at), byte, bytes.subarray(at)]),
    Buffer.from(`\ufeff${text}`),
    Buffer.from(`${text}${text}`),
    Buffer.from(text.replace(/\}$/, ',"import_supplier":"TWICE","import_supplier":"TWICE"}')),
    Buffer.from(text.replace(/\}$/, ',"__proto__":{"admin":true}}')),
    Buffer.from(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text.replaceAll('"', "'")),
  ]);
}
