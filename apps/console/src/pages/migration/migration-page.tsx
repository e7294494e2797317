import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { SAMPLED_MS, useLive } from '../../data/use-live.ts';
import { count } from '../../format/numbers.ts';
import { JobState, tookOf } from '../jobs/job-state.tsx';
import { KINDS, nameOf } from '../jobs/job-words.ts';
import styles from './migration-page.module.css';
import { ProblemsPanel } from './problems-panel.tsx';
import { ProgressPanel } from './progress-panel.tsx';
import { ReadinessPanel } from './readiness-panel.tsx';
import { ReconcileDialog } from './reconcile-dialog.tsx';
import { RunDialog } from './run-dialog.tsx';
import { type StatusChange, statusChanges } from './status-changes.ts';
import { StatusDialog } from './status-dialog.tsx';

/** The service lists them oldest first; a migration has a few. */
const MOST_JOBS = 1_000;
const SHOWN = 8;

/** The newest jobs of a migration, with what holds those that stand still. */
function JobsPanel({ code, isMoving }: { code: string; isMoving: boolean }) {
  const jobs = useLive(ask('dataImport.listBulkJobs', { import_supplier: code, limit: MOST_JOBS }), () => isMoving);
  return (
    <Panel title="Jobs">
      <Read of={jobs}>
        {(rows) => (
          <DataTable
            label="Jobs"
            hasCards
            rows={rows.slice(-SHOWN).reverse()}
            keyOf={({ id }) => id}
            linkOf={({ id }) => ({ to: '/jobs/$id', params: { id } })}
            columns={[
              { name: 'Job', cell: (job) => nameOf(job) },
              { name: 'State', cell: (job) => <JobState of={job} /> },
              { name: 'Does', hideBelow: 'medium', cell: ({ kind }) => KINDS[kind] },
              { name: 'Lines', align: 'end', cell: ({ lines }) => (lines === null ? '–' : count(lines)) },
              { name: 'Started', hideBelow: 'narrow', cell: ({ started_at: at }) => <Time at={at} /> },
              { name: 'Took', align: 'end', hideBelow: 'medium', cell: (job) => tookOf(job) ?? '–' },
            ]}
            empty="No job yet: accounts come by single calls, or as uploads that start here."
          />
        )}
      </Read>
    </Panel>
  );
}

const route = getRouteApi('/shell/migrations/$code');

/** Can I sign the cutover? What is missing for it, how far the accounts have come, why some fail, and who works on it. */
export function MigrationPage() {
  const { code } = route.useParams();
  const migrations = useLive(
    ask('overview.migrations', undefined),
    (rows) => rows.some((row) => row.code === code && ((row.accounts_per_second ?? 0) > 0 || row.jobs.length > 0)),
    SAMPLED_MS,
  );
  const migration = migrations.data?.find((row) => row.code === code);
  return (
    <>
      <PageHeader
        title={code}
        question={migration?.name}
        badge={migration && <StateBadge state={migration.status} />}
        actions={migration && <Actions migration={migration} />}
        updated={<UpdatedAgo what="counted" at={Date.parse(migration?.sampled_at ?? '') || 0} />}
      />
      <Read of={migrations}>
        {() =>
          migration === undefined ? (
            <Empty>There is no import supplier with this code.</Empty>
          ) : (
            <div className={styles.panels}>
              <ReadinessPanel migration={migration} />
              <ProgressPanel migration={migration} />
              <ProblemsPanel code={code} />
              <JobsPanel code={code} isMoving={migration.jobs.length > 0} />
            </div>
          )
        }
      </Read>
    </>
  );
}

type Migration = OutputOf<'overview.migrations'>[number];
type Action = 'process' | 'rehearse' | 'reconcile' | StatusChange['name'];

/** What can be done with a migration now. Each asks before it does anything, and says why it was refused. */
function Actions({ migration }: { migration: Migration }) {
  const [asked, setAsked] = useState<Action>();
  const changes = statusChanges(migration.status);
  const isMoving = migration.status === 'ONGOING';
  const readiness = useLive(ask('overview.readiness', { code: migration.code }));
  const dialog = (name: Action) => ({
    migration,
    isOpen: asked === name,
    onClose: () => setAsked(undefined),
  });
  return (
    <>
      {isMoving && (
        <>
          <ActionButton name="Process" keys="b" onPress={() => setAsked('process')} />
          <ActionButton name="Rehearse" keys="r" onPress={() => setAsked('rehearse')} />
        </>
      )}
      <ActionButton name="Reconcile" keys="c" onPress={() => setAsked('reconcile')} />
      {changes.map(({ name, keys }) => (
        <ActionButton
          key={name}
          name={name}
          keys={keys}
          isNext={name === 'Complete' && readiness.data?.ready === true}
          onPress={() => setAsked(name)}
        />
      ))}
      <RunDialog {...dialog('process')} mode="REAL" />
      <RunDialog {...dialog('rehearse')} mode="REHEARSAL" />
      <ReconcileDialog {...dialog('reconcile')} />
      {changes.map((change) => (
        <StatusDialog key={change.name} {...dialog(change.name)} change={change} />
      ))}
    </>
  );
}

interface ActionButtonProps {
  name: string;
  keys: string;
  /** Nothing else is left to do. */
  isNext?: boolean;
  onPress(): void;
}

function ActionButton({ name, keys, isNext = false, onPress }: ActionButtonProps) {
  useShortcut(keys, name, onPress);
  return (
    <Button variant={isNext ? 'primary' : 'plain'} shortcut={keys} onPress={onPress}>
      {name}
    </Button>
  );
}
