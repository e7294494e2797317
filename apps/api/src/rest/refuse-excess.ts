import { LIMITS } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfString,
  isKey,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-characters.ts';

/** A shorter text cannot hold so much that it takes long to parse. */
const SHORT_LENGTH = 65_536;
/** A key with escapes has to be spelled anew, which takes as long as some others. */
const ESCAPED_KEY_VALUES = 4;

/**
 * Refuses JSON that takes seconds to parse though it is not long: `too_many_values` where it has too many keys, values
 * and commas together (a number is known by its comma), `too_many_keys` where its objects have too many different keys,
 * since each of those is interned. What is not JSON, or deeper than `mostLevels`, may be miscounted: it is refused anyway.
 */
export function refuseExcess(text: string, mostLevels: number): void {
  if (text.length <= SHORT_LENGTH) return;
  const { values, keys } = count(text, mostLevels);
  if (values > LIMITS.json_values) {
    throw new DomainError(
      'too_many_values',
      `The body has more than ${LIMITS.json_values} keys, values and commas: send less at once.`,
    );
  }
  if (keys > LIMITS.json_keys) refuseManyKeys(text);
}

/** Keys count as strings too, and each as often as it stands there. */
function count(text: string, mostLevels: number): { values: number; keys: number } {
  let levels = 0;
  let values = 0;
  let keys = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      values += 1;
      const start = index;
      index = endOfString(text, start);
      if (index === -1) break;
      if (isKey(text, index)) {
        keys += 1;
        if (text.slice(start, index).includes('\\')) values += ESCAPED_KEY_VALUES;
      }
    } else if (character === COMMA) {
      values += 1;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      values += 1;
      levels += 1;
      if (levels > mostLevels) break;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      levels -= 1;
    }
  }
  return { values, keys };
}

function refuseManyKeys(text: string): void {
  const different = new Set<string>();
  for (let index = text.indexOf('"'); index !== -1; index = text.indexOf('"', index + 1)) {
    const start = index;
    index = endOfString(text, start);
    if (index === -1) return;
    if (!isKey(text, index)) continue;
    different.add(text.slice(start, index));
    if (different.size > LIMITS.json_keys) {
      throw new DomainError('too_many_keys', `The body has more than ${LIMITS.json_keys} different keys.`);
    }
  }
}
