import { isUtf8 } from 'node:buffer';
import type { JsonCode } from '@causeway/contracts';
import { countStrings, countStringsIn } from './count-strings.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, endOfString, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-characters.ts';
import { JsonRefusal } from './json-refusal.ts';
import { refuseExcess } from './refuse-excess.ts';
import { refuseImpreciseNumbers } from './refuse-imprecise-numbers.ts';

const MAX_DEPTH = 32;
const MAX_SHOWN_KEY_LENGTH = 100;

/** Where the scan is. For each open level: the keys its object has shown (an array has none), and its key or index. */
interface Place {
  depth: number;
  keys: (Set<string> | undefined)[];
  at: (string | number)[];
}

/**
 * Reads JSON as `JSON.parse` does, and refuses what JSON.parse lets pass though it is ambiguous, dangerous or lost
 * further on (behaviour 11.3): `invalid_utf8`, `nul_character`, `lone_surrogate`, `duplicate_key`, `forbidden_key`
 * (`__proto__`), `too_deep` (over 32 levels), `too_many_values`, `too_many_keys`, `number_too_precise`; and
 * `invalid_json` for the rest. Throws a JsonRefusal with that code and, where a field is to blame, its path. `source`
 * is what the sentence calls the text: `request body`.
 */
export function parseStrictJson(json: Uint8Array | string, source: string): unknown {
  return read(typeof json === 'string' ? json : decodeUtf8(json, source), source).value;
}

/** The text, with its keys spelled plainly, for whoever parses it again; throws what `parseStrictJson` throws. */
export function plainJson(text: string, source: string): string {
  return read(text, source).plain;
}

/** Whether `JSON.parse` takes no more time and memory than the length of a text lets one expect: few values, few levels. */
export function isParsedFast(text: string): boolean {
  try {
    return !refuseExcess(text, MAX_DEPTH, 'text');
  } catch {
    return false;
  }
}

function read(text: string, source: string): { value: unknown; plain: string } {
  refuseExcess(text, MAX_DEPTH, source);
  const result = readSane(text, source);
  refuseImpreciseNumbers(text);
  return result;
}

function readSane(text: string, source: string): { value: unknown; plain: string } {
  const strings = countStrings(text, MAX_DEPTH);
  if (strings !== undefined) {
    const value = parseOrUndefined(text);
    // A key that appears again takes the earlier one's place, so that fewer strings are left than the text has.
    if (value !== undefined && countStringsIn(value) === strings) return { value, plain: text };
  }
  const plain = scan(text);
  try {
    return { value: JSON.parse(plain), plain };
  } catch {
    throw refusalOf(text, source);
  }
}

/** Where it is no JSON, what is wrong with it is left to the scan. */
function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a JSON object; throws `not_an_object` if not. */
export function requireObject(value: unknown, source: string): Record<string, unknown> {
  if (isObject(value)) return value;
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new JsonRefusal('not_an_object', `The ${source} must be a JSON object, but it is ${found}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of valid UTF-8; throws `invalid_utf8` otherwise. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  if (!isUtf8(bytes)) throw new JsonRefusal('invalid_utf8', `The ${source} is not valid UTF-8.`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

/**
 * One pass over what must be JSON. Where it is not, the scan may stop or misread: JSON.parse refuses such text anyway.
 * Returns the text with its keys as JSON.stringify writes them: V8 14 reads `{"a":1,"\u0062":2}` as `{"a":1,"\\":2}`
 * after it has read that, so that what one client sent would change what another's means.
 */
function scan(text: string): string {
  const place: Place = { depth: -1, keys: [], at: [] };
  let keyComesNext = false;
  let plain = '';
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE: {
        const start = index;
        index = endOfString(text, start);
        if (index === -1) return text;
        const escaped = text.slice(start, index).includes('\\');
        const string = escaped ? parseOrUndefined(text.slice(start, index + 1)) : text.slice(start + 1, index);
        if (typeof string !== 'string') return text;
        if (keyComesNext) enterKey(place, string);
        else if (escaped) checkString(place, string, 'value');
        if (keyComesNext && escaped) {
          plain += text.slice(copied, start) + JSON.stringify(string);
          copied = index + 1;
        }
        keyComesNext = false;
        break;
      }
      case COMMA:
        if (place.depth < 0) return text;
        keyComesNext = place.keys[place.depth] !== undefined;
        if (!keyComesNext) place.at[place.depth] = Number(place.at[place.depth]) + 1;
        break;
      case OPEN_BRACE:
        enterLevel(place, new Set(), '');
        keyComesNext = true;
        break;
      case OPEN_BRACKET:
        enterLevel(place, undefined, 0);
        keyComesNext = false;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        place.depth -= 1;
        keyComesNext = false;
        if (place.depth < 0) return plain + text.slice(copied);
        break;
    }
  }
  return plain + text.slice(copied);
}

function enterLevel(place: Place, keys: Set<string> | undefined, at: string | number): void {
  place.depth += 1;
  if (place.depth >= MAX_DEPTH) {
    throw new JsonRefusal('too_deep', `Objects and arrays may be nested ${MAX_DEPTH} levels deep, not deeper.`);
  }
  place.keys[place.depth] = keys;
  place.at[place.depth] = at;
}

function enterKey(place: Place, key: string): void {
  const keys = place.keys[place.depth];
  place.at[place.depth] = key;
  if (key === '__proto__') throw refusalAt(place, 'forbidden_key', 'The key __proto__ is not allowed.');
  checkString(place, key, 'key');
  if (keys?.has(key)) throw refusalAt(place, 'duplicate_key', 'This key appears more than once in its object.');
  keys?.add(key);
}

function checkString(place: Place, text: string, role: 'key' | 'value'): void {
  if (text.includes('\0')) throw refusalAt(place, 'nul_character', `This ${role} contains a NUL character.`);
  if (!text.isWellFormed()) {
    throw refusalAt(
      place,
      'lone_surrogate',
      `This ${role} contains half of a surrogate pair: it is not valid Unicode.`,
    );
  }
}

function refusalAt(place: Place, code: JsonCode, detail: string): JsonRefusal {
  const path = place.at
    .slice(0, place.depth + 1)
    .map(showKey)
    .join('.');
  return new JsonRefusal(code, detail, path === '' ? undefined : path);
}

/** A key as an answer may show it: what was refused is not sent back, nor is a megabyte of it. */
function showKey(key: string | number): string {
  return String(key).slice(0, MAX_SHOWN_KEY_LENGTH).replaceAll('\0', '\uFFFD').toWellFormed();
}

function refusalOf(text: string, source: string): JsonRefusal {
  if (text.includes('\0')) return new JsonRefusal('nul_character', `The ${source} contains a NUL character.`);
  return new JsonRefusal('invalid_json', `The ${source} ${reasonOf(text)}`);
}

function reasonOf(text: string): string {
  if (text.charCodeAt(0) === 0xfeff) return 'starts with a byte order mark, which JSON does not allow. Leave it out.';
  if (text.trim() === '') return 'is empty. Send a JSON object.';
  const position = /line (\d+) column (\d+)/.exec(complaintAbout(text));
  if (position === null) return 'is not valid JSON.';
  return `is not valid JSON: see line ${position[1]}, column ${position[2]}.`;
}

function complaintAbout(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
