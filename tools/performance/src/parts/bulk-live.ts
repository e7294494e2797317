import type { PartResult } from '../report/finding.ts';
import { shownSpread } from '../report/statistics.ts';
import { addJob, measureJob } from '../world/bulk-job.ts';
import { measureLiveCalls } from './live-calls.ts';
import type { Part } from './part.ts';

const LINES_TO_WARM_UP = 2_000;

/** Live calls beside a job that lasts longer than the turn. */
export const bulkLive: Part = {
  name: 'bulk-live',
  heading: 'Live calls while a book is moved',
  async measure(world, { effort }): Promise<PartResult> {
    const { service } = world;
    const { perSecond: linesPerSecond } = await measureJob(world, service, { kind: 'MOVE', lines: LINES_TO_WARM_UP });
    // Beside the calls it is slower than alone.
    const lines = Math.ceil((linesPerSecond * (effort.warmUpMs + effort.measureMs) * 1.2) / 1_000);
    const jobs: number[] = [];
    const { finding, intro, details } = await measureLiveCalls(world, effort, {
      ...{ what: 'a job runs', mustReach: 2, aim: 1.3 },
      async start() {
        const job = await addJob(world, service, { kind: 'MOVE', lines });
        await job.start();
        return async () => {
          if (await job.hasEnded()) throw new Error('The job ended before the turn');
          jobs.push((await job.ended()).perSecond);
        };
      },
    });
    const ofJobs = `The job is a MOVE on two lanes, ${shownSpread(jobs)} accounts a second.`;
    return { findings: [finding], details: [`${intro} ${ofJobs}`, details] };
  },
};
