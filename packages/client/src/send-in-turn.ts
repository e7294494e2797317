import type { Send } from '@causeway/rest-client/portable';
import pLimit from 'p-limit';

export interface SendOptions {
  /** How many requests are under way at once; the others wait for their turn. */
  concurrency: number;
  /** How long one request may take, from its turn to the end of its answer. */
  timeoutMs: number;
}

/** `fetch`, a few at a time: each answer is read whole, so that one that was cut off is an error here. */
export function sendInTurn({ concurrency, timeoutMs }: SendOptions): Send {
  const inTurn = pLimit(concurrency);
  return (url, init) =>
    inTurn(async () => {
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      const response = await fetch(url, { ...init, signal });
      return new Response(await response.arrayBuffer(), response);
    });
}
