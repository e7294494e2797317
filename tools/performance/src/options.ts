import { parseArgs } from 'node:util';
import type { Effort } from './compare.ts';

/** What a run does and for how long. */
export interface Options {
  /** Names of parts; absent: all of them, and the document is written. */
  only: readonly PartName[] | undefined;
  effort: Effort;
  /** Rounds at 80 % of the peer's peak. */
  pacedRounds: number;
  reconcileAccounts: number;
  /** Parts that are measured again replace their sections in the document of the previous run. */
  keep: boolean;
  help: boolean;
}

/** The parts by their names, in the order they run. */
const PART_NAMES = [
  ...(['journey-16', 'journey-64', 'peer-validate', 'peer-stage', 'peer-journey'] as const),
  ...(['bulk', 'bulk-live', 'bulk-memory', 'reconcile', 'memory'] as const),
  ...(['profile-journey', 'profile-validate', 'profile-stage'] as const),
];
export type PartName = (typeof PART_NAMES)[number] | 'answers';

export const USAGE = `npx pnpm@12 bench [options]

Measures the service against two written by hand, tools/performance/reference and the lean tools/performance/peer, on one
PostgreSQL, prints a table and, if every part ran, writes docs/figures/performance.md.

  --short                the journey's ratio only, in under 90 seconds; with --only: shorter turns
  --only a,b             these parts only: ${PART_NAMES.join(', ')}
  --keep                 with --only: writes these parts into the document of the last full run, if its
                         docs/figures/performance.json is there: a release carries it
  --profile              a profile of the service during the journey (adds the part profile-journey)
  --rounds n             rounds of each comparison (5)
  --seconds n            measured seconds of each turn (8), after a quarter of it as a warm-up
  --reconcile-accounts n accounts that are reconciled (50000)
`;

const SHORT: Effort = { rounds: 5, warmUpMs: 1_500, measureMs: 4_000 };

/** Reads the command line; throws an Error that describes the problem. */
export function readOptions(commandLine: string[]): Options {
  const { values } = parseArgs({
    args: commandLine.filter((argument) => argument !== '--'),
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      profile: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'reconcile-accounts': { type: 'string', default: '50000' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const named = values.only?.split(',').flatMap(partsOf) ?? (values.short ? (['journey-16'] as const) : undefined);
  const only = values.profile ? [...new Set<PartName>([...(named ?? []), 'profile-journey'])] : named;
  const usual = values.short ? SHORT : { rounds: 5, warmUpMs: 2_000, measureMs: 8_000 };
  const rounds = values.rounds === undefined ? usual.rounds : numberOf('rounds', values.rounds);
  const measureMs = values.seconds === undefined ? usual.measureMs : numberOf('seconds', values.seconds) * 1_000;
  const warmUpMs = values.seconds === undefined ? usual.warmUpMs : measureMs / 4;
  return {
    only,
    effort: { rounds, warmUpMs, measureMs },
    pacedRounds: Math.ceil(rounds / 2),
    reconcileAccounts: numberOf('reconcile-accounts', values['reconcile-accounts']),
    keep: values.keep,
    help: values.help,
  };
}

/** A name that no part has stands for all that begin with it: `journey` for both of them. */
function partsOf(name: string): PartName[] {
  const named = PART_NAMES.filter((part) => part === name);
  const parts = named.length > 0 ? named : PART_NAMES.filter((part) => part.startsWith(`${name}-`));
  if (parts.length === 0) throw new Error(`There is no part "${name}": ${PART_NAMES.join(', ')}.`);
  return parts;
}

function numberOf(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`--${name} takes a number, not "${text}".`);
  return Number(text);
}
