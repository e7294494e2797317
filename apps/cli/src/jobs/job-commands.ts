import { type Command, Option } from 'commander';
import type { Group } from '../frame/define-command.ts';

const SUPPLIER = 'HARBOUR-VALE';
/** Of the examples: the demo says its own. */
const JOB = '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14';

const OUTPUT = ['-o, --output <file>', 'the file to write; standard output without it'] as const;
const OUTCOMES = ['created', 'updated', 'unchanged', 'undone', 'refused', 'failed', 'not_processed'];

const watching = (command: Command) =>
  command.addOption(new Option('--watch', 'stay until the job ends, and end as it does'));

/** Uploads and cohorts on the server, once they are there. */
export const jobCommands: Group = {
  name: 'jobs',
  summary: 'look after jobs: list, watch, pause, resume, cancel, download',
  commands: [
    {
      usage: 'list',
      summary: 'list the jobs of an import supplier',
      description: 'Lists the jobs of an import supplier, oldest first: id, creation, kind, state, lines and label.',
      examples: [{ says: 'what runs, and what has run?', command: `jobs list --supplier ${SUPPLIER}` }],
      flags: (command) => command.requiredOption('--supplier <code>', 'the import supplier'),
      load: async () => (await import('./list-jobs.ts')).listJobs,
    },
    {
      usage: 'show <job>',
      summary: 'show how a job stands',
      description:
        'Shows the outcomes of a job, what its accounts add up to, and its problems. Only what is committed counts. Of a rehearsed job it shows the report.',
      examples: [{ says: 'once', command: `jobs show ${JOB}` }],
      load: async () => (await import('./change-job.ts')).showJob,
    },
    {
      usage: 'watch <job>',
      summary: 'watch a job until it ends',
      description:
        'Watches a job, at any time and from any machine, and ends as it does: with 0, with 3 if lines were refused, with 5 if it stopped at --max-refused, with 7 if somebody has paused or cancelled it. Ctrl-C ends the watch; the job continues.',
      examples: [{ says: 'come back to it', command: `jobs watch ${JOB}` }],
      load: async () => (await import('./change-job.ts')).watch,
    },
    {
      usage: 'start <job>',
      summary: 'start a job that was rehearsed',
      description:
        'Starts a job that was rehearsed, for real; or one over staged accounts that is OPEN. An upload that is OPEN is started by upload --start, which knows whether it is complete.',
      examples: [{ says: 'after its rehearsal', command: `jobs start ${JOB} --watch` }],
      flags: (command) => watching(command.option('--rehearse', 'rehearse it (again)')),
      load: async () => (await import('./change-job.ts')).start,
    },
    {
      usage: 'pause <job>',
      summary: 'pause a job',
      description: 'Pauses a job that is RUNNING. Chunks in progress are finished, and nothing is lost.',
      examples: [{ says: 'until it is resumed', command: `jobs pause ${JOB}` }],
      load: async () => (await import('./change-job.ts')).pauseJob,
    },
    {
      usage: 'resume <job>',
      summary: 'resume a paused job',
      description:
        'Resumes a job that is PAUSED, whatever the reason. After too_many_refused its limits of refused lines are removed for good.',
      examples: [{ says: 'and watch it', command: `jobs resume ${JOB} --watch` }],
      flags: watching,
      load: async () => (await import('./change-job.ts')).resumeJob,
    },
    {
      usage: 'cancel <job>',
      summary: 'cancel a job, for good',
      description:
        'Ends a job before its time. What it has done stays; jobs unprocessed-rows has the lines that it has not done.',
      examples: [{ says: 'what is done stays', command: `jobs cancel ${JOB}` }],
      load: async () => (await import('./change-job.ts')).cancelJob,
    },
    {
      usage: 'results <job>',
      summary: 'download the result of each line',
      description:
        'Downloads NDJSON, one result a line, in the order of the book, with the number of every account that was created. The file appears when it is complete.',
      examples: [
        { says: 'those that were created', command: `jobs results ${JOB} --outcome created -o results.ndjson` },
      ],
      flags: (command) =>
        command
          .option(...OUTPUT)
          .addOption(new Option('--outcome <outcome>', 'only lines with this outcome').choices(OUTCOMES)),
      load: async () => (await import('./download-rows.ts')).downloadResults,
    },
    {
      usage: 'failed-rows <job>',
      summary: 'download the lines that were refused, with their problems',
      description:
        'Downloads the lines that were refused or failed, each with its problems. Correct their data in place: the file is a book itself, for upload, move and validate.',
      examples: [{ says: 'to correct them', command: `jobs failed-rows ${JOB} -o failed.ndjson` }],
      flags: (command) => command.option(...OUTPUT).option('--plain', 'the lines alone, as they were sent'),
      load: async () => (await import('./download-rows.ts')).downloadFailedRows,
    },
    {
      usage: 'unprocessed-rows <job>',
      summary: 'download the lines that are not done',
      description: 'Downloads the lines without an outcome, as they were sent: what a cancelled job has left.',
      examples: [{ says: 'after a cancellation', command: `jobs unprocessed-rows ${JOB} -o rest.ndjson` }],
      flags: (command) => command.option(...OUTPUT),
      load: async () => (await import('./download-rows.ts')).downloadUnprocessedRows,
    },
  ],
};
