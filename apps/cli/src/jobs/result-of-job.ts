import type { BulkJob } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import type { Result } from '../frame/result.ts';
import type { Service } from '../session/open-service.ts';
import { duration } from '../terminal/units.ts';
import { countLines, headline, sumLines } from './describe-job.ts';
import { problemLines } from './describe-problems.ts';
import { reportLines } from './describe-report.ts';
import { endingOfJob } from './ending-of-job.ts';
import { readProblems } from './job-calls.ts';
import { nextLines } from './next-commands.ts';

const SHOWN_PROBLEMS = 10;

/** A job as it stands, for people and programs; how the command ends is for its caller. */
export async function describeJob(context: Context, service: Service, job: BulkJob): Promise<Result> {
  const { columns } = context.output;
  const hasReport = job.report !== null && job.run_mode === 'REHEARSAL' && endingOfJob(job) !== 'stoppedByOthers';
  const lines =
    hasReport && job.report !== null
      ? reportLines(job, job.report, columns)
      : await progressLines(service, job, columns);
  return { document: job, lines: [...lines, ...nextLines(job)] };
}

/** The same of a job that was waited for: the command ends as the job did. */
export async function resultOfJob(context: Context, service: Service, job: BulkJob): Promise<Result> {
  return { ...(await describeJob(context, service, job)), ending: endingOfJob(job) };
}

async function progressLines(service: Service, job: BulkJob, columns: number): Promise<string[]> {
  const { id, counts, sums, started_at: from, finished_at: to } = job;
  const problems = job.run === 0 ? [] : await readProblems(service, id);
  const took = from && to ? ` in ${duration((Date.parse(to) - Date.parse(from)) / 1_000)}` : '';
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  const more = problems.length > shown.length ? [`  All ${problems.length}: causeway problems --job ${id}`] : [];
  return [
    `${headline(job)}${took}`,
    `Job ${id}`,
    ...countLines(counts),
    ...(counts.created > 0 && job.kind !== 'STAGE' ? ['Created:', ...sumLines(sums)] : []),
    ...(shown.length > 0 ? ['Problems:', ...problemLines(shown, columns), ...more] : []),
  ];
}
