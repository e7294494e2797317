import { faultOfLine, hasManyMarks } from './characters.ts';
import { percentDecode } from './percent-decode.ts';

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
