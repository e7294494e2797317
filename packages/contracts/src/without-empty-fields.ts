import type { z } from 'zod';
import { type Shape, shapeOf } from './schema-shape.ts';

/**
 * The input without its optional fields whose value is "", null, [] or {}, at any depth (behaviour 2.2.14). Whatever is
 * required, undocumented, or an item of a list or of a record stays as it is, so that every path stays the same. An
 * object without any value in it is empty too, whatever it requires. The input itself is not changed; if there is
 * nothing to leave out, it is returned. Accepts any input, valid or not, and never throws.
 */
export function withoutEmptyFields(schema: z.core.$ZodType, input: unknown): unknown {
  return clean(shapeOf(schema), input);
}

function clean(shape: Shape | undefined, input: unknown): unknown {
  if (shape === undefined || typeof input !== 'object' || input === null) return input;
  if (shape.kind === 'either') return clean(Array.isArray(input) ? shape.list : shape.object, input);
  if (shape.kind === 'list') return Array.isArray(input) ? cleanItems(shape.item, input) : input;
  if (Array.isArray(input)) return input;
  const fields = input as Record<string, unknown>;
  switch (shape.kind) {
    case 'choice':
      return clean(shape.options.get(fields[shape.discriminator]), input);
    case 'record':
      return cleanFields(fields, () => ({ shape: shape.value, optional: false }));
    case 'object':
      return cleanFields(fields, (key) => shape.fields.get(key));
  }
}

function cleanItems(shape: Shape, items: unknown[]): unknown[] {
  const cleaned = items.map((item) => clean(shape, item));
  return cleaned.every((item, index) => item === items[index]) ? items : cleaned;
}

/** An empty one is refused: taken for left out, it would make the call a real one. */
const NEVER_OMITTED: ReadonlySet<string> = new Set(['dry_run']);

type FieldOf = (key: string) => { shape: Shape | undefined; optional: boolean } | undefined;

function cleanFields(input: Record<string, unknown>, fieldOf: FieldOf): Record<string, unknown> {
  let changed = false;
  const cleaned: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    const field = fieldOf(key);
    const value = clean(field?.shape, input[key]);
    const omitted = field?.optional === true && !NEVER_OMITTED.has(key) && isEmpty(value);
    changed ||= omitted || value !== input[key];
    if (!omitted) cleaned[key] = value;
  }
  return changed ? cleaned : input;
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === null;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isEmpty);
}
