import type { DoubtCode } from '@causeway/contracts';

/** A word in place of a missing value, as programs and spreadsheets write it; `Null` is a family name. */
const PLACEHOLDER = /^(?:nan|NaN|None|NULL|N\/A|#[A-Z0-9/]{1,8}[!?]|#N\/A)$/;

/** What a spreadsheet makes of a number that is too long, or whose column has an empty cell. */
const DAMAGED_NUMBER = /^(?:\d+\.0|\d(?:[.,]\d+)?E\+\d{1,3}|\d{15}0{2,})$/i;

/** How the first byte of a character in UTF-8 looks in Windows-1252, with a second one behind it; or what replaced one. */
const MAY_BE_DECODED_WRONGLY =
  /\uFFFD|[\u00C2-\u00F4][\u0080-\u00BF\u0152-\u0192\u02C6\u02DC\u2013-\u203A\u20AC\u2122]/;

/** Fields that hold identifiers: an amount or a reading may be 123.0. */
const IDENTIFIER = /(?:^|_)(?:identifier|number|id|reference|mpxn|mpid)$/;

/** Whether there may be a doubt: quick, since nearly no text of any request has one. */
export function mayBeDoubtful(text: string, field: string): boolean {
  const first = text.charCodeAt(0);
  if (first >= DIGIT_0 && first <= DIGIT_9) {
    const mayBeDamaged = text.endsWith('0') || text.includes('+');
    if (mayBeDamaged && DAMAGED_NUMBER.test(text) && IDENTIFIER.test(field)) return true;
  } else if ((first === SMALL_N || first === CAPITAL_N || first === HASH) && PLACEHOLDER.test(text)) {
    return true;
  }
  return MAY_BE_DECODED_WRONGLY.test(text);
}

const codeOf = (character: string) => character.charCodeAt(0);
const [DIGIT_0, DIGIT_9] = [codeOf('0'), codeOf('9')];
const [SMALL_N, CAPITAL_N, HASH] = [codeOf('n'), codeOf('N'), codeOf('#')];

/** What is doubtful about a text, judging by it and by the name of its field alone. */
export function doubtOfText(text: string, field: string): DoubtCode | undefined {
  if (PLACEHOLDER.test(text)) return 'placeholder';
  if (DAMAGED_NUMBER.test(text)) return IDENTIFIER.test(field) ? 'damaged_number' : undefined;
  return MAY_BE_DECODED_WRONGLY.test(text) && isDecodedWrongly(text) ? 'wrongly_decoded_text' : undefined;
}

const BYTES_OF_WINDOWS_1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [new TextDecoder('windows-1252').decode(Uint8Array.of(byte)), byte]),
);
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The text as Windows-1252 bytes is shorter text in UTF-8: nobody writes that by chance. */
function isDecodedWrongly(text: string): boolean {
  if (text.includes('\uFFFD')) return true;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = BYTES_OF_WINDOWS_1252.get(character);
    if (byte === undefined) return false;
    bytes.push(byte);
  }
  try {
    return UTF_8.decode(Uint8Array.from(bytes)).length < text.length;
  } catch {
    return false;
  }
}
