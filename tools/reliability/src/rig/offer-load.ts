import type { LightAnswer } from './light-client.ts';

/** The result of an open loop. Latencies and lateness are milliseconds after the intended start of the call. */
export interface Offered {
  calls: number;
  /** Of the answers 201. */
  accepted: number[];
  /** Of 503 `service_unavailable` with Retry-After. */
  refused: number[];
  /** All other answers; none is expected. */
  other: LightAnswer[];
  /** When the last call had begun, on the clock of `performance`. */
  endedAt: number;
  /** How late each call was sent: the generator's part of a latency. */
  lateness: number[];
}

const ACCEPTED = 1;
const REFUSED = 2;

/**
 * Starts each call at its arrival time, however many are in flight. It stores nine bytes per call and no object:
 * otherwise, after ten minutes at a thousand a second, garbage collection would delay the calls.
 */
export async function offerLoad(arrivals: readonly number[], perform: () => Promise<LightAnswer>): Promise<Offered> {
  const latencies = new Float32Array(arrivals.length);
  const lateness = new Float32Array(arrivals.length);
  const kinds = new Uint8Array(arrivals.length);
  const other: LightAnswer[] = [];
  const startedAt = performance.now();
  let begun = 0;
  let endedAt = startedAt;
  let ended = 0;
  const begin = async (index: number, intendedAt: number, finish: () => void): Promise<void> => {
    const answer = await perform();
    latencies[index] = performance.now() - intendedAt;
    lateness[index] = answer.sentAt - intendedAt;
    kinds[index] = kindOf(answer);
    if (kinds[index] === 0) other.push(answer);
    ended += 1;
    if (ended === arrivals.length) finish();
  };
  await new Promise<void>((resolve) => {
    const beginDue = () => {
      const now = performance.now() - startedAt;
      for (let next = arrivals[begun]; next !== undefined && next <= now; next = arrivals[begun]) {
        void begin(begun, startedAt + next, resolve);
        begun += 1;
      }
      const next = arrivals[begun];
      if (next !== undefined) setTimeout(beginDue, Math.max(0, next - now));
      else endedAt = performance.now();
    };
    beginDue();
    if (arrivals.length === 0) resolve();
  });
  const latenciesOf = (kind: number) => Array.from(latencies.filter((_, index) => kinds[index] === kind));
  return {
    ...{ calls: arrivals.length, accepted: latenciesOf(ACCEPTED), refused: latenciesOf(REFUSED) },
    ...{ other, endedAt, lateness: Array.from(lateness) },
  };
}

function kindOf({ status, retryAfter, code }: LightAnswer): number {
  if (status === 201) return ACCEPTED;
  return status === 503 && retryAfter && code === 'service_unavailable' ? REFUSED : 0;
}
