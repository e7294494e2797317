import { type Database, sql } from '@causeway/db';

const INTERVAL_MS = 10_000;
/** After a count, for this many times as long as it took: it costs at most a twentieth of a core. */
const PAUSE = 20;
const DAY_MS = 86_400_000;

/**
 * Samples how many accounts of each import supplier are in which state (behaviour 14.9), if that is due. Any number of
 * instances may try: one of them does it.
 *
 * @returns how many import suppliers were counted
 */
export async function takeProgressSamples(database: Database, now: Date): Promise<number> {
  const taken = await database.query(TAKE_PROGRESS_SAMPLES, { now, interval_ms: INTERVAL_MS, pause: PAUSE });
  return taken.length;
}

/** Of the samples that are older than a day, leaves one in ten minutes. Safe to run concurrently. */
export async function thinProgressSamples(database: Database, now: Date): Promise<void> {
  await database.query(THIN_PROGRESS_SAMPLES, { before: new Date(now.getTime() - DAY_MS) });
}

/**
 * Counts the accounts of the import suppliers by state, if that is due and no other instance does it: `interval_ms`
 * after the last time, or `pause` times as long as that took. Those that are COMPLETE are counted once an hour.
 */
const TAKE_PROGRESS_SAMPLES = sql('count-progress-samples', { import_supplier_code: 'text' })`
  WITH lock AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(4210006) AS held
  ),
  latest AS MATERIALIZED (
    SELECT supplier.code, supplier.status, sample.at, sample.took_ms
    FROM lock
    CROSS JOIN import_suppliers AS supplier
    LEFT JOIN LATERAL (
      SELECT at, took_ms
      FROM progress_samples
      WHERE import_supplier_code = supplier.code
      ORDER BY at DESC
      LIMIT 1
    ) AS sample ON true
    WHERE held
  ),
  due AS MATERIALIZED (
    SELECT code
    FROM latest
    WHERE (status <> 'COMPLETE' OR coalesce(at <= ${'now'}::timestamptz - interval '1 hour', true))
      AND ${'now'}::timestamptz >= (
        SELECT coalesce(
          max(at + greatest(${'interval_ms'}::integer, ${'pause'}::integer * took_ms) * interval '1 millisecond'),
          '-infinity'
        )
        FROM latest
      )
  ),
  counted AS MATERIALIZED (
    SELECT code, staged, failed, skipped, completed, undone, (
      SELECT count(*)
      FROM (
        SELECT id
        FROM (
          SELECT id, accounts
          FROM import_problems
          WHERE import_supplier_code = due.code
          UNION ALL
          SELECT problem_id, change
          FROM import_problem_changes
          WHERE import_supplier_code = due.code
        ) AS known
        GROUP BY id
        HAVING sum(accounts) > 0
      ) AS open
    ) AS problems
    FROM due
    CROSS JOIN LATERAL (
      SELECT
        count(*) FILTER (WHERE state = 'STAGED') AS staged,
        count(*) FILTER (WHERE state = 'FAILED') AS failed,
        count(*) FILTER (WHERE state = 'SKIPPED') AS skipped,
        count(*) FILTER (WHERE state = 'COMPLETED') AS completed,
        count(*) FILTER (WHERE state = 'UNDONE') AS undone
      FROM account_imports
      WHERE import_supplier_code = code
    ) AS account
  )
  INSERT INTO progress_samples
    (import_supplier_code, at, staged, failed, skipped, completed, undone, problems, took_ms)
  SELECT code, ${'now'}, staged, failed, skipped, completed, undone, problems, (
    SELECT extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000
    FROM counted
    LIMIT 1
  )
  FROM counted
  ON CONFLICT DO NOTHING
  RETURNING import_supplier_code`;

/** Leaves the last sample of each ten minutes of those taken before `before`; what is older than a week was thinned. */
const THIN_PROGRESS_SAMPLES = sql('thin-progress-samples')`
  DELETE FROM progress_samples
  WHERE (import_supplier_code, at) IN (
    SELECT code, at
    FROM import_suppliers
    CROSS JOIN LATERAL (
      SELECT at, lead(at) OVER (ORDER BY at) AS next
      FROM progress_samples
      WHERE import_supplier_code = code
        AND at >= ${'before'}::timestamptz - interval '7 days'
        AND at < ${'before'}::timestamptz
    ) AS sample
    WHERE date_bin('10 minutes', at, 'epoch') = date_bin('10 minutes', next, 'epoch')
  )`;
