import type { BulkJobRecord } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { openService } from '../session/open-service.ts';
import { tableLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import { jobsOf } from './job-calls.ts';

/** The jobs of an import supplier, oldest first. */
export async function listJobs(context: Context, { options }: { options: { supplier: string } }): Promise<Result> {
  const service = await openService(context);
  const jobs = await jobsOf(service, options.supplier);
  for (const job of jobs) context.output.event('job', job);
  if (jobs.length === 0) context.output.say(`${options.supplier} has no jobs yet. Next: causeway help upload`);
  const document = context.output.form === 'json-lines' ? { jobs: jobs.length } : { jobs };
  return { document, lines: tableLines(jobs.map(rowOf), [4]) };
}

function rowOf({ id, created_at, kind, state, run_mode, lines, label }: BulkJobRecord): string[] {
  const what = run_mode === 'REHEARSAL' ? `${kind} rehearsal` : kind;
  return [id, created_at, what, state, lines === null ? '-' : grouped(lines), label ?? ''];
}
