import type { BulkEstimate, BulkJobRecord, MigrationOverview } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { LIST_STARTED_BULK_JOBS } from '../bulk/bulk-job.sql.ts';
import { bulkJobRecord } from '../bulk/bulk-job-record.ts';
import { estimateFinish, presentRate } from '../bulk/estimate-finish.ts';
import type { Context } from '../context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../dates.ts';
import { LIST_MIGRATIONS } from './list-migrations.sql.ts';
import { minutesOf } from './minutes-of-samples.ts';

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
  const { milliseconds_ago, completed_then, sampled_at, ...figures } = row;
  const left = row.staged + row.failed;
  return {
    ...figures,
    sampled_at: utcDatetimeOrNull(sampled_at),
    left,
    ...forecastOf(row, left),
    jobs,
  };
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
