import {
  type BulkEstimate,
  type BulkJobRecord,
  type ImportSupplierStatus,
  LIMITS,
  type ListProgressRequest,
  type MigrationOverview,
  type ProgressSample,
} from '@causeway/contracts';
import { narrow, type RowOf, sql } from '@causeway/db';
import { LIST_STARTED_BULK_JOBS } from '../bulk/jobs/bulk-job.sql.ts';
import { bulkJobRecord } from '../bulk/jobs/find-bulk-job.ts';
import { estimateFinish, type MinuteOfWork, presentRate } from '../bulk/jobs/get-bulk-job.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, withUtcDatetimes } from '../shared/dates.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * How far each migration has come, by code (behaviour 14.9): reads samples and started bulk jobs, and counts nothing,
 * so that it takes milliseconds whatever is staged.
 */
export async function listMigrations({ database }: Context): Promise<MigrationOverview[]> {
  const migrations = await database.query(LIST_MIGRATIONS, {});
  const jobs = Map.groupBy(
    (await database.query(LIST_STARTED_BULK_JOBS, {})).map(bulkJobRecord),
    ({ import_supplier }) => import_supplier,
  );
  return migrations.map((row) => overviewOf(row, jobs.get(row.code) ?? []));
}

function overviewOf(row: RowOf<typeof LIST_MIGRATIONS>, jobs: BulkJobRecord[]): MigrationOverview {
  const { milliseconds_ago, completed_then, ...figures } = row;
  const left = row.staged + row.failed;
  return { ...withUtcDatetimes(figures), left, ...forecastOf(row, left), jobs };
}

/** As of the last sample. */
function forecastOf(
  { status, sampled_at: now, milliseconds_ago, completed_then }: RowOf<typeof LIST_MIGRATIONS>,
  waiting: number,
): Pick<MigrationOverview, 'accounts_per_second' | 'estimate'> {
  if (status !== 'ONGOING' || now === null) return { accounts_per_second: null, estimate: null };
  const samples = (milliseconds_ago ?? []).map((ms, index) => ({
    seconds: ms / 1_000,
    completed: completed_then?.[index] ?? 0,
  }));
  const minutes = minutesOf(samples);
  const since = new Date(now.getTime() - (samples[0]?.seconds ?? 0) * 1_000);
  const isMoving = minutes.some(({ minutes_ago }) => minutes_ago < 2);
  return {
    accounts_per_second: Math.round(presentRate({ now, since, minutes }) * 10) / 10,
    estimate: isMoving ? estimateOf(estimateFinish({ now, since, minutes, waiting })) : null,
  };
}

function estimateOf(estimated: ReturnType<typeof estimateFinish>): BulkEstimate | null {
  if (estimated === undefined) return null;
  const { finishesAt, from, to } = estimated;
  return { finishes_at: utcDatetime(finishesAt), from: utcDatetime(from), to: utcDatetime(to) };
}

