import { type ComparedWork, type Comparison, compare, warmUp } from '../compare.ts';
import type { Options, PartName } from '../options.ts';
import { describeComparison } from '../report/describe-comparison.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import type { MeasuredTurn } from '../world/measure-turn.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

/** A row of the table that is the service's rate over that of one written by hand. */
export interface ComparedPart extends ComparedWork {
  name: PartName;
  heading: string;
  /** What the rate counts. */
  unit: string;
  /** How many of these an iteration has. Default: 1. */
  unitsPerIteration?: number;
  mustReach: number;
  aim?: number;
  /** Whether the p99 at 80 % of the other's peak is a row too, both being asked for the same rate. */
  paced?: boolean;
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
      await warmUp(world, [world.service, world[work.against]], { ...work, ...options.effort });
      return measureCompared(world, work, options);
    },
  };
}

/** Measures the rate (unless that was done) and then, where that is a row, the p99. */
export async function measureCompared(
  world: World,
  work: ComparedPart,
  options: Pick<Options, 'effort' | 'pacedRounds'> & { comparison?: Comparison },
): Promise<PartResult> {
  const { heading, against, unit, unitsPerIteration = 1 } = work;
  const { effort, pacedRounds, comparison = await compare(world, work, effort) } = options;
  const goal = { value: medianOf(comparison.ratios), direction: 'at least', mustReach: work.mustReach } as const;
  const reached = `${shownSpread(comparison.ratios)}: ${rates(comparison, unitsPerIteration)} ${unit}/s; ${cpuOfEach(comparison)}`;
  const findings = [judge(heading, work.aim === undefined ? goal : { ...goal, aim: work.aim }, reached)];
  const details = [describeComparison(comparison, unitsPerIteration === 1 ? unit : 'requests', against)];
  if (work.paced !== true) return { findings, details };
  const arrivalsPerSecond = medianOf(comparison.other.map(({ perSecond }) => perSecond)) * SHARE_OF_PEAK;
  const paced = await compare(world, { ...work, arrivalsPerSecond }, { ...effort, rounds: pacedRounds });
  return { findings: [...findings, judgePaced(work, paced)], details: [...details, describePaced(work, paced)] };
}

function rates({ service, other }: Comparison, unitsPerIteration: number): string {
  const of = (turns: { perSecond: number }[]) =>
    shown(medianOf(turns.map(({ perSecond }) => perSecond)) * unitsPerIteration);
  return `${of(service)} / ${of(other)}`;
}

function cpuOfEach({ service, other }: Comparison): string {
  const of = (turns: MeasuredTurn[]) =>
    (['system', 'postgres'] as const).map((side) => shown(medianOf(turns.map(({ cpuMs }) => cpuMs[side])))).join(' + ');
  return `CPU of each ${of(service)} / ${of(other)} ms`;
}

/** Both at the same rate, in an open loop: the p99 of a whole iteration. */
function judgePaced({ heading, against }: ComparedPart, comparison: Comparison): Finding {
  const { service, other } = comparison;
  const p99 = [service, other].map((turns) => medianOf(turns.map(({ latency }) => latency.p99)));
  const [ofService = Number.NaN, ofOther = Number.NaN] = p99;
  const value = ofService / ofOther;
  const reached = `${shown(value)}: ${shown(ofService)} / ${shown(ofOther)} ms; ${cpuOfEach(comparison)}`;
  const goal = { value, direction: 'at most', mustReach: 0.9, aim: 0.5 } as const;
  return judge(`p99 at 80 % of the ${against}'s peak: ${heading}`, goal, reached);
}

function describePaced({ against }: ComparedPart, { service, other }: Comparison): string {
  const row = (name: string, turns: Comparison['service']) => [
    name,
    shownSpread(turns.map(({ perSecond }) => perSecond)),
    shownSpread(turns.map(({ latency }) => latency.p50)),
    shownSpread(turns.map(({ latency }) => latency.p99)),
  ];
  const header = [`at 80 % of the ${against}'s peak`, 'iterations a second', 'p50, ms', 'p99, ms'];
  return table(header, [row('service', service), row(against, other)]);
}
