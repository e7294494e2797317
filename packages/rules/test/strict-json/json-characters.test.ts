import { expect, test } from 'vitest';
import { endOfString, SHORT_STRING } from '../../src/strict-json/json-characters.ts';
import { parseStrictJson } from '../../src/strict-json/strict-json.ts';

const read = (json: Uint8Array | string) => parseStrictJson(json, 'request body');

const ESCAPES = ['', '\\\\', '\\"', '\\\\\\"', '\\"\\\\', '\\\\\\\\', '\\"\\"', '\\n'];

test.each(ESCAPES)('11.3 a string ends at its own quote, wherever %j stands in it', (escaped) => {
  for (let length = SHORT_STRING - 8; length <= SHORT_STRING + 8; length += 1) {
    for (const rest of ['', 'tail', 'x'.repeat(100)]) {
      const string = `"${'x'.repeat(length)}${escaped}${rest}"`;
      expect(endOfString(`[${string},"another"]`, 1), string).toBe(string.length);
      expect(endOfString(`[${string.slice(0, -1)}`, 1), string).toBe(-1);
      expect(read(`{"a":${string},"b":1}`)).toEqual({ a: JSON.parse(string), b: 1 });
    }
  }
});
