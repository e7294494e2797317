import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { addJob, measureJob } from '../world/bulk-job.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const SHARE_OF_PEAK = 0.5;
const LINES_TO_WARM_UP = 2_000;

/** The journey's calls at half of its peak, in turns with and without a job that lasts longer than the turn. */
export const bulkLive: Part = {
  name: 'bulk-live',
  heading: 'Live calls while a book is moved',
  async measure(world, { effort }): Promise<PartResult> {
    const { service } = world;
    const work = { scenario: 'journey', connections: CONNECTIONS, ...effort } as const;
    await warmUp(world, [service], work);
    const { perSecond: linesPerSecond } = await measureJob(world, service, { kind: 'MOVE', lines: LINES_TO_WARM_UP });
    const peak = await measureTurn(world, service, { ...work, prefix: freshPrefix() });
    const arrivalsPerSecond = peak.perSecond * SHARE_OF_PEAK;
    const turn = () => measureTurn(world, service, { ...work, arrivalsPerSecond, prefix: freshPrefix() });
    // Beside the calls it is slower than alone.
    const lines = Math.ceil((linesPerSecond * (effort.warmUpMs + effort.measureMs) * 1.2) / 1_000);
    const without: MeasuredTurn[] = [];
    const beside: MeasuredTurn[] = [];
    const jobs: number[] = [];
    while (beside.length < effort.rounds) {
      without.push(await turn());
      const job = await addJob(world, service, { kind: 'MOVE', lines });
      await job.start();
      beside.push(await turn());
      if (await job.hasEnded()) throw new Error('The job ended before the turn');
      jobs.push((await job.ended()).perSecond);
      progress(`p99 of a call: ${p99Of(without.slice(-1))} ms, while a job runs ${p99Of(beside.slice(-1))} ms`);
    }
    await service.ledger.verify();
    const ratios = beside.map(({ calls }, round) => calls.p99 / (without[round]?.calls.p99 ?? Number.NaN));
    const goal = { value: medianOf(ratios), direction: 'at most', mustReach: 2, aim: 1.3 } as const;
    const reached = `${shownSpread(ratios)}: ${p99Of(beside)} / ${p99Of(without)} ms`;
    const intro =
      `Journeys arrive by the clock at half of the ${shown(peak.perSecond)} accounts a second that ${CONNECTIONS} ` +
      `connections had reached; the job is a MOVE on two lanes, ${shownSpread(jobs)} accounts a second.`;
    return {
      findings: [judge("A live call's p99 at half load while a job runs, of that without", goal, reached)],
      details: [intro, describe(without, beside)],
    };
  },
};

const p99Of = (turns: MeasuredTurn[]) => shown(medianOf(turns.map(({ calls }) => calls.p99)));

function describe(without: MeasuredTurn[], beside: MeasuredTurn[]): string {
  const row = (name: string, read: (turn: MeasuredTurn) => number) => [
    name,
    shownSpread(without.map(read)),
    shownSpread(beside.map(read)),
  ];
  const names = Object.keys(without[0]?.steps ?? {});
  return table(
    ['', 'alone', 'while a job runs'],
    [
      row('accounts a second', ({ perSecond }) => perSecond),
      row('all calls: p50, ms', ({ calls }) => calls.p50),
      row('all calls: p99, ms', ({ calls }) => calls.p99),
      ...names.map((name) => row(`${name}: p99, ms`, ({ steps }) => steps[name]?.p99 ?? Number.NaN)),
      row('journey, from its arrival: p50, ms', ({ latency }) => latency.p50),
      row('journey, from its arrival: p99, ms', ({ latency }) => latency.p99),
    ],
  );
}
