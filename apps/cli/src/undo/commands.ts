import { type Command, Option } from 'commander';
import type { Group } from '../frame/define-command.ts';

const SUPPLIER = 'HARBOUR-VALE';
const JOB = '019a9d4e-6c1f-7b3a-8f21-5d0c6a7e9b14';

const undoing = (command: Command) =>
  command
    .option('--reason <text>', 'why, for the audit trail')
    .option('--dry-run', 'show what would be removed, and remove nothing')
    .option('--no-tell-again', 'customers are not welcomed again when their accounts are created again');

/** Taking back what was moved, for as long as the import supplier allows. */
export const undoCommands: Group = {
  name: 'undo',
  summary: 'take back an account, or what a job created',
  commands: [
    {
      usage: 'account <number>',
      summary: 'take back one account',
      description:
        'Takes a created account back, with everything that was imported into it, and shows counts and money. It can be moved again: its number on the platform is another one then. Possible for undo_hours after its creation, where suppliers_may_undo is set.',
      examples: [
        { says: 'what would be removed?', command: `undo account HV-400341 --supplier ${SUPPLIER} --dry-run` },
        { says: 'take it back', command: `undo account HV-400341 --supplier ${SUPPLIER} --reason 'Wrong tariff'` },
      ],
      flags: (command) => undoing(command.requiredOption('--supplier <code>', 'the import supplier')),
      load: async () => (await import('./undo-account.ts')).undoAccount,
    },
    {
      usage: 'job <job>',
      summary: 'take back the accounts that a job created',
      description:
        'Starts a job that takes back the accounts that another one created, in chunks, like any other job. Accounts that received something since are kept, and so is history that the job added to accounts that existed before. A dry run shows the figures of the first; given back as they are with --include-later, these accounts are taken back too. Afterwards upload of the same book begins a new job, and move sends the lines of these accounts again.',
      examples: [
        { says: 'what would be removed?', command: `undo job ${JOB} --dry-run --watch` },
        { says: 'take it back', command: `undo job ${JOB} --reason 'Wrong tariff' --watch` },
      ],
      flags: (command) =>
        undoing(command)
          .option(
            '--include-later <figures>',
            'take back accounts that received something since, if they have exactly this',
          )
          .option('--parallelism <n>', 'chunks that are worked on at the same time')
          .addOption(new Option('--watch', 'stay until the job ends, and end as it does')),
      load: async () => (await import('./undo-job.ts')).undoJob,
    },
  ],
};
