import { progress } from './progress.ts';
import { shown } from './report/statistics.ts';
import { type MeasuredTurn, measureTurn, type TurnRequest } from './world/measure-turn.ts';
import type { Target, World } from './world/world.ts';

/** How long each part measures, and how often. */
export interface Effort {
  rounds: number;
  warmUpMs: number;
  measureMs: number;
}

/** The same work on the service and on one written by hand, alternating. */
export interface Comparison {
  service: MeasuredTurn[];
  other: MeasuredTurn[];
  /** service / other, pair by pair. */
  ratios: number[];
}

export interface ComparedWork extends Omit<TurnRequest, 'warmUpMs' | 'measureMs'> {
  against: 'reference' | 'peer';
}

/** A turn that does not count, for newly started processes: Node compiles hot code, PostgreSQL fills its cache. */
export async function warmUp(world: World, targets: readonly Target[], work: TurnRequest): Promise<void> {
  for (const target of targets) await measureTurn(world, target, { ...work, measureMs: work.warmUpMs });
}

/** A B A B ..., each turn with its own warm-up and unused accounts; then the rows of both are checked. */
export async function compare(world: World, work: ComparedWork, effort: Effort): Promise<Comparison> {
  const comparison: Comparison = { service: [], other: [], ratios: [] };
  for (let round = 0; round < effort.rounds; round += 1) {
    const service = await measureTurn(world, world.service, { ...work, ...effort });
    const other = await measureTurn(world, world[work.against], { ...work, ...effort });
    comparison.service.push(service);
    comparison.other.push(other);
    comparison.ratios.push(service.perSecond / other.perSecond);
    progress(describeRound(work, service, other));
  }
  await world.service.ledger.verify();
  await world[work.against].ledger.verify();
  return comparison;
}

function describeRound({ scenario, arrivalsPerSecond }: ComparedWork, service: MeasuredTurn, other: MeasuredTurn) {
  const rates = [service, other].map(({ perSecond }) => perSecond.toFixed(0)).join(' / ');
  const p99 = [service, other].map(({ latency }) => latency.p99.toFixed(1)).join(' / ');
  const ratio = (service.perSecond / other.perSecond).toFixed(2);
  return arrivalsPerSecond === undefined
    ? `${scenario}: ${rates} a second, ${ratio}`
    : `${scenario}, ${shown(arrivalsPerSecond)} a second: p99 ${p99} ms`;
}
