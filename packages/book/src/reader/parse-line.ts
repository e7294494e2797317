import { type FieldError, limitText } from '@causeway/contracts';
import { decodeUtf8, JsonRefusal, parseStrictJson, requireObject } from '@causeway/rules';
import type { LineRefusal } from './checked-line.ts';
import { bareLine, bareText } from './failed-row.ts';

export type ParsedLine = { object: Record<string, unknown> } | { refusal: LineRefusal };

/**
 * A line as the JSON object that it must be: read as strictly as a body (behaviour 11.3), and with the same codes. Of a
 * failed row it is the `data`. A path is that in the account, as in a call. Sentences call the line `source`.
 */
export function parseLine(bytes: Buffer, maxLineBytes: number, source = 'book line'): ParsedLine {
  // First: of a line that is much too long only the beginning is here, which may end within a character.
  const isTooLong = bytes.length > maxLineBytes && bareLine(bytes).length > maxLineBytes;
  if (isTooLong) return { refusal: lineTooLong(maxLineBytes) };
  try {
    const text = bareText(decodeUtf8(bytes, source));
    return { object: requireObject(parseStrictJson(text, source), source) };
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    const detail = sentenceOf(error);
    return { refusal: { step: 'validate', code: error.code, detail, errors: errorsOf(error, detail) } };
  }
}

function lineTooLong(maxLineBytes: number): LineRefusal {
  const detail = `The line is too long: the limit is ${limitText(maxLineBytes)} bytes.`;
  return { step: 'validate', code: 'line_too_long', detail, errors: [] };
}

/** Of the lines of a text a book has its own count. */
const sentenceOf = ({ message }: JsonRefusal) => message.replace('see line 1, column', 'see column');

/** Failed rows have the errors alone: where a line is no JSON is among them. */
function errorsOf({ attr, code }: JsonRefusal, detail: string): FieldError[] {
  if (attr === undefined) return code === 'invalid_json' ? [{ detail, code, attr: '' }] : [];
  return [{ detail, code, attr: attr.replace(/^account\./, '') }];
}
