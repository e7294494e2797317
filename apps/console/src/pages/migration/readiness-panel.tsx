import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
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
                <ConditionRow key={condition.name} condition={condition} />
              ))}
          </ul>
        )}
      </Read>
    </Panel>
  );
}

function ConditionRow({ condition: { ok, sentence } }: { condition: Condition }) {
  return (
    <li className={ok ? styles.met : styles.missing}>
      <span className={styles.sign}>{ok ? 'yes' : 'no'}</span>
      <span>{sentence}</span>
    </li>
  );
}
