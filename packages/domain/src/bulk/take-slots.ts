import { processSlotKey } from '../shared/process-locks.ts';
import type { Writing } from './bulk-work.ts';
import { TAKE_SLOTS } from './claim-chunk.sql.ts';

/** Thrown within a chunk's transaction: all slots of the import supplier that bulk may use are taken. */
export class NoSlots extends Error {
  override readonly name = 'NoSlots';
}

/**
 * How many lines may be done now, at most `wanted`. Where the import supplier limits how many accounts are created at
 * the same time, each line holds one of its slots until the transaction ends; a quarter of them, and at least one if
 * there are several, is left to callers who wait for an answer.
 */
export async function takeSlots({ context, supplier, work }: Writing, wanted: number): Promise<number> {
  const { process_concurrency_limit: limit, code } = supplier;
  if (limit === null || work.kind === 'STAGE') return wanted;
  const kept = Math.min(limit - 1, Math.max(1, Math.floor(limit / 4)));
  const range = { first: kept + 1, last: limit, first_slot: processSlotKey(code) };
  const [row] = await context.database.query(TAKE_SLOTS, { ...range, wanted });
  if (row === undefined || row.slots === 0) throw new NoSlots();
  return row.slots;
}
