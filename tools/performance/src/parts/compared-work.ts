import { type ComparedWork, type Comparison, compare, warmUp } from '../compare.ts';
import type { PartName } from '../options.ts';
import { describeComparison } from '../report/describe-comparison.ts';
import { type Finding, judge, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import type { MeasuredTurn } from '../world/measure-turn.ts';
import type { Part } from './part.ts';

/** A row of the table that is the service's rate over that of one written by hand. */
interface ComparedPart extends ComparedWork {
  name: PartName;
  heading: string;
  mustReach: number;
  aim: number;
  /** Whether the p99 at 80 % of the other's peak is a row too, both being asked for the same rate. */
  paced?: boolean;
}

const SHARE_OF_PEAK = 0.8;

/** Measures the rate and then, where that is a row, the p99. */
export function comparedPart(work: ComparedPart): Part {
  const { name, heading, against, mustReach, aim, paced = false } = work;
  return {
    name,
    heading,
    async measure(world, { effort, pacedRounds }) {
      await warmUp(world, [world.service, world[against]], { ...work, ...effort });
      const rates = await compare(world, work, effort);
      const goal = { value: medianOf(rates.ratios), direction: 'at least', mustReach, aim } as const;
      const reached = `${shownSpread(rates.ratios)}: ${ratesOf(rates)} accounts/s; ${cpuOfEach(rates)}`;
      const findings = [judge(heading, goal, reached)];
      const details = [describeComparison(rates, against)];
      if (!paced) return { findings, details };
      const arrivalsPerSecond = medianOf(rates.other.map(({ perSecond }) => perSecond)) * SHARE_OF_PEAK;
      const atOneRate = await compare(world, { ...work, arrivalsPerSecond }, { ...effort, rounds: pacedRounds });
      return {
        findings: [...findings, judgePaced(work, atOneRate)],
        details: [...details, describePaced(work, atOneRate)],
      };
    },
  };
}

function ratesOf({ service, other }: Comparison): string {
  const of = (turns: MeasuredTurn[]) => shown(medianOf(turns.map(({ perSecond }) => perSecond)));
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
