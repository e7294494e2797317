import { faultOfLine, hasManyMarks } from './characters.ts';

/** Nobody encodes a path as often as that; what is still encoded then is refused. */
const MAX_ENCODINGS = 3;
const ENCODED = /(?:%[0-9a-f]{2})+/gi;
// Overlong UTF-8 and the old %uXXXX, which some decoders read as a dot or a slash.
const ENCODED_ODDLY = /%(?:c[01]|e0%[89]|f0%8|u[0-9a-f]{4})/i;
// A dot, a slash, a backslash or a control character.
const ENCODED_TO_HIDE = /%(?:2[ef]|5c|[01][0-9a-f]|7f)/i;
/** Nearly every path, and nothing that the rules below would refuse. */
const PLAIN_PATH = /^[\w-]+(?:[./][\w-]+)*$/;
const MAY_LEAVE_FOLDER = /[;%.\s]|[^\x20-\x7e]/;

/**
 * Whether every part of a path is a name in which nothing is hidden, also for those who percent-decode it, however often,
 * who cut off `;parameters`, trim white space or take compatibility characters (`．．`) for what they stand for.
 */
export function staysBelowRoot(path: string): boolean {
  if (PLAIN_PATH.test(path)) return true;
  if (path.split('/').some((segment) => segment.trim() === '')) return false;
  let decoded = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings += 1) {
    if (faultOfLine(decoded) !== undefined || hasManyMarks(decoded) || !decoded.split('/').every(isName)) return false;
    if (!decoded.includes('%')) return true;
    if (ENCODED_ODDLY.test(decoded) || ENCODED_TO_HIDE.test(decoded)) return false;
    const before = decoded;
    decoded = decoded.replace(ENCODED, decodeBytes);
    if (decoded === before) return true;
  }
  return false;
}

function decodeBytes(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    // It is not UTF-8: a character a byte.
    return encoded.replace(/%(..)/g, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

function isName(segment: string): boolean {
  if (!MAY_LEAVE_FOLDER.test(segment)) return segment !== '';
  const plain = segment.normalize('NFKC');
  const end = plain.indexOf(';');
  const name = end === -1 ? plain : plain.slice(0, end);
  const trimmed = name.trim();
  return name !== '' && trimmed !== '.' && trimmed !== '..';
}
