import { comparedPart } from './compared-work.ts';
import type { Part } from './part.ts';

const OF_REFERENCE = { scenario: 'journey', against: 'reference', aim: 2.2 } as const;

/** The rows of the table that compare the service with one written by hand. */
export const comparedRows: readonly Part[] = [
  comparedPart({
    ...{ name: 'journey-16', heading: 'Journey, 16 connections', connections: 16, mustReach: 1.7 },
    ...OF_REFERENCE,
  }),
  comparedPart({
    ...{ name: 'journey-64', heading: 'Journey, 64 connections', connections: 64, mustReach: 2 },
    ...OF_REFERENCE,
  }),
  // Beside what somebody would write instead of using the service.
  comparedPart({
    ...{ name: 'peer-validate', heading: 'Validate, of the lean peer, 64 connections', against: 'peer' },
    ...{ scenario: 'validate', connections: 64, mustReach: 0.7, aim: 0.9 },
  }),
  comparedPart({
    ...{ name: 'peer-stage', heading: 'Stage, 1.2 kB, of the lean peer, 64 connections', against: 'peer' },
    ...{ scenario: 'stage', connections: 64, mustReach: 1.3, aim: 1.6, paced: true },
  }),
  comparedPart({
    ...{ name: 'peer-journey', heading: 'Journey, of the lean peer, 32 connections', against: 'peer' },
    ...{ scenario: 'journey', connections: 32, mustReach: 1.3, aim: 1.6, paced: true },
  }),
];
