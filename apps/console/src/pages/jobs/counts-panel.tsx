import { Panel } from '../../components/panel.tsx';
import { count, counted, share } from '../../format/numbers.ts';
import styles from './counts-panel.module.css';
import { type Job, OUTCOMES, type Outcome } from './job-words.ts';

const ORDER = Object.keys(OUTCOMES) as Outcome[];

/** What happened to the lines, as parts of one strip, and as counts that add up to all of them. */
export function CountsPanel({ job: { counts, lines } }: { job: Pick<Job, 'counts' | 'lines'> }) {
  const total = ORDER.reduce((sum, outcome) => sum + counts[outcome], 0);
  const all = lines ?? total;
  const shown = ORDER.filter((outcome) => counts[outcome] > 0);
  const words = shown.map((outcome) => `${count(counts[outcome])} ${OUTCOMES[outcome].name}`).join(', ');
  return (
    <Panel title="Lines" aside={<b>{lines === null ? 'not counted yet' : counted(lines, 'line')}</b>}>
      <div
        className={styles.strip}
        role="img"
        aria-label={`${counted(all, 'line')}: ${words || 'none has an outcome'}`}
      >
        {shown.map((outcome) => (
          <span key={outcome} className={styles[outcome]} style={{ flexGrow: counts[outcome] }} />
        ))}
      </div>
      <dl className={styles.counts} aria-label="Outcomes">
        {ORDER.map((outcome) => (
          <div key={outcome} className={counts[outcome] === 0 ? styles.none : undefined}>
            <dt>
              <span className={`${styles.sign} ${styles[outcome]}`} aria-hidden="true" />
              {OUTCOMES[outcome].name}
            </dt>
            <dd>
              <b>{count(counts[outcome])}</b> <span className={styles.share}>{share(counts[outcome], all)}</span>
              <p className={styles.share}>{OUTCOMES[outcome].meaning}</p>
            </dd>
          </div>
        ))}
      </dl>
      {lines !== null && total !== lines && <p>{`${count(total)} of ${counted(lines, 'line')} are planned so far.`}</p>}
    </Panel>
  );
}
