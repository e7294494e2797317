import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import text from '../../components/text.module.css';
import { type Colours, useColours } from '../../components/use-colours.ts';
import type { OutputOf } from '../../data/ask.ts';
import { count } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';
import styles from './progress-chart.module.css';

const HEIGHT = 220;
/** Half of `23:59:59`, which may stand under the last point. */
const LABEL_HALF = 28;
const DAY_S = 86_400;
const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
const SECONDS = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const COMPACT = new Intl.NumberFormat('en-GB', { notation: 'compact' });
const AT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' },
});

/** How the chart of a migration is drawn: one line, its forecast dashed, a band around it. */
function chartOptions(width: number, colours: Colours): uPlot.Options {
  const axis = { stroke: colours.faint, grid: { stroke: colours.line, width: 1 }, ticks: { show: false } };
  const value = (_: uPlot, of: number | null) => (of === null ? '–' : count(Math.round(of)));
  const edge = { stroke: 'transparent', points: { show: false }, value, label: '' };
  return {
    width,
    height: HEIGHT,
    tzDate: (at) => uPlot.tzDate(new Date(at * 1_000), 'Etc/UTC'),
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    legend: { show: false },
    padding: [null, LABEL_HALF, null, null],
    axes: [
      { ...axis, grid: { show: false }, size: 32, space: 72, values: timesOf },
      {
        ...axis,
        size: 56,
        values: (_, splits) => splits.map((split) => (Number.isInteger(split) ? COMPACT.format(split) : '')),
      },
    ],
    scales: {
      y: { range: (_, low, high) => rangeOf(low, high) },
    },
    series: [
      { value: (_, at) => (at === null ? '–' : `${AT.format(at * 1_000)} UTC`), label: 'At' },
      { label: 'Completed', stroke: colours.completed, width: 2, points: { show: false }, value },
      { label: 'Forecast', stroke: colours.completed, width: 2, dash: [5, 5], points: { show: false }, value },
      { ...edge, label: 'at best' },
      { ...edge, label: 'at worst' },
    ],
    bands: [{ series: [3, 4], fill: colours.band }],
  };
}

/** What does not move stands in the middle of the air, not on the ground: from nothing to a little above it. */
function rangeOf(low: number, high: number): [number, number] {
  if (low === high) return [0, Math.max(1, high * 1.2)];
  return [Math.max(0, low - (high - low) * 0.1), high + (high - low) * 0.1];
}

/** The time of day, with seconds where minutes would be the same; over more than two days, the day. */
function timesOf(_: uPlot, splits: number[]): string[] {
  const isLong = (splits.at(-1) ?? 0) - (splits[0] ?? 0) > 2 * DAY_S;
  const isShort = splits.some((at) => at % 60 !== 0);
  return splits.map((at) => (isLong ? DAY : isShort ? SECONDS : TIME).format(at * 1_000));
}

interface ProgressChartProps {
  samples: OutputOf<'overview.progress'>;
  left: number;
  estimate: OutputOf<'overview.migrations'>[number]['estimate'];
  /** What is counted. */
  of?: string;
}

/** What was completed, over time, and the forecast as a band. The same figures are there as a table. */
export function ProgressChart({ samples, left, estimate, of = 'Completed accounts' }: ProgressChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const colours = useColours(place);
  const data = useMemo(() => chartData({ samples, left, estimate }), [samples, left, estimate]);
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const element = place.current;
    if (element === null || colours === undefined) return;
    const drawn = new uPlot(chartOptions(element.clientWidth, colours), latest.current, element);
    chart.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: drawn.height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, [colours]);
  useEffect(() => chart.current?.setData(data), [data]);
  return (
    <figure>
      <div ref={place} className={styles.chart} role="img" aria-label={sentenceOf(of, samples)} />
      <figcaption className={text.faint}>
        {of}, in UTC{estimate !== null && '; dashed the forecast, shaded how sure it is'}.
      </figcaption>
    </figure>
  );
}

function sentenceOf(of: string, samples: ProgressChartProps['samples']): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return 'Nothing was counted.';
  return `${of}: ${count(first.completed)} at ${dateTime(first.at)}, ${count(last.completed)} at ${dateTime(last.at)}.`;
}

type Sample = OutputOf<'overview.progress'>[number];
type Estimate = OutputOf<'overview.migrations'>[number]['estimate'];

/** Columns as uPlot takes them: seconds, what is completed, and the forecast with its better and poorer course. */
type ChartData = [number[], ...(number | null)[][]];

interface Course {
  samples: readonly Sample[];
  left: number;
  estimate: Estimate;
}

const seconds = (at: string) => Date.parse(at) / 1_000;

/** The samples, and from the last one on the forecast: straight lines to where nothing is left. */
function chartData({ samples, left, estimate }: Course): ChartData {
  const past = samples.map(({ at }) => seconds(at));
  const completed = samples.map((sample) => sample.completed);
  const last = samples.at(-1);
  const isAhead = estimate !== null && last !== undefined && seconds(estimate.finishes_at) > seconds(last.at);
  if (!isAhead) return [past, completed, past.map(() => null), past.map(() => null), past.map(() => null)];
  const [begin, end] = [seconds(last.at), last.completed + left];
  const ends = [estimate.finishes_at, estimate.from, estimate.to].map((at) => Math.max(seconds(at), begin + 1));
  const future = [...new Set(ends)].sort((one, other) => one - other);
  const course = (finish: number) => [
    ...past.map((at) => (at === begin ? last.completed : null)),
    ...future.map((at) => last.completed + left * Math.min(1, (at - begin) / (finish - begin))),
  ];
  const [likely = [], better = [], poorer = []] = ends.map(course);
  return [
    [...past, ...future],
    [...completed, ...future.map(() => null)],
    likely.map((value) => value && Math.min(value, end)),
    better,
    poorer,
  ];
}
