/** Pseudorandom numbers, reproducible from a seed. */
export interface Random {
  readonly seed: number;
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  /** A whole number, both ends inclusive. */
  integer(from: number, to: number): number;
  /** One of the items; there must be one. */
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
  /** An independent stream: the draws of one part of a test do not affect another part. */
  fork(name: string): Random;
}

/** The mulberry32 generator: 32 bits of state, good enough to vary a test. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const random: Random = {
    seed,
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
    integer: (from, to) => from + Math.floor(random.next() * (to - from + 1)),
    pick(items) {
      const item = items[random.integer(0, items.length - 1)];
      if (item === undefined) throw new RangeError('There is nothing to pick from.');
      return item;
    },
    chance: (probability) => random.next() < probability,
    fork: (name) => createRandom(hash(`${seed} ${name}`)),
  };
  return random;
}

/** Tests draw the same in every run: anyone who wants other draws sets SEED. */
const SEED_OF_TESTS = 20_261_123;

/**
 * The seed from the variable SEED; without it that of all tests, or the given one. An invalid one is an Error, so that
 * a run never repeats something else silently.
 */
export function readSeed(otherwise = SEED_OF_TESTS): number {
  const { SEED: given } = process.env;
  if (given === undefined || given === '') return otherwise;
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32)
    throw new Error('SEED must be a whole number below 2^32.');
  return seed;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}
