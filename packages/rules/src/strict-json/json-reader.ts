import { type JsonCode, LIMITS, limitText } from '@causeway/contracts';
import { detailOf, endOfNumber, survivesDouble } from './json-numbers.ts';
import { ALWAYS_ESCAPED_DETAIL, isAlwaysEscaped, JsonRefusal, notJson, showKey } from './json-refusal.ts';

const MAX_DEPTH = 32;
/** A shorter text cannot have too many different keys. */
const SHORT_LENGTH = 65_536;
/** A key with escapes takes as long to read as some others. */
const ESCAPED_KEY_VALUES = 4;
const WORDS: Readonly<Record<string, { word: string; value: boolean | null }>> = {
  t: { word: 'true', value: true },
  f: { word: 'false', value: false },
  n: { word: 'null', value: null },
};
const [QUOTE, COMMA, COLON, BACKSLASH] = [34, 44, 58, 92];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];
/** The first character that a string may have unescaped. */
const SPACE = 32;
const [TAB, LINE_FEED, CARRIAGE_RETURN] = [9, 10, 13];

/** Descends into one text. Where it is, it has read all before `#at`; `#path` leads there. */
export class JsonReader {
  readonly #text: string;
  readonly #source: string;
  readonly #isWellFormed: boolean;
  readonly #path: (string | number)[] = [];
  /** Of a long text. */
  readonly #keys: Set<string> | undefined;
  #at = 0;
  #values = 0;

  constructor(text: string, source: string) {
    this.#text = text;
    this.#source = source;
    this.#keys = text.length > SHORT_LENGTH ? new Set() : undefined;
    this.#isWellFormed = text.isWellFormed();
  }

  read(): unknown {
    const value = this.#value(this.#space());
    this.#space();
    if (this.#at < this.#text.length) throw this.#notJson();
    return value;
  }

  /** The value that begins with this character. */
  #value(first: number): unknown {
    if (first === QUOTE) {
      this.#count(1);
      return this.#string('value');
    }
    if (first === OPEN_BRACE) return this.#object();
    if (first === OPEN_BRACKET) return this.#array();
    const { word, value } = WORDS[this.#text[this.#at] ?? ''] ?? {};
    if (word === undefined) return this.#number();
    if (!this.#text.startsWith(word, this.#at)) throw this.#notJson();
    this.#at += word.length;
    return value;
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    let next = this.#enter('');
    if (next === CLOSE_BRACE) return this.#leave(object);
    for (;;) {
      if (next !== QUOTE) throw this.#notJson();
      const key = this.#key(object);
      if (this.#space() !== COLON) throw this.#notJson();
      this.#at += 1;
      object[key] = this.#value(this.#space());
      next = this.#space();
      if (next === CLOSE_BRACE) return this.#leave(object);
      next = this.#comma(next);
    }
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    let next = this.#enter(0);
    if (next === CLOSE_BRACKET) return this.#leave(items);
    for (;;) {
      this.#path[this.#path.length - 1] = items.length;
      items.push(this.#value(next));
      next = this.#space();
      if (next === CLOSE_BRACKET) return this.#leave(items);
      next = this.#comma(next);
    }
  }

  #key(object: object): string {
    const start = this.#at;
    const key = this.#string('key');
    const isEscaped = this.#at - start !== key.length + 2;
    this.#count(isEscaped ? 1 + ESCAPED_KEY_VALUES : 1);
    this.#path[this.#path.length - 1] = key;
    if (isEscaped && isAlwaysEscaped(key)) throw this.#refusal('forbidden_key', ALWAYS_ESCAPED_DETAIL);
    if (key === '__proto__') throw this.#refusal('forbidden_key', 'The key __proto__ is not allowed.');
    if (Object.hasOwn(object, key)) {
      throw this.#refusal('duplicate_key', 'This key appears more than once in its object.');
    }
    if (this.#keys !== undefined) this.#countKey(this.#keys, key);
    return key;
  }

  #string(role: 'key' | 'value'): string {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    let isEscaped = false;
    for (let character = text.charCodeAt(end); character !== QUOTE; character = text.charCodeAt(end)) {
      // Also at the end of the text, where none exists.
      if (!(character >= SPACE)) throw this.#notJson();
      if (character === BACKSLASH) isEscaped = true;
      end += character === BACKSLASH ? 2 : 1;
    }
    this.#at = end + 1;
    const string = isEscaped ? this.#unescaped(start, end + 1) : text.slice(start + 1, end);
    if (!isEscaped && this.#isWellFormed) return string;
    if (role === 'key') this.#path[this.#path.length - 1] = string;
    if (string.includes('\0')) throw this.#refusal('nul_character', `This ${role} contains a NUL character.`);
    if (string.isWellFormed()) return string;
    throw this.#refusal('lone_surrogate', `This ${role} contains half of a surrogate pair: it is not valid Unicode.`);
  }

  #unescaped(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end));
    } catch {
      throw this.#notJson();
    }
  }

  #number(): number {
    const start = this.#at;
    const end = endOfNumber(this.#text, start);
    if (end === -1) throw this.#notJson();
    this.#at = end;
    const number = this.#text.slice(start, end);
    if (survivesDouble(number)) return Number(number);
    throw this.#refusal('number_too_precise', detailOf(number));
  }

  /** The next character that is no white space; NaN at the end. */
  #space(): number {
    let character = this.#text.charCodeAt(this.#at);
    while (character === SPACE || character === LINE_FEED || character === CARRIAGE_RETURN || character === TAB) {
      this.#at += 1;
      character = this.#text.charCodeAt(this.#at);
    }
    return character;
  }

  #comma(next: number): number {
    if (next !== COMMA) throw this.#notJson();
    this.#count(1);
    this.#at += 1;
    return this.#space();
  }

  #enter(place: string | number): number {
    if (this.#path.length >= MAX_DEPTH) {
      throw new JsonRefusal('too_deep', `Objects and arrays may be nested ${MAX_DEPTH} levels deep, not deeper.`);
    }
    this.#count(1);
    this.#path.push(place);
    this.#at += 1;
    return this.#space();
  }

  #leave<Value>(value: Value): Value {
    this.#path.pop();
    this.#at += 1;
    return value;
  }

  /** A number, `true`, `false` and `null` are known by their comma. */
  #count(values: number): void {
    this.#values += values;
    if (this.#values <= LIMITS.json_values) return;
    const most = limitText(LIMITS.json_values);
    const detail = `The ${this.#source} has more than ${most} keys, values and commas: send less at once.`;
    throw new JsonRefusal('too_many_values', detail);
  }

  #countKey(keys: Set<string>, key: string): void {
    keys.add(key);
    if (keys.size <= LIMITS.json_keys) return;
    const most = limitText(LIMITS.json_keys);
    throw new JsonRefusal('too_many_keys', `The ${this.#source} has more than ${most} different keys.`);
  }

  #refusal(code: JsonCode, detail: string): JsonRefusal {
    const path = this.#path.map(showKey).join('.');
    return new JsonRefusal(code, detail, path === '' ? undefined : path);
  }

  #notJson(): JsonRefusal {
    return notJson(this.#text, this.#source);
  }
}