/** Each import supplier's last sample, and those of the half hour before it: when, and how many accounts were created. */
const LIST_MIGRATIONS = sql('list-migrations', {
  code: 'text',
  name: 'text',
  status: narrow<ImportSupplierStatus>('text'),
  sampled_at: 'timestamptz | null',
  staged: 'integer',
  failed: 'integer',
  skipped: 'integer',
  completed: 'integer',
  undone: 'integer',
  open_problems: 'integer',
  milliseconds_ago: 'integer[] | null',
  completed_then: 'integer[] | null',
  last_reconciliation: narrow<MigrationOverview['last_reconciliation']>('json | null'),
})`
  SELECT
    code,
    name,
    status::text AS status,
    sample.at AS sampled_at,
    coalesce(sample.staged, 0) AS staged,
    coalesce(sample.failed, 0) AS failed,
    coalesce(sample.skipped, 0) AS skipped,
    coalesce(sample.completed, 0) AS completed,
    coalesce(sample.undone, 0) AS undone,
    coalesce(sample.problems, 0) AS open_problems,
    milliseconds_ago,
    completed_then,
    (
      SELECT json_build_object('id', id, 'state', state, 'verdict', verdict, 'finished_at', to_char(finished_at,
        'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'signed_off', signed_off_at IS NOT NULL)
      FROM reconciliations
      WHERE import_supplier_code = code AND state <> 'CANCELLED'
      ORDER BY creation_order DESC
      LIMIT 1
    ) AS last_reconciliation
  FROM import_suppliers
  LEFT JOIN LATERAL (
    SELECT at, staged, failed, skipped, completed, undone, problems
    FROM progress_samples
    WHERE import_supplier_code = code
    ORDER BY at DESC
    LIMIT 1
  ) AS sample ON true
  LEFT JOIN LATERAL (
    SELECT
      array_agg((1000 * extract(epoch FROM sample.at - recent.at))::integer ORDER BY recent.at) AS milliseconds_ago,
      array_agg(recent.completed ORDER BY recent.at) AS completed_then
    FROM progress_samples AS recent
    WHERE status = 'ONGOING'
      AND import_supplier_code = code
      AND recent.at >= sample.at - interval '30 minutes'
  ) AS recent ON true
  ORDER BY code`;

/** How many accounts were created some seconds ago. */
export interface CompletedThen {
  seconds: number;
  completed: number;
}

const MINUTE_S = 60;

/**
 * How many accounts were created in each minute (behaviour 14.9): what two samples differ by, spread evenly over the
 * time between them. Samples are ordered, the oldest first. Minutes in which none was are left out.
 */
export function minutesOf(samples: readonly CompletedThen[]): MinuteOfWork[] {
  const minutes = new Map<number, number>();
  for (const [index, { seconds: to, completed }] of samples.entries()) {
    const before = samples[index - 1];
    const created = before === undefined ? 0 : completed - before.completed;
    // An account whose record was removed is no work.
    if (before === undefined || created <= 0) continue;
    const { seconds: from } = before;
    for (let minute = Math.floor(to / MINUTE_S); minute * MINUTE_S < from; minute += 1) {
      const overlap = Math.min(from, (minute + 1) * MINUTE_S) - Math.max(to, minute * MINUTE_S);
      minutes.set(minute, (minutes.get(minute) ?? 0) + (created * overlap) / (from - to));
    }
  }
  return [...minutes].map(([minutes_ago, lines]) => ({ minutes_ago, lines }));
}

/**
 * How many accounts of an import supplier were in which state over a time, in at most `progress_points` (a limit)
 * samples (behaviour 14.9). An unknown code is `import_supplier_does_not_exist`.
 */
export async function listProgress(
  context: Context,
  { code, from, to }: ListProgressRequest,
): Promise<ProgressSample[]> {
  await findImportSupplier(context, code, 'code');
  const rows = await context.database.query(LIST_PROGRESS, {
    code,
    from: new Date(from),
    to: new Date(to),
    points: LIMITS.progress_points,
  });
  return rows.map(withUtcDatetimes);
}

/** The last sample of each of `points` equal parts of a time. */
const LIST_PROGRESS = sql('list-progress', {
  at: 'timestamptz',
  staged: 'integer',
  failed: 'integer',
  skipped: 'integer',
  completed: 'integer',
  undone: 'integer',
})`
  SELECT at, staged, failed, skipped, completed, undone
  FROM (
    SELECT DISTINCT ON (part) at, staged, failed, skipped, completed, undone,
      date_bin(
        (${'to'}::timestamptz - ${'from'}::timestamptz) / ${'points'}::integer,
        at,
        ${'from'}::timestamptz
      ) AS part
    FROM progress_samples
    WHERE import_supplier_code = ${'code'}
      AND at >= ${'from'}::timestamptz
      AND at < ${'to'}::timestamptz
    ORDER BY part, at DESC
  ) AS last_of_part
  ORDER BY at`;
