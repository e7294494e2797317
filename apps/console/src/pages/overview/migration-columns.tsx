import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table.tsx';
import { Forecast } from '../../components/forecast.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { StateBar } from '../../components/state-bar.tsx';
import text from '../../components/text.module.css';
import type { OutputOf } from '../../data/ask.ts';
import { count, rate } from '../../format/numbers.ts';
import { date } from '../../format/times.ts';
import styles from './overview-page.module.css';
import { linesInJobs, troubleOf } from './trouble.ts';

type Migration = OutputOf<'overview.migrations'>[number];

/** What a manager sees of each migration at a glance. */
export const MIGRATION_COLUMNS: readonly Column<Migration>[] = [
  { name: 'Import supplier', cell: (migration) => <Name migration={migration} /> },
  { name: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
  { name: 'Accounts', cell: (migration) => <Progress migration={migration} /> },
  {
    name: 'Rate',
    align: 'end',
    hideBelow: 'medium',
    cell: ({ accounts_per_second: perSecond }) => (perSecond ? rate(perSecond) : '–'),
  },
  {
    name: 'Time left',
    hideBelow: 'narrow',
    cell: (migration) => <Forecast migration={migration} />,
  },
  { name: 'Needs you', cell: (migration) => <Trouble migration={migration} /> },
  {
    name: 'Last reconciliation',
    hideBelow: 'narrow',
    cell: (migration) => <LastReconciliation migration={migration} />,
  },
];

function Name({ migration: { code, name } }: { migration: Migration }) {
  return (
    <>
      <b className={styles.code}>{code}</b>
      {name !== code && (
        <>
          <br />
          <span className={`${text.faint} ${styles.name}`}>{name}</span>
        </>
      )}
    </>
  );
}

function Progress({ migration }: { migration: Migration }) {
  const { sampled_at, completed, left } = migration;
  const jobs = linesInJobs(migration);
  return (
    <div className={styles.progress}>
      <StateBar counts={migration} />
      <span className={text.faint}>
        {sampled_at === null ? 'not counted yet' : `${count(completed)} completed, ${count(left)} left`}
        {jobs !== undefined && `, ${jobs} at work`}
      </span>
    </div>
  );
}

function Trouble({ migration }: { migration: Migration }) {
  const trouble = troubleOf(migration);
  if (trouble.length === 0) {
    return <span className={text.faint}>{migration.sampled_at === null ? 'not counted yet' : 'nothing'}</span>;
  }
  return (
    <ul className={`${text.missing} ${styles.trouble}`}>
      {trouble.map(({ words, link }) => (
        <li key={words}>
          <Link {...link}>{words}</Link>
        </li>
      ))}
    </ul>
  );
}

function LastReconciliation({ migration: { last_reconciliation: last } }: { migration: Migration }) {
  if (last === null) return <span className={text.faint}>none yet</span>;
  return (
    <div className={styles.reconciliation}>
      <Link to="/reconciliations/$id" params={{ id: last.id }} className={styles.badge}>
        <StateBadge state={last.verdict ?? last.state} />
      </Link>
      <span className={text.faint}>
        {last.finished_at === null ? 'not finished' : date(last.finished_at)}
        {last.signed_off ? ', signed off' : ''}
      </span>
    </div>
  );
}
