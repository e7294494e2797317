import { z } from 'zod';
import { limitText } from './limits.ts';

/** What PostgreSQL cannot store in JSON, as `JSON.stringify` escapes it: NUL and halves of surrogate pairs. */
const UNSTORABLE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/;

interface Bounds {
  bytes: number;
  fields?: number;
}

/** The issue of a value that is no JSON, too large, or cannot be stored; it never repeats a key of the value. */
function faultOf(value: unknown, { bytes, fields }: Bounds): Partial<z.core.$ZodRawIssue> | undefined {
  if (value === undefined) return { code: 'invalid_type', expected: 'nonoptional' };
  if (fields !== undefined) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { code: 'invalid_type', expected: 'object' };
    }
    if (Object.keys(value).length > fields) return { code: 'too_big', origin: 'record', maximum: fields };
  }
  const json = JSON.stringify(value);
  if (!hasAtMost(json, bytes)) {
    const message = `Must be at most ${limitText(bytes)} bytes of JSON.`;
    return { code: 'custom', message, params: { code: 'max_bytes' } };
  }
  if (!UNSTORABLE.test(json)) return undefined;
  const message = 'Must not contain NUL characters or halves of surrogate pairs.';
  return { code: 'custom', message, params: { code: 'invalid_characters' } };
}

function hasAtMost(json: string, bytes: number): boolean {
  return json.length * 3 <= bytes || (json.length <= bytes && new TextEncoder().encode(json).length <= bytes);
}

/** Whether a value has at most so many bytes as compact JSON. */
export function isWithin(value: unknown, bytes: number): boolean {
  return hasAtMost(JSON.stringify(value), bytes);
}

/** The check of a value's size as compact JSON and, of an object, of its number of fields. */
export function within(bounds: Bounds) {
  return ({ value, issues }: z.core.ParsePayload): void => {
    const fault = faultOf(value, bounds);
    if (fault !== undefined) issues.push({ ...fault, input: value } as z.core.$ZodRawIssue);
  };
}

/** Any JSON value, null included, of up to so many bytes. It is kept as it is. */
export function anyJson(bytes: number): z.ZodUnknown {
  return z.unknown().check(within({ bytes }));
}

/** Any JSON object of up to so many bytes and fields. It is kept as it is: none of its keys is undocumented. */
export function anyObject(bytes: number, fields: number): z.ZodType<Record<string, unknown>> {
  const schema = z.unknown().check(within({ bytes, fields })).meta({ type: 'object', maxProperties: fields });
  return schema as unknown as z.ZodType<Record<string, unknown>>;
}
