import { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useColours } from '../../components/use-colours.ts';
import type { OutputOf } from '../../data/ask.ts';
import { count } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';
import { chartData } from './chart-data.ts';
import { chartOptions } from './chart-options.ts';
import styles from './progress-chart.module.css';

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
      <figcaption className={styles.caption}>
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
