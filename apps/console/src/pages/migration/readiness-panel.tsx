import { Link, type LinkProps } from '@tanstack/react-router';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useLive } from '../../data/use-live.ts';
import styles from './readiness-panel.module.css';

type Condition = OutputOf<'overview.readiness'>['conditions'][number];

/** Ready to cut over? Each condition with how it stands, what is missing first. */
export function ReadinessPanel({ code }: { code: string }) {
  const readiness = useLive(ask('overview.readiness', { code }));
  const met = readiness.data?.conditions.filter(({ ok }) => ok).length;
  const verdict = met !== undefined && `${met} of ${readiness.data?.conditions.length} met`;
  return (
    <Panel title="Ready to cut over?" aside={<span className={styles.verdict}>{verdict}</span>}>
      <Read of={readiness}>
        {({ conditions }) => (
          <ul className={styles.conditions}>
            {conditions
              .toSorted((one, other) => Number(one.ok) - Number(other.ok))
              .map((condition) => (
                <ConditionRow key={condition.name} code={code} condition={condition} />
              ))}
          </ul>
        )}
      </Read>
    </Panel>
  );
}

interface ConditionRowProps {
  code: string;
  condition: Condition;
}

function ConditionRow({ code, condition: { name, ok, sentence } }: ConditionRowProps) {
  const place = placeOf(name, code);
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
function placeOf(name: Condition['name'], code: string): { name: string; link: LinkProps } | undefined {
  switch (name) {
    case 'no_unfinished_job':
      return { name: 'See the jobs', link: { to: '/jobs', search: { supplier: code } } };
    case 'no_failed_account':
      return { name: 'See the accounts', link: { to: '/accounts', search: { code, state: 'FAILED' } } };
    case 'no_open_problem':
      return { name: 'See the problems', link: { to: '/problems', search: { code } } };
    case 'reconciled':
      return { name: 'See the comparisons', link: { to: '/reconciliations', search: { supplier: code } } };
    default:
      return undefined;
  }
}
