import type { Environment } from '../env.ts';
import { createFairShare } from '../overload/fair-share.ts';
import type { BodyLimits } from './receive-body.ts';

/** The limits of bodies as they are set. */
export function bodyLimits({ maxBodyBytes, bodyTimeoutMs, maxHeldBytes }: Environment): BodyLimits {
  // So that a slow client has been answered and has disconnected in time.
  const closingMs = Math.min(500, bodyTimeoutMs / 10);
  return { maxBodyBytes, bodyTimeoutMs: bodyTimeoutMs - closingMs, held: createFairShare(maxHeldBytes) };
}
