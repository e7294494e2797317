import uPlot from 'uplot';
import type { Colours } from '../../components/use-colours.ts';
import { count } from '../../format/numbers.ts';

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
export function chartOptions(width: number, colours: Colours): uPlot.Options {
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
