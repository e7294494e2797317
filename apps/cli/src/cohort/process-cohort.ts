import type { BulkJob } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { isRealDay } from '../frame/real-day.ts';
import { startJob } from '../jobs/job-calls.ts';
import { describeJob, resultOfJob } from '../jobs/result-of-job.ts';
import { watchJob } from '../jobs/watch-job.ts';
import { openService } from '../session/open-service.ts';
import { type JobFlags, jobOptions } from '../upload/job-options.ts';

interface CohortFlags extends JobFlags {
  supplier: string;
  team: string;
  label?: string;
  states?: string;
  stagedBefore?: string;
  watch?: boolean;
}

interface Input {
  options: CohortFlags;
}

/** Creates the accounts that are staged, by a job on the server. */
export async function processCohort(context: Context, { options }: Input): Promise<Result> {
  return runCohort(context, options, { isRehearsal: false });
}

/** Does the same and rolls it back; waits for the report. */
export async function rehearseCohort(context: Context, { options }: Input): Promise<Result> {
  return runCohort(context, { ...options, watch: true }, { isRehearsal: true });
}

async function runCohort(
  context: Context,
  flags: CohortFlags,
  { isRehearsal }: { isRehearsal: boolean },
): Promise<Result> {
  const service = await openService(context);
  const { id } = await service.post<BulkJob>('bulk-jobs/', {
    import_supplier: flags.supplier,
    kind: 'PROCESS',
    ...(flags.label !== undefined && { label: flags.label }),
    options: jobOptions(flags),
    selection: selectionOf(flags),
  });
  context.output.say(`Job ${id}`);
  const started = await startJob(service, id, { isRehearsal });
  context.output.event('job', { job_id: id, state: started.state });
  if (!flags.watch) return describeJob(context, service, started);
  const job = await watchJob(context, service, id);
  if (job.lines === 0) context.output.say(`${flags.supplier} has no staged accounts of this selection.`);
  return resultOfJob(context, service, job);
}

const STATES = ['STAGED', 'FAILED'];

function selectionOf({ states, stagedBefore }: CohortFlags): object {
  const named = states?.toUpperCase().split(',');
  if (named?.some((state) => !STATES.includes(state))) {
    throw new Failure('usage', `--states ${states}: give STAGED, FAILED, or STAGED,FAILED.`);
  }
  return { ...(named && { states: named }), ...(stagedBefore !== undefined && { staged_before: utc(stagedBefore) }) };
}

/** A date is its beginning. */
function utc(text: string): string {
  const at = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : undefined;
  if (at !== undefined && isRealDay(text.slice(0, 'YYYY-MM-DD'.length)) && !Number.isNaN(at.getTime()))
    return at.toISOString().replace(/\.\d+Z$/, 'Z');
  throw new Failure('usage', `--staged-before ${text}: give a date, or a datetime such as 2026-04-17T09:30:12Z.`);
}
