import { performance } from 'node:perf_hooks';
import { PACE, type Pace } from '@causeway/runner';
import type { Admission } from '../overload/admission.ts';
import type { Connections } from '../overload/connections.ts';

interface Measured {
  pool: { waitingCount: number };
  admission: Pick<Admission, 'counts'>;
  connections: Pick<Connections, 'queue'>;
  /** How long the thread that serves callers has worked and waited so far, in milliseconds. */
  eventLoop?: () => { active: number; idle: number };
}

/** The part of its time that this thread works for callers, from which lanes slow their calls down. */
const SERVES_FROM = 0.1;
/** How much the last look counts against those before it: with a look every 50 ms, about half a second counts. */
const WEIGHT = 0.1;

/**
 * How the lanes work just now: callers come first. Not at all while callers wait for a database connection, or if the
 * instance has refused one of them since it was last asked; gently while it is busy answering them.
 */
export function lanePace({ pool, admission, connections, ...measured }: Measured): () => Pace {
  const { eventLoop = () => performance.eventLoopUtilization() } = measured;
  let refusedBefore = 0;
  let before = eventLoop();
  let serving = 0;
  return () => {
    const now = eventLoop();
    const active = now.active - before.active;
    const share = active / (active + now.idle - before.idle);
    before = now;
    if (Number.isFinite(share)) serving += (share - serving) * WEIGHT;
    const refused = Object.values(admission.counts.refused).reduce((sum, count) => sum + count, 0);
    const hasRefused = refused > refusedBefore;
    refusedBefore = refused;
    if (hasRefused || pool.waitingCount > 0 || connections.queue.waiting > 0) return PACE.NONE;
    return serving < SERVES_FROM ? PACE.FULL : PACE.GENTLE;
  };
}
