import { type Claim, exactly, none } from '../scenario.ts';
import { readEffects } from './effects.ts';
import { compare, type Ledger } from './move-accounts.ts';
import { OPERATIONS } from './operations.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

export interface Judged {
  lost: number;
  doubled: number;
  claims: Claim[];
}

/** So many faults meet a request; one or two may find none. */
const MEET_A_REQUEST = 10;

/** For a row with faults: no request in doubt would mean that no client was affected. */
export const wasFelt = ({ inDoubt }: Ledger, faults: number): Claim[] =>
  faults < MEET_A_REQUEST ? [] : [exactly('some requests were in doubt', String(inDoubt > 0), 'true')];

/** Compares the movers' acknowledgements with the database, once they have finished. */
export async function judgeMoves(world: ServiceWorld, supplier: Supplier, ledger: Ledger): Promise<Judged> {
  const isMoved = ({ account }: { account: string }) => ledger.accounts.has(account);
  const effects = (await readEffects(world, supplier)).filter(isMoved);
  const { lost, doubled } = compare(ledger, effects);
  const whole = [...ledger.accounts.values()].filter(({ acknowledged }) => acknowledged.size === OPERATIONS.length);
  return {
    ...{ lost: lost.length, doubled: doubled.length },
    claims: [
      none('acknowledged writes lost', lost),
      none('writes counted twice or in part', doubled),
      none('an answer that is neither success nor 503 with Retry-After', ledger.odd),
      exactly('accounts that every operation was acknowledged on', whole.length, effects.length),
      none(
        'instances that ended by themselves',
        world.instances.filter(({ process }) => process.exited).map(({ process }) => process.errorLines.slice(-5)),
      ),
    ],
  };
}

/** `1108 x 503 service_unavailable`: what came instead of an answer that says whether it took effect. */
export function doubtsOf({ doubts }: Ledger): string {
  return Object.entries(doubts)
    .map(([name, times]) => `${times} x ${name}`)
    .join(', ');
}
