import type { BulkJob, BulkReport } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import type { Service } from '../session/open-service.ts';
import { quoted, tableLines, wrap } from '../terminal/lines.ts';
import { duration, grouped } from '../terminal/numbers.ts';
import { countLines, headline, sumLines } from './describe-job.ts';
import { summaryLines } from './describe-problems.ts';
import { endingOfJob, readProblems } from './job-calls.ts';

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
  return [
    `${headline(job)}${took}`,
    `Job ${id}`,
    ...countLines(counts),
    ...(counts.created > 0 && job.kind !== 'STAGE' ? ['Created:', ...sumLines(sums)] : []),
    ...(counts.undone > 0 ? ['Removed:', ...sumLines(sums)] : []),
    ...summaryLines(problems, columns, { most: SHOWN_PROBLEMS, others: `causeway problems --job ${id}` }),
  ];
}

/** What a rehearsal has shown, for anyone who decides about the real run. */
function reportLines({ import_supplier, label, lines }: BulkJob, report: BulkReport, columns: number): string[] {
  const name = label === null ? import_supplier : `${import_supplier} "${label}"`;
  return [
    `Rehearsal of ${name}, ended ${report.finished_at}. Nothing was changed.`,
    '',
    `Of ${grouped(lines ?? 0)} accounts`,
    ...outcomes(report),
    '',
    report.counts.undone > 0 ? 'What would be removed' : 'What would be created',
    ...sumLines(report.sums),
    ...section('How long the real run takes', durations(report)),
    ...section('Problems', summaryLines(report.problems, columns)),
    ...changed(report),
    ...section(
      'A rehearsal does not show',
      report.not_covered.flatMap((sentence) => wrap(sentence, columns, '  ')),
    ),
  ];
}

function section(heading: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines];
}

function outcomes({ counts, problems }: BulkReport): string[] {
  const differ = problems.filter(({ refused }) => !refused).reduce((most, { accounts }) => Math.max(most, accounts), 0);
  const rows: [string, number][] = [
    ['would pass', counts.created + counts.updated + counts.undone],
    ['are there already, unchanged', counts.unchanged],
    ['would be refused', counts.refused],
    ['failed because of the service', counts.failed],
    ['pass, and something is reported of them: at least', differ],
  ];
  const some = rows.filter(([name, count], index) => index === 0 || index === 2 || (count > 0 && name !== ''));
  return tableLines(
    some.map(([name, count]) => [name, grouped(count)]),
    [1],
  ).map((row) => `  ${row}`);
}

function durations({ durations: known }: BulkReport): string[] {
  const rows = known.map(({ parallelism, seconds, from, to }) => [
    `${parallelism} ${parallelism === 1 ? 'lane' : 'lanes'}`,
    duration(seconds),
    `(${duration(from)} to ${duration(to)})`,
  ]);
  return tableLines(rows, [1]).map((row) => `  ${row}`);
}

function changed({ accounts_changed_since: count }: BulkReport): string[] {
  if (count === 0) return [];
  return ['', `${grouped(count)} accounts were staged since: rehearse again before you rely on this.`];
}

/** What its reader may want to do about a job now, as commands. */
function nextCommands(job: BulkJob): string[] {
  const { id, kind, state, import_supplier: supplier, counts } = job;
  if (state === 'OPEN') {
    return kind === 'PROCESS' ? [`causeway jobs start ${id}`] : [`causeway upload <book> --job ${id} --start`];
  }
  if (state === 'PAUSED') {
    return [`causeway problems --job ${id}`, `causeway jobs resume ${id}`, `causeway jobs cancel ${id}`];
  }
  if (state === 'CANCELLED') return [`causeway jobs unprocessed-rows ${id} -o rest.ndjson`];
  if (state === 'PLANNING' || state === 'RUNNING') return [`causeway jobs watch ${id}`];
  const failed = counts.refused + counts.failed > 0 ? [`causeway jobs failed-rows ${id} -o failed.ndjson`] : [];
  if (state === 'REHEARSED') return [...failed, `causeway jobs start ${id} --watch`];
  return [...failed, ...afterwards(job, `--supplier ${quoted(supplier)}`)];
}

function afterwards({ kind, run_mode, options, counts }: BulkJob, supplier: string): string[] {
  if (counts.created + counts.updated + counts.unchanged === 0) return [];
  if (kind === 'STAGE') return [`causeway rehearse ${supplier} --team <name>`];
  if (run_mode === 'REHEARSAL')
    return [`causeway process ${supplier} --team ${quoted(options.operations_team_name ?? '<name>')} --watch`];
  return [`causeway mapping ${supplier} -o mapping.csv`];
}

/** As the last lines of what a command prints. */
function nextLines(job: BulkJob): string[] {
  const commands = nextCommands(job);
  return commands.length === 0 ? [] : ['Next:', ...commands.map((command) => `  ${command}`)];
}
