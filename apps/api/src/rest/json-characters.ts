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

/**
 * The index of a string's closing quote, or -1. Character by character on purpose: V8's optimiser moves an indexOf out of
 * the condition it stands under, and one for the next backslash then reads to the end of the text for every string.
 */
export function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) return index;
    if (character === BACKSLASH) index += 1;
  }
  return -1;
}

/** Whether the string that ends here is a key. */
export function isKey(text: string, end: number): boolean {
  if (text.charCodeAt(end + 1) === COLON) return true;
  REST_OF_KEY.lastIndex = end + 1;
  return REST_OF_KEY.test(text);
}
