import { availableParallelism } from 'node:os';
import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { type Finding, judge, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import { type Activity, sampleActivity } from '../world/sample-activity.ts';
import type { Target } from '../world/world.ts';
import type { Part } from './part.ts';

const COUNTS = [1, 2, 4] as const;
const CONNECTIONS_EACH = 16;
/** The same work for each instance, and so little that four of them do not use up the cores of a small machine. */
const ACCOUNTS_EACH_PER_SECOND = 30;
const WARM_UP_EACH_MS = 5_000;
const WAITS = 6;
/** Cores count as used up when less than this share of them is left over. */
const ALL_BUSY = 0.85;

/**
 * One, two and four instances on the same database, in turns, each with the same work. Whether more machines do more
 * work shows in the processor time of an account, which must not grow.
 */
export const instances: Part = {
  name: 'instances',
  heading: 'One, two and four instances on one database',
  async measure(world, { effort }) {
    const targets: Target[] = [];
    for (const count of COUNTS) {
      targets.push(await world.startTarget(`${count} instances`, { instances: count, database: world.service }));
    }
    const workOf = ({ instances: each }: Target) =>
      ({
        scenario: 'journey',
        connections: each.length * CONNECTIONS_EACH,
        arrivalsPerSecond: each.length * ACCOUNTS_EACH_PER_SECOND,
        ...effort,
      }) as const;
    // Each process has code to compile.
    for (const target of targets) {
      const { arrivalsPerSecond: _, ...work } = workOf(target);
      await warmUp(world, [target], { ...work, warmUpMs: WARM_UP_EACH_MS * target.instances.length });
    }
    const turns: MeasuredTurn[][] = targets.map(() => []);
    let activity: Activity = { waits: [], statements: [] };
    for (let round = 0; round < effort.rounds; round += 1) {
      for (const [index, target] of targets.entries()) {
        const measure = () => measureTurn(world, target, { ...workOf(target), prefix: freshPrefix() });
        const isLast = index === targets.length - 1;
        const sampled = isLast ? await sampleActivity(world, target, measure) : { result: await measure(), activity };
        activity = sampled.activity;
        turns[index]?.push(sampled.result);
      }
      progress(turns.map((each) => `${shown(each.at(-1)?.cpuMs.system ?? Number.NaN)} ms`).join(', '));
    }
    await world.service.ledger.verify();
    await stopAll(targets);
    return {
      findings: [growthOf('the service', turns, 'system'), growthOf('PostgreSQL', turns, 'postgres')],
      details: [describe(turns), describeWaits(activity), `The limit: ${limitOf(turns.at(-1) ?? [], activity)}.`],
    };
  },
};

async function stopAll(targets: readonly Target[]): Promise<void> {
  for (const target of targets) await Promise.all(target.instances.map((instance) => instance.stop()));
}

/** How much more processor time an account takes with the most instances than with one. */
function growthOf(whose: string, turns: MeasuredTurn[][], side: 'system' | 'postgres'): Finding {
  const [one = [], ...others] = turns.map((each) => each.map(({ cpuMs }) => cpuMs[side]));
  const ratios = (others.at(-1) ?? []).map((ms, round) => ms / (one[round] ?? Number.NaN));
  const goal = { value: medianOf(ratios), direction: 'at most', mustReach: 1.1 } as const;
  return judge(`4 instances: processor time of ${whose}, an account, of that with one`, goal, shownSpread(ratios));
}

function limitOf(turns: MeasuredTurn[], { waits }: Activity): string {
  const cores = availableParallelism();
  const busy = medianOf(turns.map(({ cores: used }) => used.system + used.postgres + used.generator));
  const top = waits[0];
  const share = top === undefined ? '' : ` (${shown(top.share * 100)} % of its active sessions: ${top.name})`;
  return busy >= cores * ALL_BUSY
    ? `the ${cores} cores, of which ${shown(busy)} were busy; PostgreSQL was not the limit${share}`
    : `PostgreSQL, ${shown(busy)} of ${cores} cores being busy${share}`;
}

function describe(turns: MeasuredTurn[][]): string {
  const row = (name: string, read: (turn: MeasuredTurn) => number) => [
    name,
    ...turns.map((each) => shownSpread(each.map(read))),
  ];
  return table(
    ['', ...COUNTS.map((count) => `${count} x ${ACCOUNTS_EACH_PER_SECOND} accounts a second`)],
    [
      row('accounts a second', (turn) => turn.perSecond),
      row('p99 of a journey, ms', (turn) => turn.latency.p99),
      row('ms of CPU, an account: the instances', (turn) => turn.cpuMs.system),
      row('ms of CPU, an account: PostgreSQL', (turn) => turn.cpuMs.postgres),
      row('cores busy: the instances', (turn) => turn.cores.system),
      row('cores busy: PostgreSQL', (turn) => turn.cores.postgres),
      row('cores busy: the load generator', (turn) => turn.cores.generator),
    ],
  );
}

function describeWaits({ waits }: Activity): string {
  const rows = waits.slice(0, WAITS).map(({ name, share }) => [name, `${shown(share * 100)} %`]);
  return table(['what PostgreSQL’s active sessions waited for, with four instances', 'share'], rows);
}
