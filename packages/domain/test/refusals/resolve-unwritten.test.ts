import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { resolveUnwritten } from '../../src/index.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const COLLECTED = 250;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that refuses its first statements, and what the others of them resolve. */
function failingDatabase(failures: number) {
  const resolved: { id: string; at: Date }[] = [];
  let left = failures;
  const query = async (_statement: unknown, { ids, ats }: { ids: string[]; ats: Date[] }) => {
    left -= 1;
    if (left >= 0) throw new Error('terminating connection due to administrator command');
    resolved.push(...ids.map((id, index) => ({ id, at: ats[index] as Date })));
    return [];
  };
  const context = { database: { query }, clock: () => new Date(), importSuppliers: {} } as unknown as Context;
  return { context, resolved };
}

test('4.15.4 a success that wrote nothing resolves what was refused, also if the database fails at first', async () => {
  const { context, resolved } = failingDatabase(2);
  const at = new Date();
  await resolveUnwritten(context, ID, 'validate');
  await vi.advanceTimersByTimeAsync(COLLECTED);
  await vi.advanceTimersByTimeAsync(COLLECTED);
  expect(resolved).toEqual([]);
  await vi.advanceTimersByTimeAsync(COLLECTED);
  expect(resolved).toEqual([{ id: ID, at }]);
  await vi.advanceTimersByTimeAsync(10 * COLLECTED);
  expect(resolved).toHaveLength(1);
});

test('4.15.4 a newer success takes the place of one that failed', async () => {
  const { context, resolved } = failingDatabase(1);
  await resolveUnwritten(context, ID, 'validate');
  await vi.advanceTimersByTimeAsync(COLLECTED);
  const at = new Date();
  await resolveUnwritten(context, ID, 'validate');
  await vi.advanceTimersByTimeAsync(COLLECTED);
  expect(resolved).toEqual([{ id: ID, at }]);
});
