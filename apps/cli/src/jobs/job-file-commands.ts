import { Option } from 'commander';
import type { Definition } from '../frame/define-command.ts';

const JOB = '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14';
const OUTPUT = ['-o, --output <file>', 'the file to write; standard output without it'] as const;
const OUTCOMES = ['created', 'updated', 'unchanged', 'refused', 'failed', 'not_processed'];

/** Files of a job. */
export const JOB_FILE_DEFINITIONS: readonly Definition[] = [
  {
    usage: 'results <job>',
    summary: 'download what happened to each line',
    description:
      'Downloads NDJSON, one result a line, in the order of the book, with the number of every account that was created. The file appears when it is complete.',
    examples: [{ says: 'those that were created', command: `jobs results ${JOB} --outcome created -o results.ndjson` }],
    flags: (command) =>
      command
        .option(...OUTPUT)
        .addOption(new Option('--outcome <outcome>', 'only lines with this outcome').choices(OUTCOMES)),
    service: true,
    load: async () => (await import('./download-rows.ts')).downloadResults,
  },
  {
    usage: 'failed-rows <job>',
    summary: 'download the lines that were refused, with their problems',
    description:
      'Downloads the lines that were refused or failed, each with its problems. Correct their data in place: the file is a book itself, for upload, move and validate.',
    examples: [{ says: 'to correct them', command: `jobs failed-rows ${JOB} -o failed.ndjson` }],
    flags: (command) => command.option(...OUTPUT).option('--plain', 'the lines alone, as they were sent'),
    service: true,
    load: async () => (await import('./download-rows.ts')).downloadFailedRows,
  },
  {
    usage: 'unprocessed-rows <job>',
    summary: 'download the lines that are not done',
    description: 'Downloads the lines without an outcome, as they were sent: what a cancelled job has left.',
    examples: [{ says: 'after a cancellation', command: `jobs unprocessed-rows ${JOB} -o rest.ndjson` }],
    flags: (command) => command.option(...OUTPUT),
    service: true,
    load: async () => (await import('./download-rows.ts')).downloadUnprocessedRows,
  },
];
