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
