import type { Request } from 'express';

const WARNED_EVERY_MS = 60 * 60 * 1_000;

/**
 * Looks for the header of a proxy that the service was not told of: all clients behind it then share the limits of one
 * address. Calls `warn` once an hour at most.
 */
export function createProxyWarning(
  trustedProxies: number,
  clock: () => Date,
  warn: () => void,
): (request: Request) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return ({ headers }) => {
    if (trustedProxies > 0 || headers['x-forwarded-for'] === undefined) return;
    const now = clock().getTime();
    if (Math.abs(now - warnedAt) < WARNED_EVERY_MS) return;
    warnedAt = now;
    warn();
  };
}
