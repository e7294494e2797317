import { type ComparedWork, type Comparison, compare, warmUp } from '../compare.ts';
import type { Options, PartName } from '../options.ts';
import { describeComparison } from '../report/describe-comparison.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

/** A row of the table that is the service's rate over the reference's, and its p99 at 80 % of the peak. */
export interface ComparedPart extends ComparedWork {
  name: PartName;
  heading: string;
  /** What the rate counts. */
  unit: string;
  /** How many of these an iteration has. Default: 1. */
  unitsPerIteration?: number;
  mustReach: number;
  aim?: number;
}

const SHARE_OF_PEAK = 0.8;

export function comparedPart(
  workOf: (world: World) => ComparedPart,
  { name, heading }: { name: PartName; heading: string },
): Part {
  return {
    name,
    heading,
    async measure(world, options) {
      const work = workOf(world);
      await warmUp(world, [world.service, world.reference], { ...work, ...options.effort });
      return measureCompared(world, work, options);
    },
  };
}

/** Measures the rate (unless that was done) and then the p99 at 80 % of it. */
export async function measureCompared(
  world: World,
  work: ComparedPart,
  options: Pick<Options, 'effort' | 'pacedRounds'> & { comparison?: Comparison },
): Promise<PartResult> {
  const { heading, unit, unitsPerIteration = 1 } = work;
  const { effort, pacedRounds, comparison = await compare(world, work, effort) } = options;
  const goal = { value: medianOf(comparison.ratios), direction: 'at least', mustReach: work.mustReach } as const;
  const reached = `${shownSpread(comparison.ratios)}: ${rates(comparison, unitsPerIteration)} ${unit}/s`;
  const findings = [judge(heading, work.aim === undefined ? goal : { ...goal, aim: work.aim }, reached)];
  const details = [describeComparison(comparison, unitsPerIteration === 1 ? unit : 'requests')];
  if (pacedRounds === 0) return { findings, details };
  const peakOf = (target: Target) =>
    medianOf(comparison[target === world.service ? 'service' : 'reference'].map(({ perSecond }) => perSecond));
  const arrivalsPerSecond = (target: Target) => peakOf(target) * SHARE_OF_PEAK;
  const paced = await compare(world, { ...work, arrivalsPerSecond }, { ...effort, rounds: pacedRounds });
  return { findings: [...findings, judgePaced(heading, paced)], details: [...details, describePaced(paced)] };
}

function rates({ service, reference }: Comparison, unitsPerIteration: number): string {
  const of = (turns: { perSecond: number }[]) =>
    shown(medianOf(turns.map(({ perSecond }) => perSecond)) * unitsPerIteration);
  return `${of(service)} / ${of(reference)}`;
}

/** Each system at 80 % of its own peak, in an open loop: the p99 of a whole iteration. */
function judgePaced(heading: string, { service, reference }: Comparison): Finding {
  const p99 = [service, reference].map((turns) => medianOf(turns.map(({ latency }) => latency.p99)));
  const [ofService = Number.NaN, ofReference = Number.NaN] = p99;
  const value = ofService / ofReference;
  const reached = `${shown(value)}: ${shown(ofService)} / ${shown(ofReference)} ms`;
  return judge(`p99 at 80 % of the peak: ${heading}`, { value, direction: 'at most', mustReach: 1, aim: 0.5 }, reached);
}

function describePaced({ service, reference }: Comparison): string {
  const row = (name: string, turns: Comparison['service']) => [
    name,
    shownSpread(turns.map(({ perSecond }) => perSecond)),
    shownSpread(turns.map(({ latency }) => latency.p50)),
    shownSpread(turns.map(({ latency }) => latency.p99)),
  ];
  const header = ['at 80 % of its own peak', 'iterations a second', 'p50, ms', 'p99, ms'];
  return table(header, [row('service', service), row('reference', reference)]);
}
