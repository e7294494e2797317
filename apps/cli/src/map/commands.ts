import type { Command } from 'commander';
import { addFileFlags } from '../extract/file-flags.ts';
import type { Definition } from '../frame/define-command.ts';

const DESCRIPTION = [
  'Reads exports of another system, as they are (a folder is all its files), and proposes what they hold: a draft of mapping.sql, in which each view is a kind of record and each column says why. A column is decided where its name (in English, German, French, Spanish, Italian or Dutch) and its values agree, or by values that can be nothing else; any other is a comment with what it may be. No value of a file is written into it.',
  'Read every line, edit what you know better, and check it with causeway map check. The chapter "From your files" of the guide, at /docs of your service, lists the functions of a mapping and shows one from three exports to a reconciled migration; causeway fields lists the fields.',
  'What a file holds does not say which list it goes to, unless its name says history: readings become transfer_readings, those of the view reading_history the list of that name; transactions become the open ones, and what was billed before the move belongs in the view historical_transactions.',
].join('\n\n');

const CHECK_DESCRIPTION = [
  'Runs a mapping on the files and tells what it misses: rows that no account takes and what they almost match, required fields that nothing fills, columns that no view reads, and what the views and the files add up to. The first 1,000 accounts are put together and checked as validate would; the first five are written to a file that only you can read.',
  'Nothing is sent, and no book is written. Next comes causeway convert --mapping.',
].join('\n\n');

const CHECK: Definition = {
  usage: 'check <mapping> <file...>',
  summary: 'tell what a mapping misses',
  description: CHECK_DESCRIPTION,
  examples: [
    {
      says: 'what the draft of two files misses',
      command: 'map check mapping.sql sample/accounts.csv sample/customers.csv',
    },
  ],
  flags: (command) => withFileFlags(command, CHECK_FLAGS),
  isLocal: true,
  load: async () => (await import('./check/check-mapping.ts')).checkMapping,
};

const QUERY_DESCRIPTION = [
  'Runs one SELECT on files and prints its rows as CSV: what occurs twice, which keys join, which days a column has. A table has the name of its file, and is told; _file and _line of a row say where it stands. The functions, the confinement and the limits are those of a mapping, whose views can be asked too.',
  'Nothing is kept, and nothing is sent. Cells are cut at 1,000 characters. What it prints are values of the files, which may be personal.',
].join('\n\n');

const QUERY: Definition = {
  usage: 'query <select> <file...>',
  summary: 'look into files with one SELECT',
  description: QUERY_DESCRIPTION,
  examples: [
    {
      says: 'which account numbers have several customers',
      command:
        "map query 'SELECT external_account_number, count(*) FROM customers GROUP BY 1 HAVING count(*) > 1' sample/customers.csv",
    },
  ],
  flags: (command) => withFileFlags(command, QUERY_FLAGS),
  isLocal: true,
  load: async () => (await import('./query.ts')).queryFiles,
};

/** Files of other systems are understood. */
export const mapCommands: readonly Definition[] = [
  {
    usage: 'map <file...>',
    summary: "propose a mapping for another system's files",
    description: DESCRIPTION,
    examples: [
      { says: 'files to try it with', command: 'sample --csv sample' },
      { says: 'a draft for two of them', command: 'map sample/accounts.csv sample/customers.csv -o mapping.sql' },
    ],
    flags: (command) => withFileFlags(command, MAP_FLAGS),
    isLocal: true,
    subcommands: [CHECK, QUERY],
    load: async () => (await import('./map.ts')).map,
  },
];

type Flag = [flags: string, says: string, otherwise?: string];

const MAP_FLAGS: readonly Flag[] = [
  ['-o, --output <file>', 'the draft', 'mapping.sql'],
  ['--supplier <code>', 'the import_supplier of all accounts'],
  ['--time-zone <zone>', 'of times that do not say it, such as Europe/London'],
  ['--country <code>', 'of phone numbers that do not say it, such as GB'],
  ['--show-values', 'show words of the files in questions, which may be personal, in place of their form'],
];

const CHECK_FLAGS: readonly Flag[] = [
  ['-o, --output <file>', 'where the first accounts go (MAPPING.preview.ndjson)'],
  ['--supplier <code>', 'the import_supplier of all accounts, where the mapping has none'],
  ['--only-supplier <code>', 'leave out the accounts of other import suppliers'],
  ['--country <code>', 'of the import supplier, such as GB'],
  ['--mapping-minutes <n>', 'stop the mapping after so many minutes; 30 unless given'],
  ['--show-values', 'show values that cannot be read, which may be personal, in place of their form'],
];

const QUERY_FLAGS: readonly Flag[] = [
  ['--mapping <file>', 'a mapping, whose views and tables can be asked too'],
  ['--limit <n>', 'print at most so many rows, up to 100000, and count the others', '1000'],
  ['--mapping-minutes <n>', 'stop after so many minutes; 30 unless given'],
];

/** A command's own, and how its files are written. */
function withFileFlags(command: Command, own: readonly Flag[]): Command {
  for (const [flags, says, otherwise] of own) command.option(flags, says, otherwise);
  return addFileFlags(command, {
    of: 'file',
    heading: 'How the files are written, for all or for one (customers.csv=...):',
  });
}
