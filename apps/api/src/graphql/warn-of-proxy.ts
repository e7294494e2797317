import type { Request } from 'express';

const WARNED_EVERY_MS = 60 * 60 * 1_000;

/**
 * Detects the header of a proxy that is not configured: all clients behind it then share the limits of one address.
 * Calls `warn` at most once an hour.
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
