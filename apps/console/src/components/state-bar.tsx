import { count, counted, share } from '../format/numbers.ts';
import styles from './state-bar.module.css';

/** Accounts by state, as the overview has them. */
export interface StateCounts {
  completed: number;
  staged: number;
  failed: number;
  skipped: number;
  undone: number;
}

const ORDER = ['completed', 'staged', 'failed', 'skipped', 'undone'] as const;

/** The accounts of a migration as parts of one bar; with `hasLegend` each count stands below it. */
export function StateBar({ counts, hasLegend = false }: { counts: StateCounts; hasLegend?: boolean }) {
  const total = ORDER.reduce((sum, state) => sum + counts[state], 0);
  const parts = ORDER.filter((state) => counts[state] > 0);
  const words = parts.map((state) => `${count(counts[state])} ${state}`).join(', ');
  return (
    <div className={styles.whole}>
      <div
        className={styles.bar}
        role="img"
        aria-label={total === 0 ? 'no accounts' : `${counted(total, 'account')}: ${words}`}
      >
        {parts.map((state) => (
          <span key={state} className={styles[state]} style={{ flexGrow: counts[state] }} />
        ))}
      </div>
      {hasLegend && (
        <ul className={styles.legend}>
          {ORDER.filter((state) => state !== 'undone' || counts.undone > 0).map((state) => (
            <li key={state}>
              <span className={`${styles.sign} ${styles[state]}`} aria-hidden="true" />
              {state} <b>{count(counts[state])}</b> <span className={styles.share}>{share(counts[state], total)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
