import type { Command } from 'commander';
import type { Definition } from '../frame/define-command.ts';
import { addJobFlags } from '../upload/job-options.ts';

const COHORT = "--supplier HARBOUR-VALE --team 'Migration Operations'";

function cohortFlags(command: Command): Command {
  return addJobFlags(
    command
      .requiredOption('--supplier <code>', 'the import supplier')
      .requiredOption('--team <name>', 'the operations team to which the accounts are linked')
      .option('--states <states>', 'STAGED, FAILED, or both with a comma between; both unless given')
      .option('--staged-before <datetime>', 'only those staged for the first time before it, in UTC')
      .option('--label <text>', 'what you call the job'),
    { hasHistory: false },
  );
}

/** Accounts that are staged already. */
export const cohortCommands: readonly Definition[] = [
  {
    usage: 'rehearse',
    summary: 'rehearse the creation of all staged accounts, and read the report',
    description:
      'Does on the server what process does, by the same path, and rolls it back: nothing is changed, and no payment vendor is asked. Waits for the report: what would pass, what would be refused and why, the money, and how long the real run takes. For a book that is not staged: upload --rehearse.',
    examples: [{ says: 'what would happen tonight?', command: `rehearse ${COHORT}` }],
    flags: cohortFlags,
    load: async () => (await import('./process-cohort.ts')).rehearseCohort,
  },
  {
    usage: 'process',
    summary: 'create all staged accounts, by a job on the server',
    description:
      'Creates the accounts that are staged when it starts. The job continues without this command: jobs watch comes back to it. Running it again is harmless: what was created is not staged any more.',
    examples: [{ says: 'and stay until it ends', command: `process ${COHORT} --watch` }],
    flags: (command) => cohortFlags(command.option('--watch', 'stay until the job ends, and end as it does')),
    load: async () => (await import('./process-cohort.ts')).processCohort,
  },
];
