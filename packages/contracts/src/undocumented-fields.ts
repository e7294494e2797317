import type { z } from 'zod';
import { LIMITS } from './limits.ts';

/** The documented keys of a schema, without its types and rules. Undefined: no keys below. */
type Shape =
  | { kind: 'object'; fields: ReadonlyMap<string, Shape | undefined> }
  | { kind: 'list'; item: Shape }
  | { kind: 'choice'; discriminator: string; options: ReadonlyMap<unknown, Shape> }
  | { kind: 'record'; knows: (key: string) => boolean; value: Shape | undefined };

/** Enough of a key to recognise it: reported keys may end up in a header. */
const MAX_KEY_LENGTH = 128;

const shapes = new WeakMap<z.core.$ZodType, { shape: Shape | undefined }>();

/**
 * The dotted paths of the keys in `input` that `schema` does not define, at most 100 (behaviour 2.2). Accepts any
 * input, valid or not, and never throws; each schema is compiled once. Keys are truncated to 128 characters and lone
 * surrogates replaced; otherwise they are as sent, so encode them before you put them into a header.
 */
export function undocumentedFields(schema: z.core.$ZodType, input: unknown): string[] {
  let compiled = shapes.get(schema);
  if (compiled === undefined) {
    compiled = { shape: shapeOf(schema) };
    shapes.set(schema, compiled);
  }
  const found: string[] = [];
  if (compiled.shape !== undefined) collect(compiled.shape, input, { path: [], found });
  return found;
}

function shapeOf(schema: z.core.$ZodType): Shape | undefined {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  switch (definition.type) {
    case 'object':
      return { kind: 'object', fields: fieldsOf(definition.shape) };
    case 'array': {
      const item = shapeOf(definition.element);
      return item && { kind: 'list', item };
    }
    case 'record':
      return { kind: 'record', knows: keyTestOf(definition.keyType), value: shapeOf(definition.valueType) };
    case 'union':
      return 'discriminator' in definition ? choiceOf(definition as z.core.$ZodDiscriminatedUnionDef) : undefined;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return shapeOf(definition.innerType);
    default:
      return undefined;
  }
}

function fieldsOf(shape: z.core.$ZodShape): ReadonlyMap<string, Shape | undefined> {
  return new Map(Object.entries(shape).map(([key, schema]) => [key, shapeOf(schema)]));
}

function keyTestOf(schema: z.core.$ZodType): (key: string) => boolean {
  return (key) => {
    const result = schema._zod.run({ value: key, issues: [] }, { async: false });
    return !(result instanceof Promise) && result.issues.length === 0;
  };
}

function choiceOf({ discriminator, options }: z.core.$ZodDiscriminatedUnionDef): Shape {
  const choices = new Map<unknown, Shape>();
  for (const option of options) {
    const shape = shapeOf(option as z.core.$ZodType);
    if (shape === undefined) continue;
    for (const value of option._zod.propValues?.[discriminator] ?? []) choices.set(value, shape);
  }
  return { kind: 'choice', discriminator, options: choices };
}

interface Search {
  path: (string | number)[];
  found: string[];
}

function collect(shape: Shape, input: unknown, search: Search): void {
  if (typeof input !== 'object' || input === null) return;
  if (shape.kind === 'list') {
    if (!Array.isArray(input)) return;
    for (let index = 0; index < input.length && search.found.length < LIMITS.reported_errors; index++) {
      descend(shape.item, input[index], { search, key: index });
    }
    return;
  }
  if (Array.isArray(input)) return;
  if (shape.kind === 'choice') {
    const chosen = shape.options.get((input as Record<string, unknown>)[shape.discriminator]);
    if (chosen !== undefined) collect(chosen, input, search);
    return;
  }
  collectKeys(shape, input as Record<string, unknown>, search);
}

function collectKeys(
  shape: Shape & { kind: 'object' | 'record' },
  input: Record<string, unknown>,
  search: Search,
): void {
  for (const key of Object.keys(input)) {
    if (search.found.length >= LIMITS.reported_errors) return;
    const known = shape.kind === 'object' ? shape.fields.has(key) : shape.knows(key);
    const below = shape.kind === 'object' ? shape.fields.get(key) : shape.value;
    if (!known) search.found.push([...search.path, key.slice(0, MAX_KEY_LENGTH).toWellFormed()].join('.'));
    else if (below !== undefined) descend(below, input[key], { search, key });
  }
}

function descend(shape: Shape, input: unknown, { search, key }: { search: Search; key: string | number }): void {
  if (typeof input !== 'object' || input === null) return;
  search.path.push(key);
  collect(shape, input, search);
  search.path.pop();
}
