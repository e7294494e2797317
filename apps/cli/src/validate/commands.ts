import type { Command } from 'commander';
import { addSupplierFlags } from '../admin/supplier-flags.ts';
import type { Definition } from '../frame/define-command.ts';

/** The settings of an import supplier on which the answer to a line depends. */
const SETTINGS = [
  'country',
  'undocumented_fields',
  'empty_means_omitted',
  'statement_amount_unit',
  'account_types',
  'balance_check',
  'suspect_data',
  'suspect_data_by_code',
  'zero_amounts',
];

const DESCRIPTION = `Checks every line of a book with all cores, by the rules of the service itself: a line is accepted or refused exactly as the service would, with the same codes and sentences. Needs no service, unless --like-supplier asks one for the settings of your import supplier; only what is stored there already is not known here.

Tells the problems by field with three sample accounts each, lines that repeat an account, meter points that are in two accounts at the same time, fields that are not documented, the money that would move, and balances that nothing checks. Writes results.ndjson, failed.ndjson and summary.json to BOOK.validated/. failed.ndjson is a book itself: correct the lines in it and validate or move it.`;

/** What checks a book offline. */
export const validateCommands: readonly Definition[] = [
  {
    usage: 'validate <book...>',
    summary: 'check a book offline, exactly as the service would',
    description: DESCRIPTION,
    examples: [
      {
        says: 'with the settings of the import supplier',
        command: 'validate book.ndjson --like-supplier HARBOUR-VALE',
      },
      {
        says: 'without any service, a packed book in two files',
        command: 'validate part-1.ndjson.zst part-2.ndjson.gz --country GB',
      },
      {
        says: 'in a script: stop at the first thousand refused lines',
        command: 'validate book.ndjson --max-refused 1000 --json',
      },
    ],
    flags: addFlags,
    load: async () => (await import('./validate.ts')).validate,
  },
];

function addFlags(command: Command): Command {
  command
    .option('--report <folder>', 'where the report goes (BOOK.validated, beside the first book)')
    .option('--max-refused <n|p%>', 'stop when more lines are refused than this number, or share')
    .optionsGroup('The import supplier:')
    .option('--like-supplier <code>', 'ask the service for its settings; flags below go before these')
    .option('--supplier <code>', 'its code (the one that the first line names)')
    .option('--time-zone <zone>', 'of the service: today is a day there (Europe/London)')
    .option('--today <date>', 'check as on this day, YYYY-MM-DD')
    .option('--payment-vendors <A,B>', 'the vendors that the service knows (any is accepted)')
    .option('--reject-undocumented-fields', 'the same as --undocumented-fields REJECT');
  return addSupplierFlags(command, SETTINGS);
}
