import { fieldErrorsOf } from '@causeway/contracts';
import { JsonRefusal, parseStrictJson } from '@causeway/rules';
import { z } from 'zod';
import type { CellKind } from './cell-kind.ts';
import type { DayReader } from './read-date.ts';
import { type DecimalStyle, readDecimal } from './read-decimal.ts';
import type { Reading } from './reading.ts';

/** How a column writes its values. */
export interface CellStyle {
  decimals: DecimalStyle;
  day: DayReader;
  datetime: (text: string) => Reading;
  /** Values of texts that were read before, and are as they should be; undefined: there are too many of them. */
  knownValues: Map<string, unknown> | undefined;
  /** Texts that stand for an empty cell. */
  emptyTexts: ReadonlySet<string>;
}

const TRUE = /^(?:true|yes|y|1)$/i;
const FALSE = /^(?:false|no|n|0)$/i;
/** What databases write for nothing. */
const NULL = /^(?:NULL|null|\\N)$/;

/** `2.37786E+12`, which was a meter point: the digits behind are lost. */
const SHORTENED = /^\d[.,]\d+E\+\d{2}$/;
/** `10023.0`, which was an account number. */
const MADE_DECIMAL = /^\d+\.0$/;
/** `#REF!`: what a formula comes to that is wrong. */
const SPREADSHEET_ERROR = /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/;

/** What databases write for an end that is open. */
const FAR_END = /^(?:(?:9999|2999)-12-31|31[./-]12[./-](?:9999|2999))(?:[T ][\d:.]+Z?)?$/;

/** The field that a cell is of. */
export interface FieldOfCell {
  kind: CellKind;
  /** One of them has to accept the value. */
  schemas: readonly z.core.$ZodType[];
}

/**
 * Reads the text of a cell that is not empty, and checks it as the service will. Spaces around it are left out where the
 * service would refuse them.
 */
export function readCell(text: string, field: FieldOfCell, style: CellStyle): Reading {
  const bare = text.trim();
  if (NULL.test(bare)) return { fault: `Leave the cell empty, or give --empty-text '${bare}'.` };
  if (SPREADSHEET_ERROR.test(bare))
    return { fault: `A formula of a spreadsheet came to ${bare}: correct it, or empty the cell.` };
  if (FAR_END.test(bare))
    return { fault: `An end so far away is none: leave the cell empty, or give --empty-text '${bare}'.` };
  const asItIs = readText(text, field, style);
  if (asItIs.fault === undefined || bare === text) return asItIs;
  return readText(bare, field, style);
}

function readText(text: string, { kind, schemas }: FieldOfCell, style: CellStyle): Reading {
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

function convertText(text: string, kind: CellKind, { decimals, day, datetime }: CellStyle): Reading {
  switch (kind) {
    case 'text':
      return readWords(text);
    case 'decimal':
      return readDecimal(text.trim(), decimals);
    case 'whole-number':
      // Some fields take a word too, such as LAST; what is neither, the schema refuses.
      return { value: /^[+-]?\d{1,15}$/.test(text.trim()) ? Number(text) : text };
    case 'boolean':
      return readBoolean(text.trim());
    case 'date':
      return day(text.trim());
    case 'datetime':
      return datetime(text.trim());
    case 'day-or-datetime':
      return text.includes(':') ? datetime(text.trim()) : day(text.trim());
    case 'json':
      return readJson(text);
  }
}

function readWords(text: string): Reading {
  const bare = text.trim();
  if (SHORTENED.test(bare)) return { fault: 'A spreadsheet has cut this number: export it as text.' };
  if (MADE_DECIMAL.test(bare)) return { fault: 'A spreadsheet has put .0 behind this number: export it as text.' };
  return { value: text };
}

function readBoolean(text: string): Reading {
  if (TRUE.test(text)) return { value: true };
  return FALSE.test(text) ? { value: false } : { fault: 'Must be true or false.' };
}

/** Numbers that a double cannot keep are refused, as in a body. */
export function readJson(text: string): Reading {
  try {
    return { value: parseStrictJson(text, 'cell') };
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    return { fault: `Must be JSON, or give its fields columns of their own: ${error.message}` };
  }
}
