import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { ImportSupplierCodeInPath, lookupText, NamedInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { Problem } from '../refusals.ts';
import { type Rule, withRules } from '../rules.ts';
import { prose } from '../text.ts';

const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');

const exampleProblem = {
  operation: 'stage' as const,
  refused: true,
  code: 'invalid_phone_number' as const,
  attr: 'customers.*.landline',
};

/** One kind of problem, named as `dataImport.listProblems` lists it. */
export const ProblemKey = z
  .object({
    operation: Problem.shape.operation,
    refused: Problem.shape.refused,
    code: Problem.shape.code,
    attr: field(NamedInPath, Problem.shape.attr.description ?? '', exampleProblem.attr),
  })
  .meta({
    id: 'ProblemKey',
    description: 'One kind of problem, named as the list of problems has it.',
    examples: [exampleProblem],
  });
export type ProblemKey = z.infer<typeof ProblemKey>;

/** The accounts that are skipped together: those that are staged or failed, as far as each given field says. */
export const SkipFilter = z
  .object({
    state: optional(z.enum(['STAGED', 'FAILED']), 'Only those in this state. Default: both.', 'FAILED'),
    problem: optional(ProblemKey, 'Only those that have this problem now.'),
    number_prefix: optional(
      lookupText(LIMITS.external_account_number).min(1),
      'Only those whose external account number begins with this.',
      'NW-0001',
    ),
  })
  .apply(documented, 'SkipFilter', 'Staged and failed accounts, by at least one of these.', 'number_prefix');
export type SkipFilter = z.infer<typeof SkipFilter>;

const filter = field(SkipFilter, 'Which accounts: at least one of its fields.', { state: 'FAILED' });

const filterIsNotEmpty: Rule<{ filter: SkipFilter }> = {
  reads: ['filter'],
  check: ({ filter: { state, problem, number_prefix } }) =>
    state === undefined && problem === undefined && number_prefix === undefined
      ? { code: 'required', path: ['filter'], detail: 'Name a state, a problem or a number_prefix.' }
      : undefined,
};

const exampleCount = { code: 'NORTHWIND-2026', filter: { state: 'FAILED' as const, problem: exampleProblem } };

/** Asks how many accounts would be skipped (behaviour 14.6.7). */
export const CountForSkipRequest = withRules(z.object({ code, filter }), filterIsNotEmpty).meta({
  id: 'CountForSkipRequest',
  description: 'Asks how many accounts of an import supplier a filter has that can be skipped.',
  examples: [exampleCount],
});
export type CountForSkipRequest = z.infer<typeof CountForSkipRequest>;

export const CountForSkipResponse = z
  .object({ count: field(z.number(), 'How many there are now: what `expected_count` takes.', 1102) })
  .apply(documented, 'CountForSkipResponse', 'How many accounts the filter has.');
export type CountForSkipResponse = z.infer<typeof CountForSkipResponse>;

/** Skips accounts by a filter, some at a time (behaviour 14.6.7). */
export const SkipManyRequest = withRules(
  z.object({
    code,
    filter,
    reason: field(prose(LIMITS.staff_reason), 'Why, for the audit trail of each.', 'No valid phone number'),
    expected_count: field(
      wholeNumber(1, LIMITS.bulk_lines),
      'How many the filter has, as it was counted, or `remaining` of the call before. If it has more or fewer, nothing is skipped.',
      1102,
    ),
  }),
  filterIsNotEmpty,
).meta({
  id: 'SkipManyRequest',
  description: `Skips up to ${limitText(LIMITS.skipped_accounts)} accounts of a filter. Repeat it with \`remaining\` until that is 0.`,
  examples: [{ ...exampleCount, reason: 'No valid phone number', expected_count: 1102 }],
});
export type SkipManyRequest = z.infer<typeof SkipManyRequest>;

export const SkipManyResponse = z
  .object({
    skipped: field(
      z.number(),
      'How many were skipped by this call. It leaves out accounts that are being written to at this moment.',
      1000,
    ),
    remaining: field(z.number(), 'How many are left: the `expected_count` of the next call.', 102),
  })
  .apply(documented, 'SkipManyResponse', 'How many accounts were skipped, and how many are left.');
export type SkipManyResponse = z.infer<typeof SkipManyResponse>;
