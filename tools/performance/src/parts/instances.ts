import { availableParallelism } from 'node:os';
import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import { type Activity, sampleActivity } from '../world/sample-activity.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const WAITS = 6;
/** Cores count as used up when less than this share of them is left over. */
const ALL_BUSY = 0.85;

/** One instance and two on the same database, alternating, and what prevents the second from doubling the rate. */
export const instances: Part = {
  name: 'instances',
  heading: 'Two instances on one database',
  async measure(world, { effort }) {
    const two = await world.startTarget('two instances', { instances: 2, database: world.service });
    const work = { scenario: 'journey', connections: CONNECTIONS } as const;
    await warmUp(world, [world.service, two], { ...work, ...effort });
    const turns: { one: MeasuredTurn[]; two: MeasuredTurn[] } = { one: [], two: [] };
    let activity: Activity = { waits: [], statements: [] };
    for (let round = 0; round < effort.rounds; round += 1) {
      const request = { ...work, ...effort };
      turns.one.push(await measureTurn(world, world.service, { ...request, prefix: freshPrefix() }));
      const sampled = await sampleActivity(world, two, () =>
        measureTurn(world, two, { ...request, prefix: freshPrefix() }),
      );
      turns.two.push(sampled.result);
      activity = sampled.activity;
      progress(describeRound(turns));
    }
    await world.service.ledger.verify();
    const ratios = turns.two.map(({ perSecond }, round) => perSecond / (turns.one[round]?.perSecond ?? Number.NaN));
    const reached = `${shownSpread(ratios)} of one: ${shown(medianOf(turns.two.map(({ perSecond }) => perSecond)))} accounts/s`;
    const limit = limitOf(turns.two, activity);
    const finding = {
      work: '2 instances on one database',
      mustReach: 'says the limit',
      aim: '',
      reached,
      verdict: limit,
    };
    return { findings: [finding], details: [describe(turns), describeWaits(activity), `The limit: ${limit}.`] };
  },
};

function describeRound({ one, two }: { one: MeasuredTurn[]; two: MeasuredTurn[] }): string {
  return `one instance ${one.at(-1)?.perSecond.toFixed(0)}, two ${two.at(-1)?.perSecond.toFixed(0)} accounts a second`;
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

function describe({ one, two }: { one: MeasuredTurn[]; two: MeasuredTurn[] }): string {
  const row = (name: string, read: (turn: MeasuredTurn) => number) => [
    name,
    shownSpread(one.map(read)),
    shownSpread(two.map(read)),
  ];
  return table(
    ['', 'one instance', 'two instances'],
    [
      row('accounts a second', (turn) => turn.perSecond),
      row('p99 of a journey, ms', (turn) => turn.latency.p99),
      row('cores busy: the instances', (turn) => turn.cores.system),
      row('cores busy: PostgreSQL', (turn) => turn.cores.postgres),
      row('cores busy: the load generator', (turn) => turn.cores.generator),
    ],
  );
}

function describeWaits({ waits }: Activity): string {
  const rows = waits.slice(0, WAITS).map(({ name, share }) => [name, `${shown(share * 100)} %`]);
  return table(['what PostgreSQL’s active sessions waited for, with two instances', 'share'], rows);
}
