import type { ServerResponse } from 'node:http';
import { requestFacts } from '../request/request-facts.ts';

export interface DelayLimits {
  delayMs: number;
  /** Beyond so many at once answers go out without delay. */
  mostDelayed: number;
}

/**
 * Keeps the answers to callers who ask too often back for a while: who asks again as soon as it is answered is slowed
 * by that. What waits is no work and holds a timer alone; it ends at once when the client goes away.
 */
export function createAnswerDelay({ delayMs, mostDelayed }: DelayLimits): (response: ServerResponse) => Promise<void> {
  let delayed = 0;
  return async (response) => {
    requestFacts(response).endWork?.();
    if (delayed >= mostDelayed || response.destroyed) return;
    delayed += 1;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, delayMs);
      function end() {
        clearTimeout(timer);
        response.off('close', end);
        resolve();
      }
      response.once('close', end);
    });
    delayed -= 1;
  };
}
