import type { BulkJob } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { openService } from '../session/open-service.ts';
import { pathOfJob, readJob, startJob } from './job-calls.ts';
import { describeJob, resultOfJob } from './result-of-job.ts';
import { watchJob } from './watch-job.ts';

interface Input {
  words: [string];
  options: { watch?: boolean; rehearse?: boolean };
}

/** How a job stands; the command ends well, whatever the results of its lines. */
export async function showJob(context: Context, { words: [id] }: Input): Promise<Result> {
  const service = await openService(context);
  return describeJob(context, service, await readJob(service, id));
}

/** Waits for a job, and ends as it did. */
export async function watch(context: Context, { words: [id] }: Input): Promise<Result> {
  const service = await openService(context);
  return resultOfJob(context, service, await watchJob(context, service, id));
}

export const pauseJob = changing('pause');
export const cancelJob = changing('cancel');
export const resumeJob = changing('resume');

/** Starts a job that needs no book to be known complete: one that was rehearsed, or one of a cohort. */
export async function start(context: Context, { words: [id], options }: Input): Promise<Result> {
  const service = await openService(context);
  const { state, kind } = await readJob(service, id);
  if (state === 'OPEN' && kind !== 'PROCESS') {
    throw new Failure('usage', 'Only your book says whether the upload is complete, so start it from there:', {
      lines: [`  causeway upload <book> --job ${id} --start`],
    });
  }
  await startJob(service, id, { isRehearsal: options.rehearse === true });
  return afterwards({ context, service, id }, options);
}

function changing(change: 'pause' | 'resume' | 'cancel') {
  return async (context: Context, { words: [id], options }: Input): Promise<Result> => {
    const service = await openService(context);
    await service.post<BulkJob>(`${pathOfJob(id)}${change}/`, {});
    return afterwards({ context, service, id }, options);
  };
}

interface Changed {
  context: Context;
  service: Awaited<ReturnType<typeof openService>>;
  id: string;
}

async function afterwards({ context, service, id }: Changed, options: Input['options']): Promise<Result> {
  if (options.watch) return resultOfJob(context, service, await watchJob(context, service, id));
  return describeJob(context, service, await readJob(service, id));
}
