import { Link, type LinkProps } from '@tanstack/react-router';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import styles from './readiness-panel.module.css';

type Migration = OutputOf<'overview.migrations'>[number];
type Readiness = OutputOf<'overview.readiness'>;
type Condition = Readiness['conditions'][number];

/** Ready to cut over? Yes or no, and each condition with how it stands, what is missing first. */
export function ReadinessPanel({ migration }: { migration: Migration }) {
  const readiness = useLive(ask('overview.readiness', { code: migration.code }));
  return (
    <Panel title="Ready to cut over?" aside={readiness.data && <Verdict of={readiness.data} />}>
      <Read of={readiness}>
        {({ conditions }) => (
          <ul className={styles.conditions}>
            {conditions
              .toSorted((one, other) => Number(one.ok) - Number(other.ok))
              .map((condition) => (
                <ConditionRow key={condition.name} migration={migration} condition={condition} />
              ))}
          </ul>
        )}
      </Read>
    </Panel>
  );
}

function Verdict({ of: { ready, conditions } }: { of: Readiness }) {
  if (ready) return <StateBadge state="yes: all are met" tone="good" />;
  const missing = conditions.filter(({ ok }) => !ok).length;
  return <StateBadge state={`no: ${missing} missing`} tone="bad" />;
}

interface ConditionRowProps {
  migration: Migration;
  condition: Condition;
}

function ConditionRow({ migration, condition: { name, ok, sentence } }: ConditionRowProps) {
  const place = placeOf(name, migration);
  return (
    <li className={ok ? styles.met : styles.missing}>
      <span className={styles.sign}>{ok ? 'yes' : 'no'}</span>
      <span>
        <Sentence>{sentence}</Sentence>{' '}
        {!ok && place !== undefined && (
          <Link {...place.link} className={styles.place}>
            {place.name}
          </Link>
        )}
      </span>
    </li>
  );
}

/** Where somebody sees to it that a condition is met. */
function placeOf(
  name: Condition['name'],
  { code, last_reconciliation: last }: Migration,
): { name: string; link: LinkProps } | undefined {
  switch (name) {
    case 'no_unfinished_job':
      return { name: 'See the jobs', link: { to: '/jobs', search: { supplier: code } } };
    case 'no_failed_account':
      return { name: 'See the accounts', link: { to: '/accounts', search: { code, state: 'FAILED' } } };
    case 'no_open_problem':
    case 'no_undecided_remark':
      return { name: 'See the problems', link: { to: '/problems', search: { code } } };
    case 'reconciled':
      return last === null
        ? undefined
        : { name: 'See the reconciliation', link: { to: '/reconciliations/$id', params: { id: last.id } } };
    default:
      return undefined;
  }
}
