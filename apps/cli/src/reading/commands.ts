import { Option } from 'commander';
import type { Definition } from '../frame/define-command.ts';

const SUPPLIER = '--supplier HARBOUR-VALE';
const OF_SUPPLIER = ['--supplier <code>', 'the import supplier'] as const;

/** What is stored. */
export const readingCommands: readonly Definition[] = [
  {
    usage: 'status <external-account-number>',
    summary: 'say where one account is',
    description:
      'Shows an account by your own number: its state, its number on the platform, the counts and sums of its stored data, and its open refusals. Names and other personal data are not shown.',
    examples: [{ says: 'where is this customer?', command: `status HV-390001 ${SUPPLIER}` }],
    flags: (command) => command.requiredOption(...OF_SUPPLIER),
    load: async () => (await import('./show-account.ts')).showAccount,
  },
  {
    usage: 'list',
    summary: 'list the accounts of an import supplier',
    description:
      'Lists accounts as they come: your number, the number on the platform, and when it was created. The list of all is in the order in which they were first staged, that of imported ones in the order of their creation. It ends with the flag that lists only what is added later.',
    examples: [
      { says: 'what is not created yet', command: `list ${SUPPLIER} --state pending` },
      { says: 'for a program', command: `list ${SUPPLIER} --json-lines --quiet` },
    ],
    flags: (command) =>
      command
        .requiredOption(...OF_SUPPLIER)
        .addOption(new Option('--state <state>', 'which').choices(['all', 'pending', 'imported']).default('all'))
        .option('--after <external-account-number>', 'only those behind this one'),
    load: async () => (await import('./list-accounts.ts')).listAccounts,
  },
  {
    usage: 'problems',
    summary: 'say why accounts are refused, by field',
    description:
      'Lists refusals that nothing has corrected since, by kind and field, with the number of accounts, three examples, and the meaning of the field. Of one job: what its lines were refused for. Ends with 3 if anything is refused.',
    examples: [{ says: 'what do we have to correct?', command: `problems ${SUPPLIER}` }],
    flags: (command) =>
      command.option(...OF_SUPPLIER).addOption(new Option('--job <id>', 'of one job alone').conflicts('supplier')),
    load: async () => (await import('./list-problems.ts')).listProblems,
  },
  {
    usage: 'mapping',
    summary: 'download the old and the new account numbers',
    description:
      'Downloads a line for every account that was created: your number, the number on the platform, and when it was created. The file appears when it is complete. A cell of CSV holds the stored text unchanged. A spreadsheet reads one that begins with = + - or @ as a formula, so import the columns as text.',
    examples: [{ says: 'for a spreadsheet', command: `mapping ${SUPPLIER} -o mapping.csv` }],
    flags: (command) =>
      command
        .requiredOption(...OF_SUPPLIER)
        .option('-o, --output <file>', 'the file to write; standard output without it')
        .addOption(new Option('--form <form>', 'how the file is written').choices(['csv', 'ndjson']).default('csv')),
    load: async () => (await import('./download-mapping.ts')).downloadMapping,
  },
];
