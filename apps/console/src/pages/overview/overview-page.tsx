import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { ask } from '../../data/ask.ts';
import { SAMPLED_MS, useLive } from '../../data/use-live.ts';
import { counted } from '../../format/numbers.ts';
import { MIGRATION_COLUMNS } from './migration-columns.tsx';
import { troubleOf } from './trouble.ts';

type Migration = OutputOf<'overview.migrations'>[number];

/** Is anything in trouble? A row for each import supplier, what is in trouble first. */
export function OverviewPage() {
  const migrations = useLive(ask('overview.migrations', undefined), (rows) => rows.some(isMoving), SAMPLED_MS);
  return (
    <>
      <PageHeader
        title="Overview"
        question={migrations.data === undefined ? 'Is anything in trouble?' : answerOf(migrations.data)}
        updated={<UpdatedAgo what="counted" at={countedAt(migrations.data ?? [])} />}
      />
      <Read of={migrations}>
        {(rows) => (
          <DataTable
            label="Migrations"
            rows={rows.toSorted((one, other) => rankOf(one) - rankOf(other))}
            columns={MIGRATION_COLUMNS}
            keyOf={({ code }) => code}
            linkOf={({ code }) => ({ to: '/migrations/$code', params: { code } })}
            empty="No import supplier yet. One is created under Administration, Import suppliers."
            hasCards
          />
        )}
      </Read>
    </>
  );
}

const isMoving = ({ jobs, accounts_per_second }: Migration) =>
  (accounts_per_second ?? 0) > 0 || jobs.some(({ state }) => state !== 'PAUSED');

/** When the service counted what is shown. What is complete it counts once an hour. */
function countedAt(migrations: readonly Migration[]): number {
  const times = migrations.flatMap(({ status, sampled_at }) =>
    status === 'COMPLETE' || sampled_at === null ? [] : [Date.parse(sampled_at)],
  );
  return times.length === 0 ? 0 : Math.min(...times);
}

/** In trouble, then moving, then at rest, then over; among themselves by code, as the service has them. */
function rankOf(migration: Migration): number {
  if (migration.status === 'COMPLETE') return 3;
  if (troubleOf(migration).length > 0) return 0;
  return isMoving(migration) ? 1 : 2;
}

/** The question of the page, answered. */
function answerOf(migrations: readonly Migration[]): string {
  const troubled = migrations.filter((migration) => troubleOf(migration).length > 0);
  const moving = migrations.filter(isMoving);
  if (migrations.length === 0) return 'Nothing is migrated here yet.';
  const trouble =
    troubled.length === 0
      ? 'Nothing needs you'
      : `${counted(troubled.length, 'migration')} of ${migrations.length} ${troubled.length === 1 ? 'needs' : 'need'} you`;
  return `${trouble}; ${moving.length === 0 ? 'nothing is moving' : `${moving.length} ${moving.length === 1 ? 'is' : 'are'} moving`}.`;
}
