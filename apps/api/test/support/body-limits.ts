import { createLoopTurns } from '../../src/bodies/loop-turns.ts';
import type { BodyLimits } from '../../src/bodies/receive-body.ts';
import { Company } from '../../src/overload/company.ts';
import { Share } from '../../src/overload/party.ts';

/** The limits of an instance that holds any number of bodies. */
export function bodyLimits(limits: Partial<BodyLimits> = {}): BodyLimits {
  const held = new Share('heldBytes', Number.POSITIVE_INFINITY);
  return { maxBodyBytes: 200_000, bodyTimeoutMs: 60_000, held, takeTurn: createLoopTurns(new Company()), ...limits };
}
