import { z } from 'zod';
import { ResultLine } from '../book/result-line.ts';
import { documented, field } from '../field.ts';
import { ImportOperation } from '../refusals.ts';

const operation = field(
  ImportOperation.exclude(['dry_run']),
  'What was refused: `validate` the line itself, `stage` its staging, `process` the creation of the account; the others are the requests of these names.',
  'validate',
);

/** One kind of problem of the lines of a bulk job (behaviour 21.5). It never has a value of a line. */
export const BulkProblem = z
  .object({
    operation,
    refused: field(
      z.boolean(),
      'True: the lines were refused. False: they were accepted, and this is reported only, such as a field that is not documented.',
      true,
    ),
    code: field(
      z.string(),
      'The kind of problem: the code of the field at fault or, if no field was, of the refusal. New codes may be added.',
      'invalid_phone_number',
    ),
    attr: field(
      z.string(),
      'The dotted path of the field at fault, with `*` for the index in a list. Empty if no field was at fault.',
      'customers.*.landline',
    ),
    description: field(
      z.string().nullable(),
      'What the field is, as documented; null if no documented field was at fault.',
      'The landline number. Possible in the supplier’s country, or written with its country code.',
    ),
    accounts: field(z.number(), 'How many lines have this problem.', 4112),
    sample_account_numbers: field(z.array(z.string()), 'Up to three of them, by your own account numbers.', [
      'NW-0001482',
      'NW-0001377',
      'NW-0000912',
    ]),
  })
  .apply(documented, 'BulkProblem', 'One kind of problem, and how many lines of the job have it.');
export type BulkProblem = z.infer<typeof BulkProblem>;

export const BulkJobErrorsResponse = z
  .array(BulkProblem)
  .apply(documented, 'BulkJobErrorsResponse', 'The problems of the job’s lines, those of most lines first.');

export const BulkJobResultsResponse = z
  .array(ResultLine)
  .apply(documented, 'BulkJobResultsResponse', 'The results of the lines that are done, in the order of the lines.');
