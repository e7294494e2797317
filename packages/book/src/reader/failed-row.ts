import { isUtf8 } from 'node:buffer';
import type { FailedRow } from '@causeway/contracts';
import type { FramedLine } from '../framing/line-framer.ts';
import type { LineRefusal } from './checked-line.ts';

/** No line of a book begins with one of these, and every failed row does. */
const START = /^[ \t]*\{[ \t]*"(?:line|code|errors|data)"/;
const DATA = '"data"';
const LINE_FEED = Buffer.from('\n');

/**
 * The line that a failed row holds, exactly as it stands there; any other line as it is (behaviour 21.1.6). Text that
 * is not JSON is in the row as a string.
 */
export function bareText(text: string): string {
  if (!START.test(text)) return text;
  const data = dataOf(text);
  if (data === undefined) return text;
  const value = data.startsWith('"') ? parseOrUndefined(data) : undefined;
  return typeof value === 'string' ? value : data;
}

/** The same for bytes. */
export function bareLine(line: Buffer): Buffer {
  if (!START.test(line.toString('latin1', 0, 64)) || !isUtf8(line)) return line;
  return Buffer.from(bareText(line.toString()));
}

/** A refused line as a failed row, with its line end: a file of them is a book (behaviour 21.1.6). */
export function failedRow({ number, bytes }: FramedLine, { code, errors }: LineRefusal): Buffer {
  const bare = bareLine(bytes);
  const data = isPlain(bare) ? bare : Buffer.from(JSON.stringify(bare.toString()));
  const row: Omit<FailedRow, 'data'> = { line: number, code, errors };
  const start = JSON.stringify(row).slice(0, -1);
  return Buffer.concat([Buffer.from(`${start},${DATA}:`), data, Buffer.from('}'), LINE_FEED]);
}

/** The text of the member `data`, if the text is an object that has one. */
function dataOf(text: string): string | undefined {
  let levels = 0;
  let start: number | undefined;
  let data: string | undefined;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      const end = endOfString(text, index);
      if (end === -1) return undefined;
      if (levels === 1 && start === undefined && text.slice(index, end + 1) === DATA)
        start = startOfValue(text, end + 1);
      index = end;
    } else if (character === '{' || character === '[') {
      levels += 1;
    } else if (character === '}' || character === ']' || character === ',') {
      if (levels === 1 && start !== undefined) data ??= text.slice(start, index).trim();
      if (character !== ',') levels -= 1;
      if (levels === 0) return text.slice(index + 1).trim() === '' ? data : undefined;
    }
  }
  return undefined;
}

/** The index of its closing quote, or -1. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '"') return index;
    if (text[index] === '\\') index += 1;
  }
  return -1;
}

/** After the colon; undefined if it is no key. */
function startOfValue(text: string, end: number): number | undefined {
  const colon = /[ \t]*:/y;
  colon.lastIndex = end;
  return colon.test(text) ? colon.lastIndex : undefined;
}

/** Whether it can stand in a row as it is: JSON, but no string, which would be taken for a text that is not JSON. */
function isPlain(bytes: Buffer): boolean {
  const value = isUtf8(bytes) ? parseOrUndefined(bytes.toString()) : undefined;
  return value !== undefined && typeof value !== 'string';
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
