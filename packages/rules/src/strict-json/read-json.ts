import { isUtf8 } from 'node:buffer';
import { JsonReader } from './json-reader.ts';
import { JsonRefusal } from './json-refusal.ts';

/**
 * Reads JSON as `JSON.parse` does, in one pass, and refuses what JSON.parse lets pass though it is ambiguous, dangerous or
 * lost further on (behaviour 11.3): `invalid_utf8`, `nul_character`, `lone_surrogate`, `duplicate_key`, `forbidden_key`
 * (`__proto__`, and what is always escaped), `too_deep` (over 32 levels), `too_many_values`, `too_many_keys`,
 * `number_too_precise`; and `invalid_json` for the rest. Throws a JsonRefusal with that code and, where a field is to
 * blame, its path. `source` is what the sentence calls the text: `request body`.
 */
export function parseStrictJson(json: Uint8Array | string, source: string): unknown {
  const text = typeof json === 'string' ? json : decodeUtf8(json, source);
  return new JsonReader(text, source).read();
}

/**
 * The text for anyone who parses it again: no key has an escape any more, which V8 14 may read as another one. Throws what
 * `parseStrictJson` throws.
 */
export function plainJson(text: string, source: string): string {
  const value = parseStrictJson(text, source);
  if (!text.includes('\\')) return text;
  return JSON.stringify(value);
}

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
