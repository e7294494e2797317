import type { Comparison } from '../compare.ts';
import type { MeasuredTurn } from '../world/measure-turn.ts';
import { table } from './finding.ts';
import { medianOf, shown, shownSpread } from './statistics.ts';

/** The numbers behind a ratio, as a Markdown table: rates, latencies of the calls, and CPU time by process. */
export function describeComparison(comparison: Comparison, against: string): string {
  const { service, other, ratios } = comparison;
  const columns = [service, other];
  const row = (name: string, cell: (turns: MeasuredTurn[]) => string, last = '') => [name, ...columns.map(cell), last];
  const ofEach = (read: (turn: MeasuredTurn) => number) => (turns: MeasuredTurn[]) => shownSpread(turns.map(read));
  const ratioOf = (read: (turn: MeasuredTurn) => number) =>
    shownSpread(service.map((turn, round) => read(turn) / read(other[round] as MeasuredTurn)));
  const steps = Object.keys(service[0]?.steps ?? {});
  const perStep = (step: string) => (turns: MeasuredTurn[]) => {
    const of = (read: 'p50' | 'p99') => shown(medianOf(turns.map((turn) => turn.steps[step]?.[read] ?? Number.NaN)));
    return `${of('p50')} / ${of('p99')}`;
  };
  return table(
    ['', 'service', against, `service / ${against}`],
    [
      row(
        'accounts a second',
        ofEach((turn) => turn.perSecond),
        shownSpread(ratios),
      ),
      ...steps.map((step) => row(`${step}: p50 / p99, ms`, perStep(step))),
      row(
        'CPU for each, ms: the system',
        ofEach((turn) => turn.cpuMs.system),
        ratioOf((turn) => turn.cpuMs.system),
      ),
      row(
        'CPU for each, ms: PostgreSQL',
        ofEach((turn) => turn.cpuMs.postgres),
        ratioOf((turn) => turn.cpuMs.postgres),
      ),
      row(
        'cores busy: the system',
        ofEach((turn) => turn.cores.system),
      ),
      row(
        'cores busy: PostgreSQL',
        ofEach((turn) => turn.cores.postgres),
      ),
      row(
        'cores busy: the load generator',
        ofEach((turn) => turn.cores.generator),
      ),
    ],
  );
}
