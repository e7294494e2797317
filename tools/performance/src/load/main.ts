import type { Job, JobResult } from './jobs.ts';
import { runJob } from './jobs.ts';

// The load generator: a process of its own that does one job at a time for the bench and answers with what came of it.
process.on('message', (job: Job) => {
  runJob(job).then(
    (result) => process.send?.({ result } satisfies JobResult),
    (error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
