import { LIMITS } from '@causeway/contracts';
import { type Database, fragment, sql } from '@causeway/db';
import { NO_TYPES } from '../shared/conditions.sql.ts';
import {
  ADD_UP_CHANGES,
  ADD_UP_INCOMPLETE,
  FIND_TOO_MANY_UNSTAGED,
  PURGE_RESOLVED_REFUSALS,
  REMOVE_SOLVED_PROBLEMS,
  REMOVE_UNSTAGED,
} from './keep-problems.sql.ts';

/** So that no statement takes long. */
const ADDED_UP_AT_ONCE = 20_000;
const REMOVED_AT_ONCE = 1_000;
const MINUTE_MS = 60 * 1_000;
/** Longer than a call takes. */
const SETTLED_AFTER_MS = MINUTE_MS;
/** Longer than the clocks of two instances differ. */
const SETTLED_AGAIN_AFTER_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a resolved refusal is kept. */
const RESOLVED_FOR_DAYS = 30;

/**
 * What the refusals need every few seconds (behaviour 4.15). The changes of the problems are added up, so that a reader
 * has few of them to add, and so are the counts of incomplete accounts. A refusal that was written while its account
 * was being created, skipped or erased is settled, also after a stop. Of account numbers that were never staged, each
 * import supplier keeps the newest `refusals_of_unstaged` (a limit). Safe to run on several instances.
 */
export async function keepProblems(database: Database, now: Date): Promise<void> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  await database.query(SETTLE_LATE_REFUSALS, {
    now,
    recently: before(SETTLED_AFTER_MS),
    long_ago: before(SETTLED_AGAIN_AFTER_MS),
    difference: SETTLED_AGAIN_AFTER_MS / 1_000,
  });
  await addUpIncomplete(database);
  const changed = await addUp(database);
  if (changed.size > 0) await removeTooMany(database, [...changed]);
}

/** Adds up all changes; the import suppliers that had any. */
async function addUp(database: Database): Promise<Set<string>> {
  const changed = new Set<string>();
  for (;;) {
    const [row] = await database.query(ADD_UP_CHANGES, { limit: ADDED_UP_AT_ONCE });
    for (const code of row?.codes ?? []) changed.add(code);
    if ((row?.changes ?? 0) < ADDED_UP_AT_ONCE) return changed;
  }
}

/** Removes the oldest of too many refusals of numbers that were never staged. */
async function removeTooMany(database: Database, codes: string[]): Promise<void> {
  const limit = LIMITS.refusals_of_unstaged;
  for (const tooMany of await database.query(FIND_TOO_MANY_UNSTAGED, { codes, limit })) {
    await repeat(() => database.query(REMOVE_UNSTAGED, { ...tooMany, limit: REMOVED_AT_ONCE }));
  }
}

/** Adds up the counts of incomplete accounts. What is left of them, one an import supplier, may fill some of a run. */
async function addUpIncomplete(database: Database): Promise<void> {
  for (;;) {
    const [row] = await database.query(ADD_UP_INCOMPLETE, { limit: ADDED_UP_AT_ONCE });
    if ((row?.replaced ?? 0) < ADDED_UP_AT_ONCE / 2) return;
  }
}

/** Removes what was resolved 30 days ago or earlier, and the problems that no account has any more. */
export async function purgeResolvedRefusals(database: Database, now: Date): Promise<void> {
  const resolved_before = new Date(now.getTime() - RESOLVED_FOR_DAYS * DAY_MS);
  await repeat(() => database.query(PURGE_RESOLVED_REFUSALS, { resolved_before, limit: REMOVED_AT_ONCE }));
  await database.query(REMOVE_SOLVED_PROBLEMS, {});
}

async function repeat(remove: () => Promise<unknown[]>): Promise<void> {
  for (;;) {
    if ((await remove()).length < REMOVED_AT_ONCE) return;
  }
}

const KEY = fragment`refusal.account_import_id, refusal.operation, refusal.reported`;

/** The imports that the payload of `import` carries (behaviour 4.17). */
const CARRIED = fragment`array_remove(ARRAY[
        CASE WHEN import.payload->'notes' <> '[]' THEN 'notes' END,
        CASE WHEN import.payload->'statements' <> '[]' THEN 'statements' END,
        CASE WHEN import.payload->'transactions' <> '[]'
          OR import.payload->'historical_transactions' <> '[]'
          OR import.payload#>'{ledgers,0,current_statement_transactions}' <> '[]'
          OR import.payload#>'{ledgers,0,historical_statement_transactions}' <> '[]'
          THEN 'transactions' END,
        CASE WHEN import.payload ? 'payment_instruction' OR import.payload->'payment_instructions' <> '[]'
          THEN 'payment_instruction' END
      ], NULL)`;
