import { z } from 'zod';
import { documented, field } from '../field.ts';
import { TransactionType } from '../transactions.ts';

/** How an account differs from what the manifest claims (behaviour 23.1.3). */
export const DifferenceKind = z.enum(['MISSING', 'EXTRA', 'NOT_CREATED', 'SKIPPED', 'DIFFERENT']);
export type DifferenceKind = z.infer<typeof DifferenceKind>;

/** What can differ: a figure of an account, or the account itself (behaviour 23.1.4). */
export const DifferenceField = z.enum([
  'account',
  'transfer_balance',
  'notes',
  'transactions',
  'transactions_sum',
  ...TransactionType.options.flatMap((type) => [`by_type.${type}.count` as const, `by_type.${type}.amount` as const]),
  'statements',
  'statements_gross',
  'payment_instruction',
  'fingerprint',
]);
export type DifferenceField = z.infer<typeof DifferenceField>;

const exampleDifferences = [
  {
    external_account_number: 'NW-0001482',
    kind: 'DIFFERENT' as const,
    field: 'by_type.CHARGE.amount',
    expected: '76.54',
    actual: '76.53',
    problem_operation: 'transactions',
    problem_code: 'transaction_outside_open_statement_period',
    problem_attr: '',
    reason: null,
  },
  {
    external_account_number: 'NW-0001483',
    kind: 'NOT_CREATED' as const,
    field: 'account',
    expected: 'COMPLETED',
    actual: 'FAILED',
    problem_operation: 'process',
    problem_code: 'invalid_phone_number',
    problem_attr: 'customers.0.landline',
    reason: null,
  },
];
const nullable = (description: string, example: string | null = null) =>
  field(z.string().nullable(), description, example);
const ofProblem = (what: string) =>
  nullable(`Of an account with an open problem that is MISSING, NOT_CREATED or DIFFERENT, ${what}; otherwise null.`);

/** What of an account differs (behaviour 23.1). */
export const ReconciliationDifference = z
  .object({
    external_account_number: field(z.string(), "The migrating party's own account number.", 'NW-0001482'),
    kind: field(
      DifferenceKind,
      'MISSING: it never arrived. NOT_CREATED: it is staged, or its creation failed. SKIPPED: it was left out on purpose. ' +
        'DIFFERENT: a figure differs. EXTRA: it was created, and the manifest does not name it.',
      'DIFFERENT',
    ),
    field: field(
      z.string(),
      'The figure that differs, such as `notes` or `by_type.CHARGE.amount`; `account` unless the account is DIFFERENT.',
      'by_type.CHARGE.amount',
    ),
    expected: nullable('What the manifest claims. Of an account: COMPLETED, or null if it is not named.', '76.54'),
    actual: nullable('What is stored. Of an account: its state, or null if it never arrived.', '76.53'),
    problem_operation: ofProblem('the operation that was refused last'),
    problem_code: ofProblem('the code of what was wrong'),
    problem_attr: ofProblem('the field at fault, empty if no field was'),
    reason: nullable('Why a SKIPPED account was skipped; otherwise null.'),
  })
  .meta({
    id: 'ReconciliationDifference',
    description: 'One figure of an account that differs, or an account that is only on one side.',
    examples: exampleDifferences,
  });
export type ReconciliationDifference = z.infer<typeof ReconciliationDifference>;

export const ReconciliationDifferencesResponse = z
  .array(ReconciliationDifference)
  .apply(documented, 'ReconciliationDifferencesResponse', 'The differences, those of one account together.');
