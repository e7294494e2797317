import type { Admission } from '../overload/admission.ts';
import type { Connections } from '../overload/connections.ts';

interface Measured {
  admission: Pick<Admission, 'counts'>;
  connections: Pick<Connections, 'waiting'>;
}

/**
 * Whether callers come first just now: they wait for a database connection, or the instance has refused one of them since
 * it was last asked.
 */
export function isBusyMeter(pool: { waitingCount: number }, { admission, connections }: Measured): () => boolean {
  let refusedBefore = 0;
  return () => {
    const refused = Object.values(admission.counts.refused).reduce((sum, count) => sum + count, 0);
    const hasRefused = refused > refusedBefore;
    refusedBefore = refused;
    return hasRefused || pool.waitingCount > 0 || connections.waiting > 0;
  };
}
