/** The interval of the ticks that measure the event loop. */
export const TICK_MS = 10;
/** Shorter than the time a condition must hold (`standing.ts`), so that a single pause never counts. */
const WINDOW_MS = 500;

export interface Lateness {
  /** Call it every `TICK_MS`. */
  tick(at: number): void;
  /** The event loop's delay over the last half second, as requests meet it. */
  milliseconds(at: number): number;
}

/**
 * Measures the event loop's delay as requests meet it. More of them arrive during a long turn than during a short one,
 * so each turn is weighted by its length. The plain mean would let the many short turns of a break hide the long ones.
 */
export function createLateness(startedAt: number): Lateness {
  let ticks: { at: number; ms: number }[] = [];
  let lastAt = startedAt;
  const tick = (at: number) => {
    ticks.push({ at, ms: at - lastAt });
    lastAt = at;
  };
  return {
    tick,
    milliseconds(at) {
      // After a long turn, timers fire in any order.
      tick(at);
      ticks = ticks.filter((one) => at - one.at <= WINDOW_MS);
      let [total, squares] = [0, 0];
      for (const { ms } of ticks) {
        total += ms;
        squares += ms * ms;
      }
      return total === 0 ? 0 : Math.max(0, squares / total - TICK_MS);
    },
  };
}
