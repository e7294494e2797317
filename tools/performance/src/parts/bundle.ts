import { JOURNEY_STATEMENTS, JOURNEY_TRANSACTIONS } from '../load/book.ts';
import type { ScenarioName } from '../load/turn.ts';
import { progress } from '../progress.ts';
import { judge, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const HEADING = 'Account with its history, 64 connections, of the journey';

/** The same accounts with the same history: in the account's payload, and in the journey's seven calls. In turns. */
export const bundle: Part = {
  name: 'bundle',
  heading: HEADING,
  async measure(world, { effort }) {
    const turnOf = (scenario: ScenarioName, measureMs = effort.measureMs) =>
      measureTurn(world, world.service, {
        ...{ scenario, connections: CONNECTIONS, warmUpMs: effort.warmUpMs, measureMs, prefix: freshPrefix() },
      });
    await turnOf('bundle', effort.warmUpMs);
    await turnOf('journey', effort.warmUpMs);
    const bundles: MeasuredTurn[] = [];
    const journeys: MeasuredTurn[] = [];
    while (bundles.length < effort.rounds) {
      bundles.push(await turnOf('bundle'));
      journeys.push(await turnOf('journey'));
      progress(`bundle ${rateOf(bundles.slice(-1))}, journey ${rateOf(journeys.slice(-1))} accounts a second`);
    }
    await verify(world);
    const ratios = bundles.map(({ perSecond }, round) => perSecond / (journeys[round]?.perSecond ?? Number.NaN));
    const goal = { value: medianOf(ratios), direction: 'at least', mustReach: 2 } as const;
    const reached = `${shownSpread(ratios)}: ${rateOf(bundles)} / ${rateOf(journeys)} accounts/s`;
    return { findings: [judge(HEADING, goal, reached)], details: [INTRODUCTION, describe(bundles, journeys)] };
  },
};

const INTRODUCTION =
  `The account's payload carries 2 notes, ${JOURNEY_TRANSACTIONS} transactions and ${JOURNEY_STATEMENTS} statements: ` +
  'stage and process leave what the seven calls of the journey leave.';

const verify = ({ service }: World) => service.ledger.verify();

function rateOf(turns: MeasuredTurn[]): string {
  return shown(medianOf(turns.map(({ perSecond }) => perSecond)));
}

function describe(bundles: MeasuredTurn[], journeys: MeasuredTurn[]): string {
  const row = (name: string, turns: MeasuredTurn[]) => [
    name,
    shownSpread(turns.map(({ perSecond }) => perSecond)),
    shownSpread(turns.map(({ latency }) => latency.p50)),
    shownSpread(turns.map(({ latency }) => latency.p99)),
    shownSpread(turns.map(({ cpuMs }) => cpuMs.system)),
    shownSpread(turns.map(({ cpuMs }) => cpuMs.postgres)),
  ];
  const header = ['', 'accounts a second', 'p50, ms', 'p99, ms', 'CPU ms of the service', 'CPU ms of PostgreSQL'];
  return table(header, [row('with its history', bundles), row('seven calls', journeys)]);
}
