import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import { measureMove } from '../world/run-move.ts';
import type { Part } from './part.ts';

const CONNECTIONS = [4, 8, 16, 32, 64] as const;
/** Of the best turn: ten seconds in which it finds its concurrency, and as long again that count. */
const SECONDS = 25;

/** `causeway move`, which finds its concurrency itself, beside the load generator at each fixed one. */
export const move: Part = {
  name: 'move',
  heading: 'A book by single calls',
  async measure(world, { effort }): Promise<PartResult> {
    const { service } = world;
    await warmUp(world, [service], { scenario: 'journey', connections: 16, ...effort });
    const ratios: number[] = [];
    const moves: number[] = [];
    const fixed = new Map<number, number[]>(CONNECTIONS.map((connections) => [connections, []]));
    while (ratios.length < effort.rounds) {
      const rates: number[] = [];
      for (const connections of CONNECTIONS) {
        const work = { scenario: 'journey', connections, ...effort, prefix: freshPrefix() } as const;
        const { perSecond } = await measureTurn(world, service, work);
        fixed.get(connections)?.push(perSecond);
        rates.push(perSecond);
      }
      const best = Math.max(...rates);
      const { perSecond } = await measureMove(world, service, Math.ceil(best * SECONDS));
      moves.push(perSecond);
      ratios.push(perSecond / best);
      progress(`move ${shown(perSecond)} accounts a second, the best of ${rates.map(shown).join(', ')}`);
    }
    await service.ledger.verify();
    const goal = { value: medianOf(ratios), direction: 'at least', mustReach: 0.9, aim: 1 } as const;
    const rows = [...fixed].map(([connections, rates]) => [`${connections} connections`, shownSpread(rates)]);
    return {
      findings: [
        judge(
          'causeway move, of the journey at the best concurrency',
          goal,
          `${shownSpread(ratios)}: ${shown(medianOf(moves))}/s`,
        ),
      ],
      details: [INTRODUCTION, table(['', 'accounts a second'], [...rows, ['causeway move', shownSpread(moves)]])],
    };
  },
};

const INTRODUCTION =
  'The load generator at fixed numbers of connections, in turns with the command line, which is told none and is measured ' +
  'from its tenth second on. A journey ends with a read of the status, which the command line does not need.';
