import type { ImportOperation } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { LRUCache } from 'lru-cache';
import type { AccountKey } from '../account-key.ts';
import type { Context } from '../context.ts';
import { type ReportedCall, reportRows } from './report.ts';
import { RESOLVE_UNWRITTEN } from './resolve-unwritten.sql.ts';
import { SETTLE_UNWRITTEN } from './settle-refusals.sql.ts';

/** A success that wrote nothing, of which the database therefore knows nothing yet. */
interface Success {
  id: string;
  operation: ImportOperation;
  at: Date;
  database: Queryable;
}

/** What an instance remembers: which refusals it has itself written, and the successes that are yet to be looked up. */
interface Memory {
  refused: LRUCache<string, true>;
  waiting: Map<string, Success>;
  timer?: NodeJS.Timeout | undefined;
}

const MAX_REFUSED = 20_000;
const MAX_WAITING = 5_000;
const COLLECTED_FOR_MS = 250;

/** By the part of the context that an instance has one of. */
const memories = new WeakMap<object, Memory>();

function memoryOf({ importSuppliers }: Context): Memory {
  const known = memories.get(importSuppliers);
  if (known !== undefined) return known;
  const memory: Memory = {
    // With `max` lru-cache would allocate the place of all of them at every start.
    refused: new LRUCache({ maxSize: MAX_REFUSED, sizeCalculation: () => 1 }),
    waiting: new Map(),
  };
  memories.set(importSuppliers, memory);
  return memory;
}

const keyOf = (id: string, operation: ImportOperation) => `${operation} ${id}`;

/** A refusal was written: a success of this instance that comes later resolves it at once. */
export function noteRefusal(context: Context, id: string, operation: ImportOperation): void {
  const { refused, waiting } = memoryOf(context);
  const key = keyOf(id, operation);
  refused.set(key, true);
  waiting.delete(key);
}

/**
 * Resolves the open refusal of an operation that has succeeded without writing anything: a validation, a dry run, a
 * repeat of what the account already has. A statement of its own would cost such a success more than its work. So one
 * that this instance refused before is resolved before the success is answered. The others, which another instance may
 * have refused, are looked up together a quarter of a second later, and only what was refused before the success is
 * resolved.
 */
export async function resolveUnwritten(context: Context, id: string, operation: ImportOperation): Promise<void> {
  const { database, clock } = context;
  const memory = memoryOf(context);
  const key = keyOf(id, operation);
  const success = { id, operation, at: clock(), database };
  // Within a transaction the connection is lent: it must not be used later.
  if (memory.refused.delete(key) || context.ifUndone !== undefined) {
    await resolve(database, [success], () => 'infinity');
    return;
  }
  memory.waiting.set(key, success);
  if (memory.waiting.size >= MAX_WAITING) void resolveWaitingAgain(memory);
  else resolveSoon(memory);
}

/** The same of a success that wrote nothing and of which something is reported: at once, with the reports. */
export async function settleUnwritten(context: Context, key: AccountKey, call: ReportedCall): Promise<void> {
  const { id } = key;
  const { operation } = call;
  const { reports } = reportRows({ ...call, ...key, request_id: context.requestId });
  if (reports === undefined) return resolveUnwritten(context, id, operation);
  const values = { id, operation, at: context.clock(), reports: JSON.stringify(reports) };
  await context.database.query(SETTLE_UNWRITTEN, values);
  noteRefusal(context, id, operation);
}

/** Resolves what is waiting, before the service stops. */
export function resolveAllUnwritten(context: Pick<Context, 'importSuppliers'>): Promise<void> {
  const memory = memories.get(context.importSuppliers);
  return memory === undefined ? Promise.resolve() : resolveWaiting(memory);
}

function resolveSoon(memory: Memory): void {
  memory.timer ??= setTimeout(() => void resolveWaitingAgain(memory), COLLECTED_FOR_MS).unref();
}

/** Repeats what failed: there may be no other success that would resolve it. */
async function resolveWaitingAgain(memory: Memory): Promise<void> {
  await resolveWaiting(memory);
  if (memory.waiting.size > 0) resolveSoon(memory);
}

/** What fails waits again, unless a newer success of the same operation does. */
async function resolveWaiting(memory: Memory): Promise<void> {
  clearTimeout(memory.timer);
  memory.timer = undefined;
  const successes = [...memory.waiting.values()];
  memory.waiting.clear();
  const byDatabase = Map.groupBy(successes, ({ database }) => database);
  const resolutions = [...byDatabase].map(([database, those]) =>
    resolve(database, those, ({ at }) => at).catch(() => waitAgain(memory, those)),
  );
  await Promise.all(resolutions);
}

function waitAgain({ waiting }: Memory, successes: readonly Success[]): void {
  for (const success of successes) {
    const key = keyOf(success.id, success.operation);
    if (waiting.size < MAX_WAITING && !waiting.has(key)) waiting.set(key, success);
  }
}

async function resolve(
  database: Queryable,
  successes: readonly Success[],
  seenBefore: (success: Success) => Date | string,
): Promise<void> {
  await database.query(RESOLVE_UNWRITTEN, {
    ids: successes.map(({ id }) => id),
    operations: successes.map(({ operation }) => operation),
    ats: successes.map(({ at }) => at),
    seen_before: successes.map(seenBefore),
  });
}
