import { z } from 'zod';

/**
 * Documents a field: its meaning for the integrator, its unit, rule and default, and valid values: those of the schema
 * itself unless given. Apply it before `.optional()`, so that the description stays with the field wherever it is used.
 */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, examples: examples.length > 0 ? examples : examplesOf(schema) });
}

/**
 * Documents an object or a list, by `schema.apply(documented, ...)`. The example of an object has those of its fields, and
 * that of a list those of its items. Fields of which one value would mislead, or that are seldom sent, can be left out.
 */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  ...[id, description, ...leftOut]: [id: string, description: string, ...leftOut: (keyof z.input<Schema>)[]]
): Schema {
  const isShown = ([name]: [string, unknown]) => !(leftOut as string[]).includes(name);
  const shown = (example: unknown) => Object.fromEntries(Object.entries(example as object).filter(isShown));
  const examples = examplesOf(schema);
  return schema.meta({ id, description, examples: leftOut.length === 0 ? examples : examples.map(shown) });
}

/** The examples of a schema or, where it has none of its own, of what is in it. */
export function examplesOf(schema: z.ZodType): unknown[] {
  const { examples } = schema.meta() ?? {};
  if (examples !== undefined) return examples as unknown[];
  if (schema instanceof z.ZodArray) return [examplesOf(schema.element as z.ZodType)];
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, examplesOf(field as z.ZodType)[0]]);
    return [Object.fromEntries(fields)];
  }
  const { innerType } = schema._zod.def as { innerType?: z.ZodType };
  return innerType === undefined ? [] : examplesOf(innerType);
}

/** As `field`, for one that may be left out. */
export function optional<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): z.ZodOptional<Schema> {
  return field(schema, description, ...examples).optional();
}
