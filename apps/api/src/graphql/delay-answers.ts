import type { ServerResponse } from 'node:http';
import { endWork } from '../overload/work.ts';

export interface DelayLimits {
  delayMs: number;
  /** Beyond this number, answers are sent without delay. */
  mostDelayed: number;
}

/**
 * Delays the answers to callers over a limit, which slows down clients that loop. A delayed answer is not work and
 * holds only a timer; it ends as soon as the client disconnects.
 */
export function createAnswerDelay({ delayMs, mostDelayed }: DelayLimits): (response: ServerResponse) => Promise<void> {
  let delayed = 0;
  return async (response) => {
    endWork(response);
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
