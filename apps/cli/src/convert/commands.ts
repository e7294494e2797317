import type { Command } from 'commander';
import { addFileFlags, collect } from '../extract/file-flags.ts';
import type { Definition } from '../frame/define-command.ts';
import { KIND_NAMES } from './kind-names.ts';

/** Without a kind it is true, and stays so. */
const collectKind = (value: string, before?: readonly string[] | true) => before === true || collect(value, before);

const DESCRIPTION = [
  'Turns files, one or more of each kind, into a book: NDJSON, an account a line with its history. Rows are joined by their column external_account_number, whatever their order. The headers are the paths of the payload, which causeway fields lists: accounts.csv has billing_name, customers.csv given_name, supply-points.csv supply_postcode and meter_points.identifier; readings, registers, agreements, line items and tax items name what they belong to. An empty cell is a field that is left out.',
  'Files of another system need a mapping: causeway map proposes one, and with --mapping the files have no kinds.',
  'Files are CSV, TSV, fixed width, .xlsx, NDJSON or a JSON array, packed or not. What can be read in two ways is asked, all at once, with one command that answers.',
  'An account is written whole or not at all. If a row of it is rejected, all its rows go to <output>.rejected/, as CSV with the reason in a further column: fix them there and convert that folder.',
].join('\n\n');

const SAMPLE_DESCRIPTION =
  'Writes a book of made-up households, businesses and landlords in Great Britain with their notes, transactions and statements, as the demo moves it. The same seed and date give the same book. Without -o and --csv it goes to stdout.';

/** Files become a book. */
export const convertCommands: readonly Definition[] = [
  {
    usage: 'convert [file...]',
    summary: 'turn files into a book',
    description: DESCRIPTION,
    examples: [
      { says: 'CSV files to begin with', command: 'sample --csv sample' },
      {
        says: 'a book from two of them',
        command: 'convert --accounts sample/accounts.csv --customers sample/customers.csv -o book.ndjson',
      },
    ],
    flags,
    isLocal: true,
    load: async () => (await import('./convert.ts')).convert,
  },
  {
    usage: 'sample',
    summary: 'write a sample book to try the other commands with',
    description: SAMPLE_DESCRIPTION,
    examples: [
      { says: 'a book that the demo takes', command: 'sample -o sample.ndjson' },
      { says: 'with accounts that are refused, to see how', command: 'sample --faults -o faulty.ndjson' },
      { says: 'the same as CSV files, to try convert', command: 'sample --csv sample' },
    ],
    flags: sampleFlags,
    isLocal: true,
    load: async () => (await import('../sample/sample.ts')).sample,
  },
];

function flags(command: Command): Command {
  command.requiredOption('-o, --output <file>', 'the book; packed if it ends in .gz or .zst');
  for (const kind of KIND_NAMES) command.option(`--${kind} <file...>`, `files of ${kind.replaceAll('-', ' ')}`);
  command
    .option('--mapping <file>', 'SQL that makes the files of another system into kinds: see causeway map')
    .option('--supplier <code>', 'the import_supplier of all accounts, where the files have no such column')
    .option('--only-supplier <code>', 'with --mapping: leave out the accounts of other import suppliers')
    .option('--history-only', 'rows without an account here are history for accounts that exist already')
    .option('--leave-out-unmatched', 'continue without the rows that name no account of these files')
    .option('--leave-out-damaged', 'with --mapping: continue without rows that cannot be read')
    .option('--mapping-minutes <n>', 'with --mapping: stop it after so many minutes; 30 unless given')
    .option('--keep-undocumented', 'send columns that no such row has as they are, in place of refusing the file')
    .option('--show-values', 'show the values of rejected cells, which may be personal, in place of their form');
  return addFileFlags(command, {
    of: 'kind',
    heading: `How the files are written, for all or for one kind (${KIND_NAMES[0]}=...):`,
  })
    .option('--decimal-comma [kind]', 'decimals have a comma: 12,30; of all files, or of one kind', collectKind)
    .option('--credit <[kind=]sign>', 'whether amounts marked CR are negative or positive; DR is the other', collect)
    .option(
      '--date-format <[kind=]format>',
      'DD/MM/YYYY, MM/DD/YYYY, DD-MMM-YY, CYYMMDD ..; guessed if unmistakable',
      collect,
    )
    .option('--time-zone <[kind=]zone>', 'of datetimes that do not say it, such as Europe/London', collect)
    .option('--cut-fractions [kind]', 'leave out fractions of a second, which cannot be kept', collectKind)
    .option('--empty-text <[kind=]text>', 'a text that stands for an empty cell, such as NULL', collect);
}

function sampleFlags(command: Command): Command {
  return command
    .option('--accounts <count>', 'how many accounts', '200')
    .option('-o, --output <file>', 'the book; packed if it ends in .gz or .zst')
    .option('--csv <folder>', 'a folder for the same as CSV files, one a kind')
    .option('--faults', 'with some faulty accounts, and some that carry their history in the payload; not with --csv')
    .option('--supplier <code>', 'the import supplier of the accounts', 'HARBOUR-VALE')
    .option('--seed <text>', 'another seed gives other people', 'causeway')
    .option('--date <day>', 'the day on which the book is written; today if left out');
}
