import { z } from 'zod';
import { UtcDatetime } from '../formats.ts';
import { Money, MoneyNotNegative } from '../numbers.ts';

const MONEY: readonly z.core.$ZodType[] = [Money, MoneyNotNegative];

/** What a schema accepts that is read back in another spelling. Whole numbers, such as a day of a month, are not. */
export type Respelt = 'money' | 'decimal' | 'reading' | 'datetime';

export function respeltKind(schema: z.ZodType): Respelt | undefined {
  if (isA(MONEY, schema)) return 'money';
  if (isA([UtcDatetime], schema)) return 'datetime';
  if (!(schema instanceof z.ZodUnion)) return undefined;
  const [first, second] = schema.options;
  if ([first, second].some(isWhole)) return undefined;
  if (first instanceof z.ZodNumber) return 'decimal';
  // The zeros before a reading are those on its dial.
  return first instanceof z.ZodString && second instanceof z.ZodNumber ? 'reading' : undefined;
}

function isWhole(schema: z.core.$ZodType | undefined): boolean {
  return schema instanceof z.ZodNumber && (schema.meta() as { type?: string } | undefined)?.type === 'integer';
}

/** Whether a schema was made of one of `bases`, by describing it or by adding rules. */
function isA(bases: readonly z.core.$ZodType[], schema: z.core.$ZodType): boolean {
  for (let base: z.core.$ZodType | undefined = schema; base !== undefined; base = base._zod.parent) {
    if (bases.includes(base)) return true;
  }
  return false;
}

/** A decimal number in a response, with as many decimals as it needs. */
export const DecimalString = z.string().meta({ pattern: '^-?[0-9]+(?:\\.[0-9]+)?$' });

const DATABASE_DATETIME = /(?:\.\d+)?\+00:00$/;

/** A datetime as it is sent, from how the database writes it as JSON. */
export function datetimeText(value: string): string {
  return value.replace(DATABASE_DATETIME, 'Z');
}
