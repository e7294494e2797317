import { LIMITS } from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import type { Actor } from '../shared/actor.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context, Dependencies } from '../shared/context.ts';
import { COMPARE_RANGE } from './compare-range.sql.ts';
import { FINISH_RECONCILIATION } from './finish-reconciliation.sql.ts';
import { digestOfDifferences } from './list-differences.ts';
import {
  BEGIN_ROUND,
  FIND_RECONCILIATION_WORK,
  NEXT_RANGE,
  PUT_RANGE_OFF,
  READ_RANGES_AGAIN,
  REMOVE_DIFFERENCES,
  TAKE_RECONCILIATION,
} from './run-ranges.sql.ts';

/** A reconciliation that has not ended. */
export type ReconciliationWork = RowOf<typeof FIND_RECONCILIATION_WORK>;

export function findReconciliationWork(database: Queryable): Promise<ReconciliationWork[]> {
  return database.query(FIND_RECONCILIATION_WORK, {});
}

/**
 * What was done: `nothing` if somebody else has the reconciliation, or it has ended; `put_off` if a comparison failed,
 * or has failed just before.
 */
export type RangeResult =
  | { result: 'compared'; accounts: number }
  | { result: 'read_again' }
  | { result: 'finished'; verdict: string }
  | { result: 'nothing' }
  | { result: 'put_off'; cause?: unknown };

/** How many ranges are read again in one transaction: together about as many rows as a comparison reads. */
const READ_TOGETHER = 10;

/**
 * Does the next part of a reconciliation (behaviour 23.2): compares one range; or, once all are compared, reads some
 * again, to see whether they have changed since; or gives the verdict. The transaction, which holds the row of the
 * reconciliation, is the lease: a part is done or not, and one at a time. Beyond `maxStored` differences are counted
 * and not stored. Throws if the database is at fault.
 */
export async function runRanges(
  dependencies: Dependencies,
  { id }: ReconciliationWork,
  maxStored: number = LIMITS.reconciliation_differences,
): Promise<RangeResult> {
  const { database, clock } = dependencies;
  const attempt: { number?: number } = {};
  try {
    return await database.transaction((transaction) =>
      runWithin({ dependencies, transaction, id, maxStored }, attempt),
    );
  } catch (error) {
    if (attempt.number === undefined) throw error;
    await database.query(PUT_RANGE_OFF, { id, number: attempt.number, now: clock() });
    return { result: 'put_off', cause: error };
  }
}

interface Running {
  dependencies: Dependencies;
  transaction: Queryable;
  id: string;
  maxStored: number;
}

type Taken = RowOf<typeof TAKE_RECONCILIATION>;
type Next = RowOf<typeof NEXT_RANGE>;

async function runWithin(running: Running, attempt: { number?: number }): Promise<RangeResult> {
  const { dependencies, transaction, id } = running;
  const now = dependencies.clock();
  const [taken] = await transaction.query(TAKE_RECONCILIATION, { id });
  if (taken === undefined) return { result: 'nothing' };
  const [next] = await transaction.query(NEXT_RANGE, { id, now });
  if (next === undefined) throw new Error('An aggregate has answered nothing');
  if (taken.round === 0) await transaction.query(BEGIN_ROUND, { id, now, round: 1 });
  if (taken.read_again === 0 && next.undone > 0) return compare(running, { taken, next, attempt });
  if (taken.read_again < next.ranges) {
    const { manifest_id, import_supplier_code, read_again } = taken;
    await transaction.query(READ_RANGES_AGAIN, {
      id,
      manifest_id,
      import_supplier_code,
      read_again,
      ranges: READ_TOGETHER,
    });
    return { result: 'read_again' };
  }
  if (next.undone > 0 && taken.round < LIMITS.reconciliation_rounds) {
    await transaction.query(BEGIN_ROUND, { id, now, round: taken.round + 1 });
    return { result: 'read_again' };
  }
  return finish(running, taken);
}

async function compare(
  { dependencies, transaction, id, maxStored }: Running,
  { taken, next, attempt }: { taken: Taken; next: Next; attempt: { number?: number } },
): Promise<RangeResult> {
  const { number, from_id, to_id, round } = next;
  if (number === null) return { result: 'put_off' };
  attempt.number = number;
  if (round !== 0) await transaction.query(REMOVE_DIFFERENCES, { id, from_id, to_id });
  const [compared] = await transaction.query(COMPARE_RANGE, {
    reconciliation_id: id,
    manifest_id: taken.manifest_id,
    import_supplier_code: taken.import_supplier_code,
    ...{ number, from_id, to_id },
    round: Math.max(taken.round, 1),
    room: Math.max(maxStored - Number(next.stored_of_others), 0),
    now: dependencies.clock(),
  });
  if (compared === undefined) throw new Error(`The range ${number} of the reconciliation ${id} is gone`);
  return { result: 'compared', accounts: compared.compared };
}

async function finish({ dependencies, transaction, id }: Running, taken: Taken): Promise<RangeResult> {
  const [finished] = await transaction.query(FINISH_RECONCILIATION, {
    ...auditValues(contextOf(dependencies, id, taken), id),
    differences_digest: await digestOfDifferences(transaction, id),
  });
  if (finished === undefined) throw new Error(`The reconciliation ${id} was not running`);
  return { result: 'finished', verdict: finished.verdict };
}

/** On behalf of who asked for it. */
function contextOf(dependencies: Dependencies, id: string, { created_by: apiKeyId, organisation_id }: Taken): Context {
  const actor: Actor =
    organisation_id === null
      ? { kind: 'staff', apiKeyId }
      : { kind: 'organisation', organisationId: organisation_id, apiKeyId };
  return { ...dependencies, actor, requestId: `reconciliation:${id}` };
}
