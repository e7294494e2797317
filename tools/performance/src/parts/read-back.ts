import type { ScenarioName } from '../load/turn.ts';
import { progress } from '../progress.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

const ACCOUNTS = 200;
const CONNECTIONS = [1, 4, 8] as const;
const PATIENCE_MS = 60_000;
const HEADING = 'Reading an account back, of a status read';

/** The turns of one number of connections, in pairs. */
interface Pairs {
  connections: number;
  statuses: MeasuredTurn[];
  reads: MeasuredTurn[];
}

/** The same accounts with their history: their status, and all that is stored of them. In turns. */
export const readBack: Part = {
  name: 'read-back',
  heading: HEADING,
  async measure(world, { effort }) {
    const prefix = await importAccounts(world);
    const results: PartResult = { findings: [], details: [INTRODUCTION] };
    for (const connections of CONNECTIONS) {
      const turnOf = (scenario: ScenarioName) =>
        measureTurn(world, world.service, {
          ...{ scenario, connections, prefix, accounts: ACCOUNTS, repeats: true },
          ...{ warmUpMs: effort.warmUpMs / 2, measureMs: effort.measureMs / 2 },
        });
      const pairs: Pairs = { connections, statuses: [], reads: [] };
      while (pairs.reads.length < effort.rounds) {
        pairs.statuses.push(await turnOf('status'));
        pairs.reads.push(await turnOf('read-back'));
        progress(`${connections} connections: read-back ${shownSpread(ratiosOf(pairs, medianTime))} of a status read`);
      }
      results.findings.push(judgePairs(pairs));
      results.details.push(describe(pairs));
    }
    return results;
  },
};

const INTRODUCTION =
  `${ACCOUNTS} accounts with 24 transactions, 12 statements and 2 notes. A status read tells two values; reading back ` +
  'tells all of the account, and counts and adds up its history. The time is the median of a turn.';

async function importAccounts(world: World): Promise<string> {
  const prefix = freshPrefix();
  const { completed } = await measureTurn(world, world.service, {
    ...{ scenario: 'bundle', connections: CONNECTIONS[2], prefix, accounts: ACCOUNTS, warmUpMs: 0 },
    measureMs: PATIENCE_MS,
  });
  if (completed < ACCOUNTS) throw new Error(`Only ${completed} accounts were created in ${PATIENCE_MS} ms`);
  return prefix;
}

const medianTime = ({ latency }: MeasuredTurn) => latency.p50;
const cpuTime = ({ cpuMs }: MeasuredTurn) => cpuMs.system + cpuMs.postgres;

function ratiosOf({ statuses, reads }: Pairs, timeOf: (turn: MeasuredTurn) => number): number[] {
  return reads.map((read, round) => timeOf(read) / timeOf(statuses[round] as MeasuredTurn));
}

function judgePairs(pairs: Pairs): Finding {
  const ratios = ratiosOf(pairs, medianTime);
  const times = [pairs.reads, pairs.statuses].map((turns) => shown(medianOf(turns.map(medianTime))));
  const goal = { value: medianOf(ratios), direction: 'at most', mustReach: 1.5 } as const;
  const work = `${HEADING}, ${pairs.connections} ${pairs.connections === 1 ? 'connection' : 'connections'}`;
  return judge(work, goal, `${shownSpread(ratios)}: ${times.join(' / ')} ms`);
}

function describe(pairs: Pairs): string {
  const row = (name: string, turns: MeasuredTurn[]) => [
    name,
    shownSpread(turns.map(medianTime)),
    shownSpread(turns.map(({ latency }) => latency.p99)),
    shownSpread(turns.map(({ cpuMs }) => cpuMs.system)),
    shownSpread(turns.map(({ cpuMs }) => cpuMs.postgres)),
  ];
  const header = [
    `connections: ${pairs.connections}`,
    'p50, ms',
    'p99, ms',
    'service, ms of CPU',
    'PostgreSQL, ms of CPU',
  ];
  const cpu = shownSpread(ratiosOf(pairs, cpuTime));
  const rows = [row('status', pairs.statuses), row('read back', pairs.reads), ['all CPU time, ratio', cpu, '', '', '']];
  return table(header, rows);
}
