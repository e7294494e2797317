import type { OutputOf } from '../data/ask.ts';
import { duration, timeOfDay } from '../format/times.ts';
import styles from './forecast.module.css';

type Migration = OutputOf<'overview.migrations'>[number];

/** `8 min (7 min to 11 min), 23:41 UTC`: how long it takes, how sure that is, and when it ends; or why nobody knows. */
export function Forecast({ migration }: { migration: Migration }) {
  const now = Date.now();
  const { estimate } = migration;
  const reason = reasonOf(migration);
  if (estimate === null || reason !== undefined) return <span className={styles.none}>{reason}</span>;
  const after = (at: string) => duration((Date.parse(at) - now) / 1_000);
  const [best, worst] = [after(estimate.from), after(estimate.to)];
  return (
    <span className={styles.forecast}>
      <b>{after(estimate.finishes_at)}</b>
      <span className={styles.band}>
        {best === worst ? '' : `${best} to ${worst}, `}
        <time dateTime={estimate.finishes_at}>{timeOfDay(estimate.finishes_at)}</time>
      </span>
    </span>
  );
}

/** Why there is no forecast. For a while after everything has stopped the service still has an estimate. */
function reasonOf({ sampled_at, left, accounts_per_second: perSecond, estimate, jobs }: Migration): string | undefined {
  if (sampled_at === null) return 'not counted yet';
  if (left === 0) return jobs.length === 0 ? 'nothing left' : 'see its jobs';
  if (!perSecond) return 'nothing moves';
  return estimate === null ? 'not known yet' : undefined;
}
