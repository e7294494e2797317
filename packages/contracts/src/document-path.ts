import { faultOfLine, hasManyMarks } from './characters.ts';

const PERCENT = 37;
const MAX_BYTES = 4;

/**
 * A text with its percent-encoded bytes read as UTF-8 where they are, and otherwise one by one; once, and what is no
 * encoding stays. Without a regular expression and its callbacks, which took ten times as long: a request may have
 * megabytes of it.
 */
export function percentDecode(text: string): string {
  let decoded = '';
  let copied = 0;
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at)) {
    const lead = byteAt(text, at);
    if (lead === -1) {
      at += 1;
      continue;
    }
    const length = lead < 0x80 ? 1 : lengthOfUtf8(text, at, lead);
    decoded += text.slice(copied, at) + String.fromCodePoint(length > 1 ? codePointAt(text, at, length) : lead);
    at += 3 * Math.max(1, length);
    copied = at;
  }
  return copied === 0 ? text : decoded + text.slice(copied);
}

/** The byte that is encoded here; -1 where none is. */
function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1;
  const [high, low] = [digitAt(text, at + 1), digitAt(text, at + 2)];
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function digitAt(text: string, at: number): number {
  const character = text.charCodeAt(at);
  if (character >= 48 && character <= 57) return character - 48;
  const lower = character | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** How many bytes the character has that begins here, as RFC 3629 has it; 0 where it is no UTF-8. */
function lengthOfUtf8(text: string, at: number, lead: number): number {
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? MAX_BYTES : 0;
  for (let index = 1; index < length; index += 1) {
    const byte = byteAt(text, at + 3 * index);
    const least = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < least || byte > most) return 0;
  }
  return length;
}

function codePointAt(text: string, at: number, length: number): number {
  let point = byteAt(text, at) & (0xff >> (length + 1));
  for (let index = 1; index < length; index += 1) point = point * 64 + (byteAt(text, at + 3 * index) & 0x3f);
  return point;
}

/** No legitimate path is encoded this often; one that is still encoded then is refused. */
const MAX_ENCODINGS = 3;
/** One more `25` than that for a percent sign. */
const ENCODED_TOO_OFTEN = /%(?:25){4}/;
// Overlong UTF-8 and the old %uXXXX, which some decoders read as a dot or a slash.
const ENCODED_ODDLY = /%(?:c[01]|e0%[89]|f0%8|u[0-9a-f]{4})/i;
const NOT_ASCII_ENCODED = /%[89a-f][0-9a-f]/i;
// A dot, a slash, a backslash or a control character.
const ENCODED_TO_HIDE = /%(?:2[ef]|5c|[01][0-9a-f]|7f)/i;
/** Matches nearly every path, and none that the rules below would refuse. */
const PLAIN_PATH = /^[\w-]+(?:[./][\w-]+)*$/;
const BLANK_NAME = /(?:^|\/)\s*(?=\/|$)/;
// Each searches the whole path once: a path can have hundreds of parts, and a request thousands of paths.
const NO_NAME = /(?:^|\/)(?:\s*\.\.?\s*)?(?=[;/]|$)/;

/**
 * A path as it follows the root: without the one slash that may stand before it. Two paths that differ only by that slash
 * name the same document (behaviour 2.3.5).
 */
export const pathBelowRoot = (path: string): string => (path.startsWith('/') ? path.slice(1) : path);

/**
 * Whether every part of a path is a plain name, even for software that percent-decodes it, however often, cuts off
 * `;parameters`, trims white space or normalises compatibility characters (`．．／`).
 */
export function staysBelowRoot(path: string): boolean {
  if (PLAIN_PATH.test(path)) return true;
  if (BLANK_NAME.test(path) || ENCODED_TOO_OFTEN.test(path)) return false;
  if (mayHide(path)) return false;
  let decoded = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings += 1) {
    // Once, in the end: what makes a part no name stays where it is, since none of it belongs to an encoding.
    if (!decoded.includes('%')) return hasNames(decoded);
    if (ENCODED_ODDLY.test(decoded) || ENCODED_TO_HIDE.test(decoded)) return false;
    const before = decoded;
    decoded = percentDecode(decoded);
    if (decoded === before) return hasNames(decoded);
    // More of ASCII hides nothing that has not been looked at.
    if (NOT_ASCII_ENCODED.test(before) && mayHide(decoded)) return false;
  }
  return false;
}

const mayHide = (path: string) => faultOfLine(path) !== undefined || hasManyMarks(path);

const hasNames = (path: string) => !NO_NAME.test(path.normalize('NFKC'));
