import fc from 'fast-check';
import type { Fields } from './four-ways.ts';

/** What anybody may send in the place of anything. */
export const JUNK: readonly unknown[] = [
  ...[null, '', ' x', 'x\u200B', '2026-02-30', '2026-04-18', 'NL1 2AB', '123', 0, -1.5, 1e12, 1.001, true],
  ...[[], {}, [null], [[]], { a: null }],
];

/** What may be stored although something happened to it on its way. */
export const DOUBTFUL: readonly unknown[] = [
  ...['nan', '#REF!', 'SiÃ¢n', 'Ren\uFFFDe', '881.0', '1.2E+12', '1200023305968', 'ab.@ezweb.ne.jp', 'JE2 3XP'],
];

type Change = [container: number, place: number, isAdded: boolean, value: unknown];

/** Where in a value one of these stands in the place of a field, or beside it. */
export const changesOf = (values: readonly unknown[]): fc.Arbitrary<Change[]> =>
  fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean(), fc.constantFrom(...values)), { minLength: 1, maxLength: 4 });

/** A copy of what was to be sent, with these changes. */
export function changed(sent: Fields, changes: readonly Change[]): Fields {
  const copy = structuredClone(sent);
  for (const [container, place, isAdded, value] of changes) {
    const containers = containersIn(copy);
    const object = containers[container % containers.length] as Fields;
    const keys = Object.keys(object);
    const key = isAdded && !Array.isArray(object) ? 'undocumented' : keys[place % keys.length];
    if (key !== undefined) object[key] = structuredClone(value);
  }
  return copy;
}

function containersIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}
