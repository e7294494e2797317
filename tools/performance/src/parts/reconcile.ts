import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { fillAccounts } from '../world/fill.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import {
  fillHistory,
  lodgeManifest,
  type MeasuredReconciliation,
  measureFullJoin,
  measureReconciliation,
} from '../world/reconciliation.ts';
import type { World } from '../world/world.ts';
import { idleMb, mostMbWhile } from './bulk-memory.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const SHARE_OF_PEAK = 0.5;
const ONE_LANE = { BULK_LANES: '1' };

/** A manifest compared with what is stored, on one connection, in turns with one statement over whole tables. */
export const reconcile: Part = {
  name: 'reconcile',
  heading: 'Reconciliation',
  async measure(world, { effort, reconcileAccounts }): Promise<PartResult> {
    const target = await world.startTarget('reconcile', { variables: ONE_LANE });
    const accounts = reconcileAccounts.toLocaleString('en-GB');
    await fillAccounts(world, target, { prefix: 'R', from: 0, to: reconcileAccounts, completedEvery: 1 });
    await fillHistory(world, target);
    const manifest = await lodgeManifest(world, target);
    progress(`${accounts} accounts are filled`);
    const idle = await idleMb(target);
    const first = await mostMbWhile(target, () => measureReconciliation(world, target, manifest));
    await measureFullJoin(world, target, manifest);
    const measured: MeasuredReconciliation[] = [];
    const joins: number[] = [];
    while (measured.length < effort.rounds) {
      const one = await measureReconciliation(world, target, manifest);
      if (one.verdict !== 'EQUAL') throw new Error(`The verdict is ${one.verdict}: ${one.differences} differences`);
      const join = await measureFullJoin(world, target, manifest);
      if (join.different > 0) throw new Error('The full join has found differences');
      measured.push(one);
      joins.push(join.perSecond);
      progress(`${shown(one.perSecond)} accounts a second, the full join ${shown(join.perSecond)}`);
    }
    for (const instance of target.instances) await instance.stop();
    const rates = measured.map(({ perSecond }) => perSecond);
    const ratios = rates.map((rate, round) => rate / (joins[round] ?? Number.NaN));
    const ratio = { value: medianOf(ratios), direction: 'at least', mustReach: 0.8 } as const;
    const rate = { value: medianOf(rates), direction: 'at least', mustReach: 20_000, unit: '/s' } as const;
    const growth = { value: first.most - idle, direction: 'at most', mustReach: 120, unit: ' MB' } as const;
    const live = await besideCalls(world, effort);
    return {
      findings: [
        judge(`Reconciliation of ${accounts} accounts, of one full join`, ratio, shownSpread(ratios)),
        judge('Accounts compared a second on one connection', rate, shownSpread(rates)),
        judge('Memory of the service meanwhile, over idle', growth, `+ ${shown(first.most - idle)} MB`),
        live.finding,
      ],
      details: [INTRODUCTION, `The full join: ${shownSpread(joins)} accounts a second.`, live.details],
    };
  },
};

const INTRODUCTION =
  'Each account has 24 transactions, 12 statements and 2 notes; every figure but the fingerprint is claimed. One lane, from ' +
  'the first range to the verdict: all ranges are read again for it. In turns with one full join of the same tables, ' +
  'written by hand, on one connection.';

/** The journey's calls at half of its peak, in turns with and without reconciliations of what they have stored. */
async function besideCalls(
  world: World,
  effort: { rounds: number; warmUpMs: number; measureMs: number },
): Promise<{ finding: Finding; details: string }> {
  const { service } = world;
  const work = { scenario: 'journey', connections: CONNECTIONS, ...effort } as const;
  await warmUp(world, [service], work);
  const peak = await measureTurn(world, service, { ...work, prefix: freshPrefix() });
  const arrivalsPerSecond = peak.perSecond * SHARE_OF_PEAK;
  const turn = () => measureTurn(world, service, { ...work, arrivalsPerSecond, prefix: freshPrefix() });
  const without: MeasuredTurn[] = [];
  const beside: MeasuredTurn[] = [];
  while (beside.length < effort.rounds) {
    without.push(await turn());
    const manifest = await lodgeManifest(world, service);
    let isOver = false;
    const loop = (async () => {
      while (!isOver) await measureReconciliation(world, service, manifest);
    })();
    beside.push(await turn());
    isOver = true;
    await loop;
    progress(`p99 of a call: ${p99Of(without.slice(-1))} ms, beside ${p99Of(beside.slice(-1))} ms`);
  }
  const ratios = beside.map(({ calls }, round) => calls.p99 / (without[round]?.calls.p99 ?? Number.NaN));
  const goal = { value: medianOf(ratios), direction: 'at most', mustReach: 1.3 } as const;
  const row = (name: string, read: (one: MeasuredTurn) => number) => [
    name,
    shownSpread(without.map(read)),
    shownSpread(beside.map(read)),
  ];
  return {
    finding: judge(
      "A live call's p99 at half load while it runs, of that without",
      goal,
      `${shownSpread(ratios)}: ${p99Of(beside)} / ${p99Of(without)} ms`,
    ),
    details: table(
      ['', 'alone', 'while reconciliations run'],
      [
        row('accounts a second', ({ perSecond }) => perSecond),
        row('all calls: p50, ms', ({ calls }) => calls.p50),
        row('all calls: p99, ms', ({ calls }) => calls.p99),
      ],
    ),
  };
}

const p99Of = (turns: MeasuredTurn[]) => shown(medianOf(turns.map(({ calls }) => calls.p99)));
