import { type Command, Option } from 'commander';
import type { Definition } from '../frame/define-command.ts';
import { addJobFlags } from './job-options.ts';

const TO_DEMO = "--supplier HARBOUR-VALE --team 'Migration Operations'";

function uploadFlags(command: Command): Command {
  command
    .requiredOption('--supplier <code>', 'the import supplier')
    .option('--team <name>', 'the operations team to which the accounts are linked; not for STAGE')
    .addOption(new Option('--kind <kind>', 'what happens to the lines').choices(['MOVE', 'STAGE']).default('MOVE'))
    .addOption(new Option('--rehearse', 'rehearse the job once the book is there').conflicts('start'))
    .option('--start', 'start the job for real once the book is there')
    .option('--watch', 'stay until the job ends, and end as it does')
    .option('--label <text>', 'what you call the job; the name of the file unless given')
    .addOption(new Option('--job <id>', 'continue with this job').conflicts('newJob'))
    .option('--new-job', 'begin a new job, even if one of this book is there');
  return addJobFlags(command, { hasHistory: true });
}

/** A whole book at once. */
export const uploadCommands: readonly Definition[] = [
  {
    usage: 'upload <book...>',
    summary: 'upload a book to a job, rehearse it, start it, watch it',
    description:
      'Uploads each book to a job of its own, in parts of 5,000 lines, three at a time. Interrupted or killed, the same command continues: it asks the service which parts it has, and compares their digests with the book. Nothing is kept on this machine. The job is the last one of the same label whose first part is that of the book. It is started only if its parts and lines are those of the book.',
    examples: [
      { says: 'rehearse it', command: `upload book.ndjson ${TO_DEMO} --rehearse --watch` },
      { says: 'move it', command: `upload book.ndjson ${TO_DEMO} --start --watch` },
      { says: 'the corrected rows', command: `upload failed.ndjson ${TO_DEMO} --start --watch` },
    ],
    flags: uploadFlags,
    load: async () => (await import('./upload.ts')).upload,
  },
];
