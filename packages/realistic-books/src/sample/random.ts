/** A stream of choices that is the same for the same seed, on any machine and in any year. */
export interface Random {
  /** A whole number between the two, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** `count` different items in random order; fewer where there are fewer. */
  pickSome<Item>(items: readonly Item[], count: number): Item[];
  /** `count` decimal digits; the first may be 0. */
  digits(count: number): string;
}

/** Deterministic randomness from a text: FNV-1a turns it into the state of a mulberry32 generator. Not for secrets. */
export function createRandom(seed: string): Random {
  let state = hashOf(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pickSome = <Item>(items: readonly Item[], count: number) => {
    const left = [...items];
    const picked: Item[] = [];
    while (picked.length < count && left.length > 0) picked.push(...left.splice(between(0, left.length - 1), 1));
    return picked;
  };
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const [item] = pickSome(items, 1);
      if (item === undefined) throw new RangeError('There is nothing to pick from');
      return item;
    },
    pickSome,
    digits: (count) => Array.from({ length: count }, () => between(0, 9)).join(''),
  };
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
