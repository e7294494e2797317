/** The characters that structure JSON, as `charCodeAt` gives them. */
export const QUOTE = 34;
export const COMMA = 44;
export const COLON = 58;
export const BACKSLASH = 92;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

const REST_OF_KEY = /[ \t\n\r]*:/y;

/** Nearly every string is shorter: the loop finds its end before a search has begun. */
export const SHORT_STRING = 64;

/**
 * The index of a string's closing quote, or -1. Without a search for the next backslash: V8's optimiser moves an
 * indexOf out of the condition it stands under, and that one would read to the end of the text for every string.
 */
export function endOfString(text: string, start: number): number {
  const short = Math.min(text.length, start + SHORT_STRING);
  let index = start + 1;
  for (; index < short; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) return index;
    if (character === BACKSLASH) index += 1;
  }
  return endOfLongString(text, index);
}

/** The same from within a string, from where no escape stands across: a tenth of a loop's time. */
export function endOfLongString(text: string, start: number): number {
  let index = text.indexOf('"', start);
  while (index !== -1 && isEscaped(text, start, index)) index = text.indexOf('"', index + 1);
  return index;
}

function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Whether the string that ends here is a key. */
export function isKey(text: string, end: number): boolean {
  if (text.charCodeAt(end + 1) === COLON) return true;
  REST_OF_KEY.lastIndex = end + 1;
  return REST_OF_KEY.test(text);
}
