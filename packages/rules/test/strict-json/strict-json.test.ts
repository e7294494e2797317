import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAlwaysEscaped, JsonRefusal } from '../../src/strict-json/json-refusal.ts';
import { parseStrictJson, plainJson, requireObject } from '../../src/strict-json/read-json.ts';

const read = (json: Uint8Array | string) => parseStrictJson(json, 'request body');

/** A value whose objects are lists of entries, so that it can have the same key twice. */
type Entries = { entries: [string, Entries][] } | { items: Entries[] } | { scalar: string | number | boolean | null };

const { entries } = fc.letrec<{ entries: Entries }>((tie) => ({
  entries: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ scalar: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)) }),
    fc.record({ entries: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'ä', '"', '\\', '__proto__'), tie('entries'))) }),
    fc.record({ items: fc.array(tie('entries')) }),
  ),
}));

function render(value: Entries, escapeKeys: () => boolean): string {
  if ('scalar' in value) return JSON.stringify(value.scalar);
  if ('items' in value) return `[${value.items.map((item) => render(item, escapeKeys)).join(' ,')}]`;
  const texts = value.entries.map(([key, item]) => `${spell(key, escapeKeys)}: ${render(item, escapeKeys)}`);
  return `{${texts.join(',\n')}}`;
}

function spell(key: string, escapeKeys: () => boolean): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return escapeKeys() ? `"${[...key].map(escaped).join('')}"` : JSON.stringify(key);
}

function isAmbiguous(value: Entries): boolean {
  if ('scalar' in value) return false;
  if ('items' in value) return value.items.some(isAmbiguous);
  const keys = value.entries.map(([key]) => key);
  return (
    new Set(keys).size < keys.length ||
    keys.some((key) => key === '__proto__' || isAlwaysEscaped(key)) ||
    value.entries.some(([, v]) => isAmbiguous(v))
  );
}

function refusalOf(json: Uint8Array | string): { code: string; attr: string | undefined; detail: string } {
  try {
    read(json);
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    return { code: error.code, attr: error.attr, detail: error.message };
  }
  throw new Error('was accepted');
}

