import { LIMITS, limitText } from '@causeway/contracts';
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
import { JsonRefusal } from './json-refusal.ts';

/** A shorter text cannot hold so much that it takes long to parse. */
const SHORT_LENGTH = 65_536;
/** A key with escapes has to be spelled anew, which takes as long as some others. */
const ESCAPED_KEY_VALUES = 4;

/**
 * Refuses JSON that takes seconds to parse though it is not long: `too_many_values` where it has too many keys, values
 * and commas together (a number is known by its comma), `too_many_keys` where its objects have too many different keys,
 * since each of those is interned. What is not JSON, or deeper than `mostLevels`, may be miscounted: it is refused
 * anyway. Returns whether it is deeper.
 */
export function refuseExcess(text: string, mostLevels: number, source: string): boolean {
  if (text.length <= SHORT_LENGTH) return false;
  let levels = 0;
  // Keys count as strings too, and each as often as it stands there.
  let values = 0;
  let keys = 0;
  const different = differentKeys(text);
  // To tell keys apart costs more than to count them: only where there are many, and then as soon as it may show.
  let lookAt = LIMITS.json_keys + 1;
  for (let index = 0; index < text.length && values <= LIMITS.json_values; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) {
      values += 1;
      const start = index;
      index = endOfString(text, start);
      if (index === -1) break;
      if (isKey(text, index)) {
        keys += 1;
        if (text.slice(start, index).includes('\\')) values += ESCAPED_KEY_VALUES;
        if (keys === lookAt) {
          refuseManyKeys(different.upTo(index), source);
          lookAt *= 2;
        }
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
  if (values > LIMITS.json_values) {
    const most = limitText(LIMITS.json_values);
    throw new JsonRefusal(
      'too_many_values',
      `The ${source} has more than ${most} keys, values and commas: send less at once.`,
    );
  }
  if (keys > LIMITS.json_keys) refuseManyKeys(different.upTo(text.length), source);
  return levels > mostLevels;
}

function refuseManyKeys(different: number, source: string): void {
  if (different <= LIMITS.json_keys) return;
  const most = limitText(LIMITS.json_keys);
  throw new JsonRefusal('too_many_keys', `The ${source} has more than ${most} different keys.`);
}

/**
 * Counts the different keys of the text so far, each time from where it has been; at most one more than are allowed.
 */
function differentKeys(text: string): { upTo: (end: number) => number } {
  const different = new Set<string>();
  let at = 0;
  return {
    upTo(end) {
      for (; different.size <= LIMITS.json_keys; at += 1) {
        const start = text.indexOf('"', at);
        if (start === -1 || start > end) break;
        at = endOfString(text, start);
        if (at === -1) {
          at = text.length;
          break;
        }
        if (isKey(text, at)) different.add(text.slice(start, at));
      }
      return different.size;
    },
  };
}
