import { queryOptions } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Forecast } from '../../components/forecast.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loading, Read } from '../../components/read.tsx';
import { StateBar } from '../../components/state-bar.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { SAMPLED_MS, useLive } from '../../data/use-live.ts';
import { count, rate } from '../../format/numbers.ts';
import { linesInJobs } from '../overview/trouble.ts';
import { lastPeriod, PERIODS, type Period } from './period.ts';
import styles from './progress-panel.module.css';

type Migration = OutputOf<'overview.migrations'>[number];

const route = getRouteApi('/shell/migrations/$code');
const TOO_EARLY = 'Accounts are counted every 10 seconds: there are not two counts yet.';
const TOO_FEW = 'Too few counts yet: choose a shorter time.';

/** Only here: it is a fifth of all that the console loads. */
const ProgressChart = lazy(async () => ({ default: (await import('./progress-chart.tsx')).ProgressChart }));

/** How far the accounts are, how fast they move, and when none is left. */
export function ProgressPanel({ migration }: { migration: Migration }) {
  const { sampled_at, left, accounts_per_second: perSecond } = migration;
  const estimate = perSecond && left > 0 ? migration.estimate : null;
  const { period = 'hour', table } = route.useSearch();
  const samples = useLive(
    samplesOf(migration.code, period),
    (points) => points.length < 2 || (perSecond ?? 0) > 0,
    SAMPLED_MS,
  );
  return (
    <Panel title="Accounts" aside={<Choice period={period} isTable={table === true} />}>
      <StateBar counts={migration} hasLegend />
      <KeyValues
        areShort
        of={[
          ['Left', sampled_at === null ? 'not counted yet' : count(left)],
          ['At work', linesInJobs(migration)],
          ['Rate, last minute', perSecond ? rate(perSecond) : 'at rest'],
          ['Time left', <Forecast key="left" migration={migration} />],
        ]}
      />
      <Read of={samples}>
        {(points) => {
          if (points.length < 2) return <Empty>{period === 'hour' ? TOO_EARLY : TOO_FEW}</Empty>;
          if (table) return <SamplesTable samples={points} />;
          return (
            <Suspense fallback={<Loading />}>
              <ProgressChart samples={points} left={left} estimate={estimate} />
            </Suspense>
          );
        }}
      </Read>
    </Panel>
  );
}

/** The period goes with the clock, so it is no part of what names the read. */
const samplesOf = (code: string, period: Period) =>
  queryOptions({
    queryKey: ['overview.progress', code, period],
    queryFn: ({ signal }) => client.overview.progress.query({ code, ...lastPeriod(period) }, { signal }),
  });

function Choice({ period, isTable }: { period: Period; isTable: boolean }) {
  const navigate = route.useNavigate();
  return (
    <div className={styles.choice}>
      <label>
        <span className={text.spoken}>Period</span>
        <select
          value={period}
          onChange={({ target }) =>
            void navigate({ search: (before) => ({ ...before, period: target.value as Period }), replace: true })
          }
        >
          {Object.keys(PERIODS).map((name) => (
            <option key={name} value={name}>
              last {name}
            </option>
          ))}
        </select>
      </label>
      <Button
        onPress={() =>
          void navigate({
            search: ({ table: _, ...rest }) => (isTable ? rest : { ...rest, table: true }),
            replace: true,
          })
        }
      >
        {isTable ? 'As chart' : 'As table'}
      </Button>
    </div>
  );
}

type Sample = OutputOf<'overview.progress'>[number];

/** What the chart shows, newest first. */
function SamplesTable({ samples }: { samples: readonly Sample[] }) {
  return (
    <DataTable
      label="Accounts by state over time"
      rows={samples.toReversed()}
      keyOf={({ at }) => at}
      columns={[
        { name: 'At', cell: ({ at }) => <Time at={at} /> },
        { name: 'Completed', align: 'end', cell: ({ completed }) => count(completed) },
        { name: 'Staged', align: 'end', cell: ({ staged }) => count(staged) },
        { name: 'Failed', align: 'end', cell: ({ failed }) => count(failed) },
        { name: 'Skipped', align: 'end', hideBelow: 'narrow', cell: ({ skipped }) => count(skipped) },
      ]}
    />
  );
}
