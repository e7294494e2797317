import { grouped } from '../terminal/numbers.ts';

/** Shorter texts are codes, which have a length of their own. */
const SHORTEST_CUT = 10;
const LEAST_CUT = 3;

/**
 * What is said of a column whose texts end at one length, as those of a field that was too short do: several different
 * texts are the longest, and more than twice as many as have a character less. Otherwise empty.
 */
export function wordsOfCut(values: readonly string[]): string {
  // As they are: one that was cut may end with a space. The same sentence with another day or number was not cut.
  const texts = new Set(values.map((value) => value.replaceAll(/\d/g, '9')));
  const longest = Math.max(0, ...Array.from(texts, (text) => text.length));
  const ofLength = (length: number) => [...texts].filter((text) => text.length === length);
  const cut = ofLength(longest);
  const areWords = cut.filter(isOfWords).length * 2 > cut.length;
  const isPile = cut.length > 2 * ofLength(longest - 1).length && cut.length * 2 < texts.size;
  if (longest < SHORTEST_CUT || cut.length < LEAST_CUT || !areWords || !isPile) return '';
  return `; ${grouped(cut.length)} different values have ${longest} characters, and none has more: they may have been cut`;
}

const isOfWords = (text: string) => text.includes(' ') && (text.match(/\p{L}/gu)?.length ?? 0) * 2 > text.length;
