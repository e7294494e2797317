import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../error-codes.ts';
import { FieldError } from '../errors.ts';
import { documented, field, optional } from '../field.ts';
import { ServiceAccountNumber } from '../identifiers.ts';
import { ImportOperation } from '../refusals.ts';

/** What happened to a line (behaviour 21). */
export const LineOutcome = z.enum(['created', 'updated', 'unchanged', 'undone', 'refused', 'failed', 'not_processed']);
export type LineOutcome = z.infer<typeof LineOutcome>;

/** What an import of a line's history has added. */
export const StepResult = z
  .object({
    added: field(z.number(), 'How many records were added.', 24),
    existing: field(z.number(), 'How many the account had before.', 0),
    filled: optional(
      z.number(),
      'How many of those got what they lacked, such as the path of a document; absent if none did.',
      1,
    ),
    omitted: optional(
      z.number(),
      'How many transactions of zero were left out besides, as the import supplier is configured; absent if none were.',
      1,
    ),
  })
  .apply(documented, 'StepResult', 'What one import has added.', 'filled', 'omitted');
export type StepResult = z.infer<typeof StepResult>;

const line = field(z.number(), 'The number of the line in the upload, from 1; blank lines count.', 17);
const code = field(
  z.enum(Object.keys(ERROR_CODES) as ErrorCode[]),
  'The kind of error, as a call with the same data would get it.',
  'account_failed_validation',
);
const exampleErrors = [
  {
    detail: 'Must be a real calendar day written YYYY-MM-DD, years 1900 to 2200. Leave an open end out.',
    code: 'invalid_date' as const,
    attr: 'customers.0.date_of_birth',
  },
];
const errors = field(z.array(FieldError), 'The fields at fault, as in the body of an error.');

const LineRemark = z
  .object({
    code: field(
      z.string(),
      'The kind: a remark, `undocumented_field`, or in a cohort what the rules of today would refuse.',
      'unlikely_meter_point',
    ),
    attr: field(
      z.string(),
      'The dotted path of the field, with `*` for the index in a list.',
      'supply_addresses.*.meter_points.*.identifier',
    ),
    detail: optional(z.record(z.string(), z.string()), 'What was computed of the first such field, such as two sums.', {
      sent: '-48.20',
      computed: '-48.02',
    }),
  })
  .apply(documented, 'LineRemark', 'Something told of a line that was accepted.');

/** One line of a job's results (behaviour 21). */
export const ResultLine = z
  .object({
    line,
    external_account_number: field(
      z.string().nullable(),
      'Your own account number; null if the line names none.',
      'HV-1',
    ),
    outcome: field(
      LineOutcome,
      '`created`: staged the first time, created, or history added. `updated`: an earlier staging was replaced, or records got what they lacked. `unchanged`: already there, the same. `undone`: the account was taken back. `refused`: the fault is in the line; of an UNDO job: the account was kept. `failed`: the fault is ours. `not_processed`: the job was cancelled.',
      'created',
    ),
    service_account_number: optional(
      ServiceAccountNumber,
      'Our number of the account. A rehearsal creates none, so its created lines have no number.',
    ),
    steps: optional(z.partialRecord(ImportOperation, StepResult), 'What was added, by import.', {
      transactions: { added: 24, existing: 0 },
    }),
    step: optional(ImportOperation, 'What was refused.', 'validate'),
    code: code.optional(),
    detail: optional(z.string(), 'A sentence for people.', 'The payload failed validation: customers.0.landline.'),
    errors: errors.optional(),
    remarks: optional(
      z.array(LineRemark),
      'What is told of a line that was accepted: doubtful and undocumented fields, each kind once.',
    ),
  })
  .meta({
    id: 'ResultLine',
    description: 'What happened to one line.',
    examples: [
      {
        line: 17,
        external_account_number: 'HV-1',
        outcome: 'created',
        service_account_number: 'A-7K3M9QXT',
        steps: { transactions: { added: 24, existing: 0 } },
      },
    ],
  });
export type ResultLine = z.infer<typeof ResultLine>;

/** A refused line, ready to be corrected and sent again (behaviour 21.1.6). */
export const FailedRow = z
  .object({
    line,
    code,
    errors,
    data: field(
      z.unknown(),
      'The line exactly as it was sent; as a string if it is not JSON. Correct it here: a file of such rows is a book.',
      { external_account_number: 'HV-1', notes: [{ body: 'Customer asked for a paper bill.' }] },
    ),
  })
  .meta({
    id: 'FailedRow',
    description: 'A refused line with its problems. A file of them is itself a book: its `data` is used.',
    examples: [
      {
        line: 17,
        code: 'account_failed_validation',
        errors: exampleErrors,
        data: { account: { external_account_number: 'HV-1' } },
      },
    ],
  });
export type FailedRow = z.infer<typeof FailedRow>;
