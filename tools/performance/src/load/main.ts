import type { Job, JobResult } from './jobs.ts';
import { runJob } from './jobs.ts';

// The load generator: a separate process that runs one job at a time for the bench and returns the result.
process.on('message', (job: Job) => {
  runJob(job).then(
    (result) => process.send?.({ result } satisfies JobResult),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
