import { JOURNEY_TRANSACTIONS } from '../load/book.ts';
import { fillAccounts } from '../world/fill.ts';
import { type ComparedPart, comparedPart } from './compared-work.ts';
import type { Part } from './part.ts';

const STATUS_ACCOUNTS = 5_000;
const JOURNEY = { scenario: 'journey', transactionsPerAccount: JOURNEY_TRANSACTIONS, unit: 'accounts' } as const;

function journey(connections: 16 | 64, mustReach: number): Part {
  const names = { name: `journey-${connections}` as const, heading: `Journey, ${connections} connections` };
  return comparedPart(() => ({ ...names, ...JOURNEY, against: 'reference', connections, mustReach, aim: 2.2 }), names);
}

/** Beside what somebody would write instead of using the service. */
function ofPeer(work: Omit<ComparedPart, 'against' | 'unit'>): Part {
  return comparedPart(() => ({ ...work, against: 'peer', unit: 'accounts' }), work);
}

const statusNames = { name: 'status', heading: 'Status reads, 64 connections' } as const;

/** The rows of the table that compare the service with one written by hand, except for one transaction import. */
export const comparedRows: readonly Part[] = [
  journey(16, 1.7),
  journey(64, 2),
  ofPeer({
    ...{ name: 'peer-validate', heading: 'Validate, of the lean peer, 64 connections' },
    ...{ scenario: 'validate', connections: 64, mustReach: 0.7, aim: 0.9 },
  }),
  ofPeer({
    ...{ name: 'peer-stage', heading: 'Stage, 1.2 kB, of the lean peer, 64 connections' },
    ...{ scenario: 'stage', connections: 64, mustReach: 1.3, aim: 1.6, paced: true },
  }),
  ofPeer({
    ...{ name: 'peer-journey', heading: 'Journey, of the lean peer, 32 connections' },
    ...JOURNEY,
    ...{ connections: 32, mustReach: 1.3, aim: 1.6, paced: true },
  }),
  comparedPart(
    (world) => ({
      ...statusNames,
      scenario: 'status',
      against: 'reference',
      connections: 64,
      unit: 'reads',
      mustReach: 0.8,
      aim: 1.2,
      repeats: true,
      async prepare(target, prefix) {
        await fillAccounts(world, target, { prefix, from: 0, to: STATUS_ACCOUNTS, completedEvery: 1 });
        return STATUS_ACCOUNTS;
      },
    }),
    statusNames,
  ),
];
