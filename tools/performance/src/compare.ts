import { progress } from './progress.ts';
import { freshPrefix, type MeasuredTurn, measureTurn, type TurnRequest } from './world/measure-turn.ts';
import type { Target, World } from './world/world.ts';

/** How long each part measures, and how often. */
export interface Effort {
  rounds: number;
  warmUpMs: number;
  measureMs: number;
}

/** The same work on the service and on the reference, alternating. */
export interface Comparison {
  service: MeasuredTurn[];
  reference: MeasuredTurn[];
  /** service / reference, pair by pair. */
  ratios: number[];
}

export interface ComparedWork extends Pick<TurnRequest, 'scenario' | 'connections'> {
  transactionsPerAccount?: number;
  /** Creates the accounts of a turn by SQL; returns their number. */
  prepare?: (target: Target, prefix: string) => Promise<number>;
  repeats?: boolean;
  arrivalsPerSecond?: (target: Target) => number;
}

/** A turn that does not count, for newly started processes: Node compiles hot code, PostgreSQL fills its cache. */
export async function warmUp(world: World, targets: readonly Target[], work: ComparedWork & Effort): Promise<void> {
  for (const target of targets) await turnOf(world, target, { ...work, measureMs: work.warmUpMs });
}

/** A B A B ..., each turn with its own warm-up and unused accounts; then the rows of both are checked. */
export async function compare(world: World, work: ComparedWork, effort: Effort): Promise<Comparison> {
  const comparison: Comparison = { service: [], reference: [], ratios: [] };
  for (let round = 0; round < effort.rounds; round += 1) {
    const service = await turnOf(world, world.service, { ...work, ...effort });
    const reference = await turnOf(world, world.reference, { ...work, ...effort });
    comparison.service.push(service);
    comparison.reference.push(reference);
    comparison.ratios.push(service.perSecond / reference.perSecond);
    progress(describeRound(work, service, reference));
  }
  await world.service.ledger.verify();
  await world.reference.ledger.verify();
  return comparison;
}

function describeRound({ scenario, arrivalsPerSecond }: ComparedWork, service: MeasuredTurn, reference: MeasuredTurn) {
  const [mine, other] = [service, reference].map(({ perSecond }) => perSecond.toFixed(0));
  const [p99, otherP99] = [service, reference].map(({ latency }) => latency.p99.toFixed(1));
  const ratio = (service.perSecond / reference.perSecond).toFixed(2);
  return arrivalsPerSecond === undefined
    ? `${scenario}: ${mine} / ${other} a second, ${ratio}`
    : `${scenario} at 80 % of the peak: p99 ${p99} / ${otherP99} ms`;
}

async function turnOf(world: World, target: Target, work: ComparedWork & Effort): Promise<MeasuredTurn> {
  const { scenario, connections, warmUpMs, measureMs, transactionsPerAccount, repeats = false } = work;
  const prefix = freshPrefix();
  const accounts = await work.prepare?.(target, prefix);
  const arrivalsPerSecond = work.arrivalsPerSecond?.(target);
  return measureTurn(world, target, {
    ...{ scenario, connections, warmUpMs, measureMs, prefix, repeats },
    ...(accounts === undefined ? {} : { accounts }),
    ...(transactionsPerAccount === undefined ? {} : { transactionsPerAccount }),
    ...(arrivalsPerSecond === undefined ? {} : { arrivalsPerSecond }),
  });
}
