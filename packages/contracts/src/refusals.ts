import { z } from 'zod';
import { REMARKS, type RemarkCode } from './error-codes/remarks.ts';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import { documented, field, optional } from './field.ts';
import { FIELD_CODES, type FieldCode } from './field-codes.ts';
import { UtcDatetime } from './formats.ts';
import { ImportSupplierCodeInPath } from './identifiers.ts';
import { LIMITS, limitText } from './limits.ts';
import { wholeNumber } from './numbers.ts';

/** The operations of an account import whose refusals are remembered (behaviour 4.15). */
export const ImportOperation = z.enum([
  'validate',
  'stage',
  'process',
  'dry_run',
  'notes',
  'transactions',
  'statements',
  'payment_instruction',
]);
export type ImportOperation = z.infer<typeof ImportOperation>;

/** What is remembered as refused: an operation, or a line of a bulk job with all that it was to bring. */
export const RefusedOperation = z.enum([...ImportOperation.options, 'line']);
export type RefusedOperation = z.infer<typeof RefusedOperation>;

const codes = [
  ...new Set([
    ...(Object.keys(FIELD_CODES) as FieldCode[]),
    ...(Object.keys(ERROR_CODES) as ErrorCode[]),
    ...(Object.keys(REMARKS) as RemarkCode[]),
  ]),
];

const operation = field(
  RefusedOperation,
  'What was refused: `dry_run` is any request with `dry_run`, `process` the creation, `line` a line of a bulk job with all that it was to bring; the others are the requests of these names. New ones may be added.',
  'transactions',
);
const refused = field(
  z.boolean(),
  'True: requests were refused. False: they succeeded, and the problem is reported only; it does not keep an account from being complete.',
  true,
);
const datetime = (description: string) => field(UtcDatetime, `${description}, in UTC.`, '2026-04-17T09:30:12Z');

/** The request for the problems of an import supplier (behaviour 4.15). */
export const ListProblemsRequest = z
  .object({
    import_supplier_code: ImportSupplierCodeInPath,
    limit: optional(
      wholeNumber(1, LIMITS.problems),
      `The maximum number of problems to return, 1 to ${limitText(LIMITS.problems)}: those of most accounts. Default: ${limitText(LIMITS.problems_default)}.`,
      20,
    ),
  })
  .apply(documented, 'ListProblemsRequest', 'Asks for the problems of an import supplier.');
export type ListProblemsRequest = z.infer<typeof ListProblemsRequest>;

const exampleProblem = {
  operation: 'transactions' as const,
  refused: true,
  code: 'invalid_date',
  attr: 'transactions.*.transaction_date',
  accounts: 4112,
  first_seen_at: '2026-04-17T09:30:12Z',
  last_seen_at: '2026-04-17T11:02:55Z',
  sample_account_numbers: ['NW-0001482', 'NW-0001377', 'NW-0000912'],
  decision: null,
  reason: null,
};

const exampleReport = {
  ...exampleProblem,
  operation: 'notes' as const,
  refused: false,
  code: 'existing_data_differs',
  attr: 'notes.*.document_paths',
  accounts: 12,
  sample_account_numbers: ['NW-0002210'],
};

/** What the service team has decided about a kind of remark (behaviour 4.18.4). */
export const RemarkDecision = z.enum(['ACCEPTED', 'FIXED']);
export type RemarkDecision = z.infer<typeof RemarkDecision>;

/** One kind of problem, and how many accounts have it (behaviour 4.15). */
export const Problem = z
  .object({
    operation,
    refused,
    code: field(
      z.enum(codes),
      'The kind of problem: the code of the field at fault or, if no field was, of the answer. New codes may be added.',
      'invalid_date',
    ),
    attr: field(
      z.string(),
      'The dotted path of the field at fault, with `*` for the index in a list and for a name that is not documented. Empty if no field was at fault.',
      'transactions.*.transaction_date',
    ),
    accounts: field(z.number(), 'How many accounts have this problem now.', 4112),
    first_seen_at: datetime('When the problem was first seen, since no account had it'),
    last_seen_at: datetime('When it was last seen in one of these accounts'),
    sample_account_numbers: field(
      z.array(z.string()),
      'Up to three of these accounts, by your own account numbers: those in which it was seen last.',
      ['NW-0001482', 'NW-0001377', 'NW-0000912'],
    ),
    decision: field(
      RemarkDecision.nullable(),
      'Of what was not refused: whether the service team has ACCEPTED it, or says that all of it was FIXED. Null if ' +
        'nothing is decided, or it was seen again since it was fixed.',
      null,
    ),
    reason: field(z.string().nullable(), 'Why it was decided so; null if nothing is decided.', null),
  })
  .meta({
    id: 'Problem',
    description: 'One kind of problem, and how many accounts have it.',
    examples: [exampleProblem],
  });
export type Problem = z.infer<typeof Problem>;

export const ListProblemsResponse = z.array(Problem).meta({
  id: 'ListProblemsResponse',
  description: 'The problems, those of most accounts first.',
  examples: [[exampleProblem, exampleReport]],
});

/** What is open about one account import (behaviour 4.15). */
export const OpenRefusal = z
  .object({
    operation,
    refused,
    code: field(
      z.enum(codes),
      'The code of the answer, or of what is reported. New codes may be added.',
      'request_failed_validation',
    ),
    errors: field(
      z.array(
        z.object({
          code: field(z.string(), 'The kind of problem.', 'invalid_date'),
          attr: field(
            z.string(),
            'The dotted path of the field; `?` stands for a name that no field would have, such as one with a space.',
            'transactions.3.transaction_date',
          ),
        }),
      ),
      'The fields at fault of the latest such request. Never a value: the answer to the request had the sentences.',
    ),
    detail: field(
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
      'What the service computed itself about a remark, such as two sums. Of refused payment instructions, their types: `{ "DIRECT_DEBIT": "refused" }`. Of a refused line, what it was to bring and was not imported since: how many records of each import, the types of its payment instructions, and `account`, unless that existed: `{ "transactions": 24, "DIRECT_DEBIT": "refused" }`. Otherwise null.',
      null,
    ),
    times: field(z.number(), 'How often, since the operation last succeeded.', 3),
    first_seen_at: datetime('When the first of these requests came'),
    last_seen_at: datetime('When the latest of them came'),
    request_id: field(
      z.string(),
      "The service's own id of the latest of them, as in its log.",
      '3f1c2a34-8a55-4c0e-9b0e-5d4f0a1b2c3d',
    ),
  })
  .meta({
    id: 'OpenRefusal',
    description: 'A refusal, or a remark, that the operation has not fixed since.',
    examples: [
      {
        operation: 'transactions',
        refused: true,
        code: 'request_failed_validation',
        errors: [{ code: 'invalid_date', attr: 'transactions.3.transaction_date' }],
        detail: null,
        times: 3,
        first_seen_at: '2026-04-17T09:30:12Z',
        last_seen_at: '2026-04-17T11:02:55Z',
        request_id: '3f1c2a34-8a55-4c0e-9b0e-5d4f0a1b2c3d',
      },
    ],
  });
export type OpenRefusal = z.infer<typeof OpenRefusal>;
