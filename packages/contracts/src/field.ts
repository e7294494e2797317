import type { z } from 'zod';

/**
 * Documents a field: its meaning for the integrator, its unit, rule and default, and valid values.
 * Apply it before `.optional()`, so that the description stays with the field wherever it is used.
 */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, examples });
}
