import { z } from 'zod';

/** How the text of a cell becomes a value. */
export type CellKind =
  | 'text'
  | 'decimal'
  | 'whole-number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'day-or-datetime'
  | 'json';

const NO_SUCH_DAY = '2026-02-30';
const DAY = '2026-02-28';
const DATETIME = '2026-02-28T00:00:00Z';
const WORD = 'x';

/** The kind of a field's cells. The schemas are asked what they accept, so that no list of fields is kept here. */
export function cellKindOf(schemas: readonly z.core.$ZodType[]): CellKind {
  const accepts = (value: unknown) => schemas.some((schema) => z.safeParse(schema, value).success);
  if (accepts(WORD)) return 'text';
  if (accepts('0.5')) return 'decimal';
  if (accepts(true)) return 'boolean';
  if (accepts(1)) return 'whole-number';
  if (accepts(NO_SUCH_DAY)) return 'text';
  if (accepts(DATETIME)) return accepts(DAY) ? 'day-or-datetime' : 'datetime';
  if (accepts(DAY)) return 'date';
  return schemas.every(hasFieldsOrItems) ? 'json' : 'text';
}

function hasFieldsOrItems(schema: z.core.$ZodType): boolean {
  return ['array', 'object', 'record', 'unknown'].includes(schema._zod.def.type);
}
