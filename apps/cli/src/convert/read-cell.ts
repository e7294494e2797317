import { fieldErrorsOf } from '@causeway/contracts';
import { JsonRefusal, parseStrictJson } from '@causeway/rules';
import { z } from 'zod';
import type { CellKind } from './cell-kind.ts';
import type { DateReader } from './read-date.ts';
import type { DatetimeReader } from './read-datetime.ts';
import type { Reading } from './reading.ts';

/** How a file writes its decimals, and how to name it in advice. */
interface DecimalStyle {
  hasComma: boolean;
  kind: string;
}

const PLAIN = /^[+-]?\d+(?:\.\d+)?$/;
const SYMBOL = /^[-+]?\s*(?:[£$€¥]|[A-Z]{3}\s)|(?:[£$€¥]|\s[A-Z]{3})$/u;

/**
 * A decimal number as a text with a point, every digit kept. A group of thousands is taken out where it can be nothing
 * else; `28,340` may be either and is refused with advice (behaviour 25.2.5).
 */
function readDecimal(text: string, { hasComma, kind }: DecimalStyle): Reading {
  if (SYMBOL.test(text)) return { fault: 'Write the number alone, without its currency.' };
  // Read as if the point were the decimal sign; a comma and a point change places otherwise.
  const turned = hasComma ? text.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : text;
  if (PLAIN.test(turned)) return { value: turned.replace(/^\+/, '') };
  const [decimal, group] = hasComma ? ['comma', 'point'] : ['point', 'comma'];
  if (/^-?\d{1,3}(?:,\d{3})+\.\d+$/.test(turned) || /^-?\d{1,3}(?:,\d{3}){2,}$/.test(turned)) {
    return { value: turned.replaceAll(',', '') };
  }
  if (/^-?\d{1,3},\d{3}$/.test(turned)) {
    const flag = hasComma ? `leave out --decimal-comma ${kind}` : `give --decimal-comma ${kind}`;
    return {
      fault: `The ${group} may stand before decimals or between thousands. If before decimals, ${flag}; if between thousands, write the number without it.`,
    };
  }
  if (/^-?[\d.]*\d,\d+$/.test(turned)) {
    const flag = hasComma ? `--decimal-comma ${kind} says that it is a comma` : `give --decimal-comma ${kind}`;
    return { fault: `The decimals stand behind a ${group}, not a ${decimal}: ${flag}.` };
  }
  return { fault: 'Must be a decimal number, such as 12.30.' };
}

/** How one file writes its values. */
export interface CellStyle {
  decimals: DecimalStyle;
  dates: DateReader;
  datetimes: DatetimeReader;
  /** The text that stands for an empty cell. */
  emptyText: string | undefined;
}

const TRUE = /^(?:true|yes|y|1)$/i;
const FALSE = /^(?:false|no|n|0)$/i;
/** What databases write for nothing. */
const NULL = /^(?:NULL|null|\\N)$/;

/** `2.37786E+12`, which was a meter point: the digits behind are lost. */
const SHORTENED = /^\d[.,]\d+E\+\d{2}$/;

/** The field that a cell is of. */
export interface FieldOfCell {
  kind: CellKind;
  /** One of them has to accept the value. */
  schemas: readonly z.core.$ZodType[];
}

/** Reads the text of a cell that is not empty, and checks it as the service will. */
export function readCell(text: string, { kind, schemas }: FieldOfCell, style: CellStyle): Reading {
  if (NULL.test(text.trim())) {
    return { fault: `Leave the cell empty, or give --empty-text '${text.trim()}'.` };
  }
  const reading = convertText(text, kind, style);
  if (reading.fault !== undefined) return reading;
  if (schemas.length === 0 || schemas.some((schema) => isValid(schema, reading.value))) return reading;
  return { fault: faultOf(schemas, reading.value) };
}

/** What the service would say: all choices of a field that has some, and nothing of types that a cell does not have. */
function faultOf(schemas: readonly z.core.$ZodType[], value: unknown): string {
  const choices = schemas.flatMap(({ _zod: { values } }) => (values === undefined ? [] : [...values]));
  const asked = choices.length > 0 ? [z.literal(choices as string[])] : schemas;
  const issues = asked.map((schema) => z.safeParse(schema, value).error).filter((error) => error !== undefined);
  const error = issues.find(({ issues: [issue] }) => issue?.code !== 'invalid_type') ?? issues[0];
  return (error && fieldErrorsOf(error, value)[0]?.detail) ?? 'Is not valid.';
}

function isValid(schema: z.core.$ZodType, value: unknown): boolean {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  return !(result instanceof Promise) && result.issues.length === 0;
}

function convertText(text: string, kind: CellKind, { decimals, dates, datetimes }: CellStyle): Reading {
  switch (kind) {
    case 'text':
      return SHORTENED.test(text.trim())
        ? { fault: 'A spreadsheet has cut this number: export it as text.' }
        : { value: text };
    case 'decimal':
      return readDecimal(text.trim(), decimals);
    case 'whole-number':
      return /^[+-]?\d{1,15}$/.test(text.trim()) ? { value: Number(text) } : { fault: 'Must be a whole number.' };
    case 'boolean':
      return readBoolean(text.trim());
    case 'date':
      return dates.read(text.trim());
    case 'datetime':
      return datetimes.read(text.trim());
    case 'day-or-datetime':
      return text.includes(':') ? datetimes.read(text.trim()) : dates.read(text.trim());
    case 'json':
      return readJson(text);
  }
}

function readBoolean(text: string): Reading {
  if (TRUE.test(text)) return { value: true };
  return FALSE.test(text) ? { value: false } : { fault: 'Must be true or false.' };
}

/** Numbers that a double cannot keep are refused, as in a body. */
function readJson(text: string): Reading {
  try {
    return { value: parseStrictJson(text, 'cell') };
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    return { fault: `Must be JSON, or give its fields columns of their own: ${error.message}` };
  }
}
