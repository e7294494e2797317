import type { JsonCode } from '@causeway/contracts';

const MAX_SHOWN_KEY_LENGTH = 100;

/**
 * Whether a key cannot be spelled without an escape. V8 14 reads `{"a":1,"\"":2}` as `{"a":1,"\\":2}` once it has read the
 * latter: what one client sent would change what another's means, and what is stored of it.
 */
export const isAlwaysEscaped = (key: string) => JSON.stringify(key) !== `"${key}"`;
export const ALWAYS_ESCAPED_DETAIL = 'A key may not have a quotation mark, a backslash or a control character.';

/** Thrown where a text is not sane JSON; its message never repeats what the text holds. */
export class JsonRefusal extends Error {
  override readonly name = 'JsonRefusal';
  readonly code: JsonCode;
  /** Dotted path of the field to blame; undefined where it is the text as a whole. */
  readonly attr: string | undefined;

  constructor(code: JsonCode, detail: string, attr?: string) {
    super(detail);
    this.code = code;
    this.attr = attr;
  }
}

/** A key as an answer may show it: what was refused is not sent back, nor is a megabyte of it. */
export function showKey(key: string | number): string {
  return String(key).slice(0, MAX_SHOWN_KEY_LENGTH).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Says where a text stops being JSON. `source` is what the sentence calls it. */
export function notJson(text: string, source: string): JsonRefusal {
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
