import { subscribe } from 'node:diagnostics_channel';

interface Waiting {
  what: string;
  since: number;
}

interface Request {
  method: string;
  origin: string;
  path: string;
}

// Of the worker: its test files each load this module again.
const worker = globalThis as typeof globalThis & { causewayWaits?: Map<unknown, Waiting> };
worker.causewayWaits ??= watchRequests();
const waits = worker.causewayWaits;

/** From now on `what` is waited for, until `noLongerAwaited`. */
export function awaited(key: unknown, what: string): void {
  waits.set(key, { what, since: performance.now() });
}

export function noLongerAwaited(key: unknown): void {
  waits.delete(key);
}

/** What has been waited for this long, and for how long. */
export function longWaits(longMs: number): { what: string; ms: number }[] {
  const now = performance.now();
  return [...waits.values()].map(({ what, since }) => ({ what, ms: now - since })).filter(({ ms }) => ms >= longMs);
}

function watchRequests(): Map<unknown, Waiting> {
  const waiting = new Map<unknown, Waiting>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: Request };
    const { method, origin, path } = request;
    waiting.set(request, { what: `the answer to ${method} ${origin}${path}`, since: performance.now() });
  });
  for (const end of ['trailers', 'error']) {
    subscribe(`undici:request:${end}`, (message) => waiting.delete((message as { request: Request }).request));
  }
  return waiting;
}