function outcomeOf(parse: (text: string) => unknown, text: string): { value: unknown } | { error: unknown } {
  try {
    return { value: parse(text) };
  } catch (error) {
    return { error };
  }
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('11.3 strict JSON', () => {
  test('11.3 reads any sane JSON value as JSON.parse does', () => {
    const strings = fc.string({ unit: 'grapheme', maxLength: 20 });
    const keys = strings.filter((text) => text !== '__proto__' && !isAlwaysEscaped(text));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.oneof(strings, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
        fc.dictionary(keys, tie('value')),
        fc.array(tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (sane, indent) => {
        const text = JSON.stringify(sane, undefined, indent);
        expect(read(text)).toEqual(JSON.parse(text));
        expect(read(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('11.3 accepts nothing that JSON.parse refuses, and refuses with a code', () => {
    const noise = fc.constantFrom(...'{}[]",:\\/ \n\t\0\u0001\uFEFF0123456789-+.eEutrfalsn\ud800x', '\\u', '\\"', '""');
    const edit = fc.tuple(fc.nat(), fc.nat({ max: 3 }), noise);
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.array(edit, { minLength: 1, maxLength: 4 }), (json, edits) => {
        const text = edits.reduce((current, [position, removed, inserted]) => {
          const at = position % (current.length + 1);
          return current.slice(0, at) + inserted + current.slice(at + removed);
        }, json);
        const strict = outcomeOf(read, text);
        if ('error' in strict) expect(strict.error).toBeInstanceOf(JsonRefusal);
        else expect(strict).toEqual(outcomeOf(JSON.parse, text));
      }),
      { numRuns: 5_000 },
    );
  });

  test('11.3 reads a key by its meaning, whatever it is spelled like and was read before', () => {
    const text = (spelled: string) => `{"customers": 1, ${spelled}: 2}`;
    // As other parts of the process may, of a token's head for example.
    for (const spelled of ['"\\\\"', '"x\\\\"']) for (let time = 0; time < 50; time += 1) JSON.parse(text(spelled));
    const keysOf = (value: unknown) => Object.keys(value as object)[1];
    for (const [spelled, key] of [
      ['"\\u0061"', 'a'],
      ['"x\\u0061"', 'xa'],
      ['"\\u00e9"', 'é'],
    ] as const) {
      expect(keysOf(read(text(spelled)))).toBe(key);
      expect(keysOf(JSON.parse(plainJson(text(spelled), 'request body')))).toBe(key);
    }
    expect(refusalOf('{"\\q": 1}').code).toBe('invalid_json');
  });

  test('11.3.5 refuses a key that cannot be spelled without an escape: V8 confuses it with others', () => {
    const detail = 'A key may not have a quotation mark, a backslash or a control character.';
    for (const key of ['"', '\\', 'a\n', '\u001f']) {
      const text = JSON.stringify({ a: { [key]: 1 } });
      expect(refusalOf(text)).toEqual({ code: 'forbidden_key', attr: `a.${key}`, detail });
    }
  });

  test('11.3 refuses a key given twice and a forbidden one however they are spelled, and nothing else', () => {
    fc.assert(
      fc.property(entries, fc.infiniteStream(fc.boolean()), (value, escapes) => {
        const text = render(value, () => escapes.next().value);
        const strict = outcomeOf(read, text);
        expect('error' in strict, text).toBe(isAmbiguous(value));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['{"a": 1, "a": 2}', 'duplicate_key', 'a'],
    ['{"a": 1, "\\u0061": 2}', 'duplicate_key', 'a'],
    ['{"a": [{}, {"b": {"c": 1, "d": {"c": 2}, "c": 3}}]}', 'duplicate_key', 'a.1.b.c'],
    ['{"": 1, "": 2}', 'duplicate_key', undefined],
    ['{"a": {"__proto__": {"admin": true}}}', 'forbidden_key', 'a.__proto__'],
    ['{"\\u005f_proto__": 1}', 'forbidden_key', '__proto__'],
    ['{"notes": [{"body": "x"}, {"body": "a\\u0000b"}]}', 'nul_character', 'notes.1.body'],
    ['{"a": "x", "b\\u0000": 1}', 'nul_character', 'b\uFFFD'],
    ['"\\u0000"', 'nul_character', undefined],
    ['{"a": "\0"}', 'nul_character', undefined],
    ['{"a": {"b": ["x", "\\ud800"]}}', 'lone_surrogate', 'a.b.1'],
    ['{"a": "\\ude00\\ud83d"}', 'lone_surrogate', 'a'],
    ['{"\\udfff": 1}', 'lone_surrogate', '\uFFFD'],
  ])('11.3 refuses %j with %s and names %s', (json, code, attr) => {
    expect(refusalOf(json)).toMatchObject({ code, attr });
  });

  test('11.3 accepts the same key in different objects, escaped pairs and a key named constructor', () => {
    const text = '[{"a": "{\\"a\\": 1}"}, {"a": "\\ud83d\\ude00", "constructor": 1, "toString": 2}]';
    const second: Record<string, unknown> = { a: '😀', constructor: 1, toString: 2 };
    expect(read(text)).toEqual([{ a: '{"a": 1}' }, second]);
  });

  test('11.3 accepts 32 levels and refuses 33, 5,000 and a million', () => {
    expect(read(nested(32))).toEqual(JSON.parse(nested(32)));
    expect(read(`[${'[],'.repeat(100)}[]]`)).toHaveLength(101);
    for (const levels of [33, 5_000, 1_000_000]) expect(refusalOf(nested(levels)).code).toBe('too_deep');
    expect(refusalOf('{"a":'.repeat(33)).code).toBe('too_deep');
  });

  test.each([
    ['a byte that starts nothing', [0x22, 0xff, 0x22]],
    ['a cut sequence', [0x22, 0xc3, 0x22]],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('11.3 refuses invalid UTF-8: %s', (_name, bytes) => {
    expect(refusalOf(Uint8Array.from(bytes)).code).toBe('invalid_utf8');
  });

  test.each([
    ['', 'The request body is empty. Send a JSON object.'],
    [' \r\n\t', 'The request body is empty. Send a JSON object.'],
    ['\uFEFF{}', 'The request body starts with a byte order mark, which JSON does not allow. Leave it out.'],
    ['{"name": "Ann",\n}', 'The request body is not valid JSON: see line 2, column 1.'],
    ['{"name": "Ann"', 'The request body is not valid JSON: see line 1, column 15.'],
    ["{'name': 'Ann'}", 'The request body is not valid JSON: see line 1, column 2.'],
    ['{"name": NaN}', 'The request body is not valid JSON.'],
    ['{"name": "Ann"} {}', 'The request body is not valid JSON: see line 1, column 17.'],
    ['{"name": "A\nnn"}', 'The request body is not valid JSON: see line 1, column 12.'],
  ])('11.3 refuses %j as invalid JSON, in words of our own and without the data', (json, detail) => {
    expect(refusalOf(json)).toEqual({ code: 'invalid_json', attr: undefined, detail });
    expect(refusalOf(Buffer.from(json))).toMatchObject({ detail });
  });

  test.each(['1e400', '-1e309', `1${'0'.repeat(400)}`])(
    '11.3.6 refuses %s, which is larger than a double can be',
    (number) => {
      const detail = 'This number is larger than a double can be.';
      expect(refusalOf(`{"a": [${number}]}`)).toEqual({ code: 'number_too_precise', attr: 'a.0', detail });
    },
  );

  test('11.3 spells the text plainly for anyone who parses it again, and changes nothing in it', () => {
    const text = '{"\\u0061": [1e300, "Infinity", "\\n"]}';
    expect(plainJson(text, 'request body')).toBe('{"a":[1e+300,"Infinity","\\n"]}');
  });

  test('11.3 names a long key by its beginning only', () => {
    const key = 'k'.repeat(10_000);
    expect(refusalOf(`{"${key}": 1, "${key}": 2}`).attr).toBe('k'.repeat(100));
  });

  test.each([
    ['[]', 'an array'],
    ['null', 'null'],
    ['"{}"', 'a string'],
    ['1', 'a number'],
    ['true', 'a boolean'],
  ])('11.3 refuses %s where an object is wanted', (json, found) => {
    const parsed = read(json);
    const detail = `The request body must be a JSON object, but it is ${found}.`;
    expect(() => requireObject(parsed, 'request body')).toThrow(
      expect.objectContaining({ code: 'not_an_object', message: detail }),
    );
    expect(requireObject({ a: 1 }, 'request body')).toEqual({ a: 1 });
  });
});
