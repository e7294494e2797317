import { isUtf8 } from 'node:buffer';
import { JsonReader } from './json-reader.ts';
import { JsonRefusal } from './json-refusal.ts';

/**
 * Reads JSON as `JSON.parse` does, in one pass, and refuses what JSON.parse lets pass though it is ambiguous, dangerous or
 * lost further on (behaviour 11.3): `invalid_utf8`, `nul_character`, `lone_surrogate`, `duplicate_key`, `forbidden_key`
 * (`__proto__`), `too_deep` (over 32 levels), `too_many_values`, `too_many_keys`, `number_too_precise`; and
 * `invalid_json` for the rest. Throws a JsonRefusal with that code and, where a field is to blame, its path. `source`
 * is what the sentence calls the text: `request body`.
 */
export function parseStrictJson(json: Uint8Array | string, source: string): unknown {
  const text = typeof json === 'string' ? json : decodeUtf8(json, source);
  return new JsonReader(text, source).read();
}

/**
 * The text for anyone who parses it again; throws what `parseStrictJson` throws. Its escapes are spelled as JSON.stringify
 * does: V8 14 reads `{"a":1,"\u0062":2}` as `{"a":1,"\\":2}` after it has read that, so that what one client sent
 * would change what another's means.
 */
export function plainJson(text: string, source: string): string {
  const value = parseStrictJson(text, source);
  if (!text.includes('\\')) return text;
  return JSON.stringify(value, (_key, item) => (item === Infinity || item === -Infinity ? tooLarge(item) : item));
}

/** JSON has no infinite number: one that is too large for a double stays one. The types of TypeScript lack rawJSON. */
const tooLarge = (number: number) =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(number > 0 ? '1e999' : '-1e999');

/** Returns the value if it is a JSON object; throws `not_an_object` if not. */
export function requireObject(value: unknown, source: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new JsonRefusal('not_an_object', `The ${source} must be a JSON object, but it is ${found}.`);
}

/** The text of valid UTF-8; throws `invalid_utf8` otherwise. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  if (!isUtf8(bytes)) throw new JsonRefusal('invalid_utf8', `The ${source} is not valid UTF-8.`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
