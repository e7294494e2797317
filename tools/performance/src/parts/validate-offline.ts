import { availableParallelism } from 'node:os';
import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { type MeasuredCheck, prepareChecks } from '../world/run-validate.ts';
import type { Part } from './part.ts';

const LINES = 40_000;
const LINES_OF_LOOP = 10_000;

/** `causeway validate` in its one file, beside one thread that does nothing but read lines by the same function. */
export const validateOffline: Part = {
  name: 'validate-offline',
  heading: 'A book checked offline',
  async measure(_world, { effort }): Promise<PartResult> {
    await using checks = await prepareChecks(LINES);
    const cores = availableParallelism();
    const found: { check: MeasuredCheck; loop: MeasuredCheck }[] = [];
    while (found.length < effort.rounds) {
      const loop = await checks.readInLoop(LINES_OF_LOOP);
      const check = await checks.validate();
      found.push({ check, loop });
      progress(
        `validate ${shown(check.perSecond)} lines a second, ${shown(check.peakMb)} MB; a loop ${shown(loop.perSecond)}`,
      );
    }
    const ofAll = (read: (each: (typeof found)[number]) => number) => found.map(read);
    const perCore = ofAll(({ check }) => check.perSecond / cores);
    const ratios = ofAll(({ check, loop }) => check.perSecond / loop.perSecond / cores);
    const peaks = ofAll(({ check }) => check.peakMb);
    const rowOf = (name: string, kind: 'check' | 'loop') => [
      name,
      shownSpread(ofAll((each) => each[kind].perSecond)),
      shownSpread(ofAll((each) => each[kind].perCpuSecond)),
    ];
    return {
      findings: [
        judge('causeway validate, lines a second a core', least(perCore, 8_000), shownSpread(perCore)),
        judge('causeway validate, of one thread that reads lines, a core', least(ratios, 0.85), shownSpread(ratios)),
        judge('Memory of causeway validate', {
          ...{ value: Math.max(...peaks), direction: 'at most', mustReach: 200, unit: ' MB' },
        }),
      ],
      details: [
        `${LINES} lines of ${shown(checks.lineBytes)} bytes, on ${cores} cores; starting and writing the report counts.`,
        table(
          ['', 'lines a second', 'lines a second of processor time'],
          [rowOf('causeway validate', 'check'), rowOf('one thread', 'loop')],
        ),
      ],
    };
  },
};

function least(values: readonly number[], mustReach: number) {
  return { value: medianOf(values), direction: 'at least', mustReach } as const;
}
