import type { Database, Queryable } from '@causeway/db';
import {
  END_SHARING,
  FIND_NEVER_COMPARED,
  LOCK_COMPARISON,
  MOVE_PLACE,
  READ_NEVER_COMPARED,
  READ_PLACE,
  REMARK_SHARED,
  SHARE,
  TAKE_CHANGED,
  WRITE_OCCUPANCIES,
} from './compare-meter-points.sql.ts';

/**
 * Small enough that no call waits noticeably for the rows that one transaction writes. The others are for accounts of so
 * many meter points that a statement of the first one would run out of time.
 */
const COMPARED_AT_ONCE = [200, 10, 1];

/**
 * Finds the meter points that are in two accounts of an import supplier at the same time, and remarks both (behaviour
 * 4.18.6): of the accounts that were staged since the last run, and of those that were staged again, skipped, unskipped or
 * erased. What a transaction has compared and how far it has come are committed together, so that a killed worker
 * loses nothing. It ends when nothing is left, or `forMs` have passed. False: another instance is comparing.
 */
export async function compareMeterPoints(
  database: Database,
  clock: () => Date,
  forMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const end = performance.now() + forMs;
  const compareSome = async (code: string | undefined, [limit = 1, ...smaller]: readonly number[]): Promise<Left> => {
    try {
      return await database.transaction((transaction) => compareNext(transaction, { now: clock(), code, limit }));
    } catch (error) {
      if (smaller.length === 0) throw error;
      return compareSome(code, smaller);
    }
  };
  const compareAll = async (code?: string): Promise<Left> => {
    for (;;) {
      const left = await compareSome(code, COMPARED_AT_ONCE);
      if (left !== 'some' || performance.now() >= end) return left;
    }
  };
  const all: Left[] = [await compareAll()];
  for (const { code } of await database.query(FIND_NEVER_COMPARED, {})) {
    if (performance.now() < end) all.push(await compareAll(code), await compareAll());
  }
  return !all.includes('to others');
}

/** What is left to compare: `later` what calls are writing now. */
type Left = 'some' | 'nothing' | 'later' | 'to others';

/** Which accounts are compared: those of a supplier that never were or, without a code, those that have changed. */
interface Comparison {
  now: Date;
  code: string | undefined;
  limit: number;
}

async function compareNext(transaction: Queryable, { now, code, limit }: Comparison): Promise<Left> {
  const [lock] = await transaction.query(LOCK_COMPARISON, {});
  if (!lock?.held) return 'to others';
  const ids = await (code === undefined
    ? takeChanged(transaction, limit)
    : takeNeverCompared(transaction, code, limit));
  if (ids.length === 0) return 'nothing';
  await transaction.query(WRITE_OCCUPANCIES, { ids });
  await transaction.query(END_SHARING, { ids });
  await transaction.query(SHARE, { ids });
  const busy = await transaction.query(REMARK_SHARED, { ids, now });
  return busy.length === 0 ? 'some' : 'later';
}

async function takeChanged(transaction: Queryable, limit: number): Promise<string[]> {
  const changed = await transaction.query(TAKE_CHANGED, { limit });
  return [...new Set(changed.map(({ account_import_id }) => account_import_id))];
}

async function takeNeverCompared(transaction: Queryable, code: string, limit: number): Promise<string[]> {
  const [place] = await transaction.query(READ_PLACE, { code });
  if (place === undefined) return [];
  const found = await transaction.query(READ_NEVER_COMPARED, { ...place, code, limit });
  const passed = BigInt(place.before) - 1n;
  const staging_order = found.length < limit ? String(passed) : found.at(-1)?.staging_order;
  await transaction.query(MOVE_PLACE, { code, after: place.after, staging_order: staging_order ?? place.after });
  return found.map(({ id }) => id);
}
