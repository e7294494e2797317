/** How many names are suggested at most. */
const SUGGESTIONS = 3;

/** Of the known paths those that are most like a header, the best first: in spelling, or in their last words. */
export function closestNames(header: string, known: readonly string[]): string[] {
  const written = plain(header);
  return known
    .map((path) => ({ path, distance: distanceTo(written, path) }))
    .filter(({ distance }) => distance <= Math.max(2, written.length / 3))
    .sort((one, other) => one.distance - other.distance || one.path.length - other.path.length)
    .slice(0, SUGGESTIONS)
    .map(({ path }) => path);
}

/** From so many letters on, a name may have two mistakes: of a shorter one, another word would be left. */
const LONG = 8;

/** The known name that a wrong one was meant to be: all but one slip of the hand, or two in a long name. */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  const most = plain(name).length < LONG ? 1 : 2;
  return known.find((one) => one !== name && editDistance(plain(name), plain(one)) <= most);
}

/** To the whole path or to its end: a header often names the field alone. */
function distanceTo(written: string, path: string): number {
  const parts = path.split('.');
  const ends = parts.map((_part, start) => editDistance(written, plain(parts.slice(start).join('.'))));
  return Math.min(...ends.map((distance, start) => distance + (start > 0 ? 0.5 : 0)));
}

const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.\d+\./g, '.0.')
    .replace(/[^a-z0-9]/g, '');

/** How many letters have to be changed, added, left out or swapped with the next one (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
