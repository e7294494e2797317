import type { OutputOf } from '../data/ask.ts';
import { duration, timeOfDay } from '../format/times.ts';
import styles from './forecast.module.css';

type Estimate = NonNullable<OutputOf<'overview.migrations'>[number]['estimate']>;

interface ForecastProps {
  estimate: Estimate | null;
  /** Whether anything moves: for a while after it has stopped the service still has an estimate. */
  isMoving: boolean;
}

/** `8 min (7 min to 11 min), 23:41 UTC`: how long something takes, how sure that is, and when it ends. */
export function Forecast({ estimate, isMoving }: ForecastProps) {
  const now = Date.now();
  if (estimate === null || !isMoving) return <span className={styles.none}>–</span>;
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
