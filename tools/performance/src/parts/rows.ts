import { JOURNEY_TRANSACTIONS } from '../load/book.ts';
import { fillAccounts } from '../world/fill.ts';
import { type ComparedPart, comparedPart } from './compared-work.ts';
import type { Part } from './part.ts';

const STATUS_ACCOUNTS = 5_000;

function journey(connections: 16 | 64): Part {
  const names = { name: `journey-${connections}` as const, heading: `Journey, ${connections} connections` };
  return comparedPart(
    () => ({
      ...names,
      scenario: 'journey',
      connections,
      transactionsPerAccount: JOURNEY_TRANSACTIONS,
      unit: 'accounts',
      mustReach: 1.2,
      aim: 2,
    }),
    names,
  );
}

/** One call of the interface by itself, on 64 connections. */
function single(work: Pick<ComparedPart, 'heading' | 'mustReach' | 'aim'> & { scenario: 'stage' | 'validate' }): Part {
  const names = { name: work.scenario, heading: work.heading };
  return comparedPart(() => ({ ...names, ...work, connections: 64, unit: 'accounts' }), names);
}

const statusNames = { name: 'status', heading: 'Status reads, 64 connections' } as const;

/** The rows of the table that compare the service with the reference, except for one transaction import. */
export const comparedRows: readonly Part[] = [
  journey(16),
  journey(64),
  single({ scenario: 'stage', heading: 'Stage alone, 1.2 kB, 64 connections', mustReach: 1.5, aim: 3 }),
  single({ scenario: 'validate', heading: 'Validate alone, 64 connections', mustReach: 0.5, aim: 1 }),
  comparedPart(
    (world) => ({
      ...statusNames,
      scenario: 'status',
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
