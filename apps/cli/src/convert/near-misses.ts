import type { Store } from './store.ts';

/** A text without what exports change: case, spaces, zeros in front, and a `.0` behind. */
export function loosely(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '')
    .replace(/\.0$/, '')
    .replace(/^0+(?=.)/, '');
}

/** Accounts without rows of their own, and accounts that are nearly called so. */
export interface NearMisses {
  /** By the number without an account, those of accounts. */
  near: ReadonlyMap<string, readonly string[]>;
  /** By the number of an account, those without one. */
  nearTo: ReadonlyMap<string, readonly string[]>;
}

/** So many numbers without an account are looked at, which is more than anybody reads. */
const MAX_LOOKED_AT = 100_000;

/** Finds which numbers without an account nearly match one that has. The first `accounts` numbers have one. */
export function findNearMisses({ database }: Store, accounts: number): NearMisses {
  const unmatched = new Map<string, string[]>();
  const others = database.prepare(
    'SELECT account FROM "causeway accounts" WHERE position > ? ORDER BY position LIMIT ?',
  );
  for (const { account } of others.iterate(accounts, MAX_LOOKED_AT))
    add(unmatched, loosely(String(account)), String(account));
  const near = new Map<string, string[]>();
  const nearTo = new Map<string, string[]>();
  if (unmatched.size === 0) return { near, nearTo };
  const all = database.prepare('SELECT account FROM "causeway accounts" WHERE position <= ? ORDER BY position');
  for (const { account } of all.iterate(accounts)) {
    for (const other of unmatched.get(loosely(String(account))) ?? []) {
      add(near, other, String(account));
      add(nearTo, String(account), other);
    }
  }
  return { near, nearTo };
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
