import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { SAMPLED_MS, useLive } from '../../data/use-live.ts';
import { Actions } from './actions.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import styles from './migration-page.module.css';
import { ProblemsPanel } from './problems-panel.tsx';
import { ProgressPanel } from './progress-panel.tsx';
import { ReadinessPanel } from './readiness-panel.tsx';

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