/** What is left of a refused line where its account was created meanwhile: as if it had been refused first. */
const LEFT_OF_LINE = fragment`left_of_line(refusal, ${CARRIED}, ${NO_TYPES})`;

/**
 * Settles what was refused while its account was being created, undone, skipped or erased: neither saw what the other wrote.
 * What is not expected any more is resolved. One instance at a time does this.
 *
 * - `run`: looks at what was seen since `recently`. If that was last done before `long_ago`, as after a stop, it looks at
 *   everything since then, and as much before it as the clocks of two instances may differ (`difference`, in seconds).
 * - `late`: locked in the order of their key, as everyone does who settles several; unless it was refused again meanwhile,
 *   by a call that saw the creation.
 */
const SETTLE_LATE_REFUSALS = sql('settle-late-refusals')`
  WITH lock AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(4210005) AS held
  ),
  run AS MATERIALIZED (
    SELECT
      settled_at < ${'long_ago'} AS is_thorough,
      CASE
        WHEN settled_at < ${'long_ago'} THEN settled_at - ${'difference'}::integer * interval '1 second'
        ELSE ${'recently'}
      END AS since
    FROM lock, refusal_settlements
    WHERE held
  ),
  noted AS (
    UPDATE refusal_settlements
    SET settled_at = ${'now'}
    FROM run
    WHERE is_thorough
  ),
  found AS MATERIALIZED (
    SELECT ${KEY}, refusal.is_created
    FROM account_import_refusals AS refusal
    JOIN account_imports AS import ON import.id = refusal.account_import_id
    WHERE refusal.resolved_at IS NULL
      AND NOT refusal.is_created
      AND refusal.last_seen_at >= (SELECT since FROM run)
      AND (import.state IN ('COMPLETED', 'SKIPPED') OR import.erased_at IS NOT NULL)
    UNION ALL
    SELECT ${KEY}, refusal.is_created
    FROM (
      SELECT id
      FROM account_imports
      WHERE erased_at >= (SELECT since FROM run)
      UNION
      SELECT import.id
      FROM retired_service_account_numbers AS retired
      CROSS JOIN LATERAL (
        SELECT id
        FROM account_imports
        WHERE id = account_import_id AND state <> 'COMPLETED'
        OFFSET 0
      ) AS import
      WHERE retired_at >= (SELECT since FROM run)
      OFFSET 0
    ) AS gone
    CROSS JOIN LATERAL (
      SELECT *
      FROM account_import_refusals
      WHERE account_import_id = gone.id AND resolved_at IS NULL AND is_created
      OFFSET 0
    ) AS refusal
  ),
  late AS MATERIALIZED (
    SELECT refusal.*
    FROM (SELECT * FROM found ORDER BY account_import_id, operation, reported) AS found
    CROSS JOIN LATERAL (
      SELECT ${KEY}
      FROM account_import_refusals AS refusal
      WHERE (${KEY}) = (found.account_import_id, found.operation, found.reported) AND resolved_at IS NULL
        AND refusal.is_created = found.is_created
      FOR NO KEY UPDATE
    ) AS refusal
  )
  UPDATE account_import_refusals AS refusal
  SET
    is_staged = true,
    is_created = import.state = 'COMPLETED',
    detail = CASE WHEN refusal.operation = 'line' AND import.state = 'COMPLETED' THEN ${LEFT_OF_LINE} ELSE refusal.detail END,
    lacking = CASE WHEN refusal.operation = 'line' AND import.state = 'COMPLETED' THEN '{}' ELSE refusal.lacking END,
    resolved_at = CASE
      WHEN import.state = 'SKIPPED' THEN import.skipped_at
      WHEN import.erased_at IS NOT NULL
        OR (refusal.is_created AND import.state <> 'COMPLETED')
        OR (refusal.operation = 'line' AND ${LEFT_OF_LINE} = '{}')
        OR (refusal.reported = '' AND (
          refusal.operation IN ('validate', 'process', 'dry_run')
          OR (refusal.last_seen_at <= import.completed_at
            AND refusal.operation = ANY (${CARRIED})
            AND NOT lacks_instruction(refusal, ${NO_TYPES}))
        ))
        THEN ${'now'}::timestamptz
    END
  FROM late
  JOIN account_imports AS import ON import.id = late.account_import_id
  WHERE refusal.account_import_id = ANY (ARRAY(SELECT account_import_id FROM late))
    AND (${KEY}) = (late.account_import_id, late.operation, late.reported)`;
