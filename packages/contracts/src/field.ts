import type { z } from 'zod';

/**
 * Documents a field: what it means to the integrator, its unit, rule and default, and values that are valid for it.
 * Apply it before `.optional()`, so that the words stay with the field wherever it is used.
 */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, examples });
}
