import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasManyMarks } from '../src/characters.ts';

const MARK = /[\p{M}\uff9e\uff9f]/u;

/** The length of the longest run of marks, counted one by one. */
function longestRun(text: string): number {
  let [run, longest] = [0, 0];
  for (const character of text) {
    run = MARK.test(character) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

const MARKS = ['\u0300', '\u0301', '\u093f', '\uff9e', '\u{11101}', '\u{e0100}'];
const OTHERS = ['a', 'é', '\ufdfa', '😀', '\ud83d', '\udc00'];
const runs = fc
  .tuple(fc.constantFrom(...MARKS, ...OTHERS), fc.integer({ min: 1, max: 35 }))
  .map(([character, count]) => character.repeat(count));

test('2.1 more than 30 marks in a row are found wherever they stand, whatever is around them', () => {
  const texts = fc.array(runs, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      expect(hasManyMarks(text)).toBe(longestRun(text) > 30);
    }),
    { numRuns: 2_000 },
  );
});

test.each(MARKS)('2.1 identifiers: 31 of the mark %j are found at every place of a text, and 30 are not', (mark) => {
  for (let before = 0; before < 70; before += 1) {
    expect(hasManyMarks('a'.repeat(before) + mark.repeat(31))).toBe(true);
    expect(hasManyMarks(`${'a'.repeat(before)}${mark.repeat(30)}b${mark.repeat(30)}`)).toBe(false);
  }
});
