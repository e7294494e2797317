import type { OutputOf } from '../../data/ask.ts';

type Sample = OutputOf<'overview.progress'>[number];
type Estimate = OutputOf<'overview.migrations'>[number]['estimate'];

/** Columns as uPlot takes them: seconds, what is completed, and the forecast with its better and poorer course. */
export type ChartData = [number[], ...(number | null)[][]];

interface Course {
  samples: readonly Sample[];
  left: number;
  estimate: Estimate;
}

const seconds = (at: string) => Date.parse(at) / 1_000;

/** The samples, and from the last one on the forecast: straight lines to where nothing is left. */
export function chartData({ samples, left, estimate }: Course): ChartData {
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
