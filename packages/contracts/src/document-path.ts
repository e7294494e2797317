import { faultOfLine, hasManyMarks } from './characters.ts';

/** Nobody encodes a path as often as that; what is still encoded then is refused. */
const MAX_ENCODINGS = 3;
/** One more `25` than that for a percent sign. */
const ENCODED_TOO_OFTEN = /%(?:25){4}/;
const NEXT = '%[89ab][0-9a-f]';
const UTF_8 = [
  ...['%[0-7][0-9a-f]', `%(?:c[2-9a-f]|d[0-9a-f])${NEXT}`],
  ...[`%e0%[ab][0-9a-f]${NEXT}`, `%e[1-9abcef]${NEXT}${NEXT}`, `%ed%[89][0-9a-f]${NEXT}`],
  ...[`%f0%[9ab][0-9a-f]${NEXT}${NEXT}`, `%f[1-3]${NEXT}${NEXT}${NEXT}`, `%f4%8[0-9a-f]${NEXT}${NEXT}`],
];
// What is not UTF-8 is a character a byte. It is told apart here since to catch an error takes as long as to judge a path.
const ENCODED = new RegExp(`((?:${UTF_8.join('|')})+)|%([0-9a-f]{2})`, 'gi');
// Overlong UTF-8 and the old %uXXXX, which some decoders read as a dot or a slash.
const ENCODED_ODDLY = /%(?:c[01]|e0%[89]|f0%8|u[0-9a-f]{4})/i;
// A dot, a slash, a backslash or a control character.
const ENCODED_TO_HIDE = /%(?:2[ef]|5c|[01][0-9a-f]|7f)/i;
/** Nearly every path, and nothing that the rules below would refuse. */
const PLAIN_PATH = /^[\w-]+(?:[./][\w-]+)*$/;
const BLANK_NAME = /(?:^|\/)\s*(?=\/|$)/;
// Each searches the whole path once: a path has hundreds of parts, and a request thousands of paths.
const NO_NAME = /(?:^|\/)(?:\s*\.\.?\s*)?(?=[;/]|$)/;

/**
 * Whether every part of a path is a name in which nothing is hidden, also for those who percent-decode it, however often,
 * who cut off `;parameters`, trim white space or take compatibility characters (`．．／`) for what they stand for.
 */
export function staysBelowRoot(path: string): boolean {
  if (PLAIN_PATH.test(path)) return true;
  if (BLANK_NAME.test(path) || ENCODED_TOO_OFTEN.test(path)) return false;
  let decoded = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings += 1) {
    if (faultOfLine(decoded) !== undefined || hasManyMarks(decoded)) return false;
    if (NO_NAME.test(decoded.normalize('NFKC'))) return false;
    if (!decoded.includes('%')) return true;
    if (ENCODED_ODDLY.test(decoded) || ENCODED_TO_HIDE.test(decoded)) return false;
    const before = decoded;
    decoded = decoded.replace(ENCODED, decodeBytes);
    if (decoded === before) return true;
  }
  return false;
}

function decodeBytes(_encoded: string, text: string | undefined, byte: string): string {
  return text === undefined ? String.fromCharCode(Number.parseInt(byte, 16)) : decodeURIComponent(text);
}
