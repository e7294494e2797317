import { progress } from '../progress.ts';
import { judge, type PartResult } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import {
  fillAccounts,
  lodgeManifest,
  type MeasuredReconciliation,
  measureFullJoin,
  measureReconciliation,
} from '../world/reconciliation.ts';
import { idleMb, mostMbWhile } from './bulk-memory.ts';
import { measureLiveCalls } from './live-calls.ts';
import type { Part } from './part.ts';

const ONE_LANE = { BULK_LANES: '1' };

/** A manifest compared with what is stored, on one connection, in turns with one statement over whole tables. */
export const reconcile: Part = {
  name: 'reconcile',
  heading: 'Reconciliation',
  async measure(world, { effort, reconcileAccounts }): Promise<PartResult> {
    const target = await world.startTarget('reconcile', { variables: ONE_LANE });
    const accounts = reconcileAccounts.toLocaleString('en-GB');
    await fillAccounts(world, target, reconcileAccounts);
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
    await target.system.terminate();
    const rates = measured.map(({ perSecond }) => perSecond);
    const ratios = rates.map((rate, round) => rate / (joins[round] ?? Number.NaN));
    const ratio = { value: medianOf(ratios), direction: 'at least', mustReach: 0.8 } as const;
    const rate = { value: medianOf(rates), direction: 'at least', mustReach: 20_000, unit: '/s' } as const;
    const growth = { value: first.most - idle, direction: 'at most', mustReach: 120, unit: ' MB' } as const;
    const live = await measureLiveCalls(world, effort, {
      ...{ what: 'reconciliations run', mustReach: 1.3 },
      async start() {
        const stored = await lodgeManifest(world, world.service);
        let isOver = false;
        const loop = (async () => {
          while (!isOver) await measureReconciliation(world, world.service, stored);
        })();
        return () => {
          isOver = true;
          return loop;
        };
      },
    });
    return {
      findings: [
        judge(`Reconciliation of ${accounts} accounts, of one full join`, ratio, shownSpread(ratios)),
        judge('Accounts compared a second on one connection', rate, shownSpread(rates)),
        judge('Memory of the service meanwhile, over idle', growth, `+ ${shown(first.most - idle)} MB`),
        live.finding,
      ],
      details: [INTRODUCTION, `The full join: ${shownSpread(joins)} accounts a second.`, live.intro, live.details],
    };
  },
};

const INTRODUCTION =
  'Each account has 24 transactions, 12 statements and 2 notes; every figure but the fingerprint is claimed. One lane, from ' +
  'the first range to the verdict: all ranges are read again for it. In turns with one full join of the same tables, ' +
  'written by hand, on one connection.';
