import { z } from 'zod';
import { documented, field } from '../field.ts';
import { code } from './import-supplier-fields.ts';

/** Asks whether an import supplier's migration can be called complete (behaviour 24.2). */
export const ReadinessRequest = z
  .object({ code })
  .apply(documented, 'ReadinessRequest', 'Asks whether the migration of an import supplier can be called complete.');
export type ReadinessRequest = z.infer<typeof ReadinessRequest>;

/** One condition of readiness. */
export const ReadinessCondition = z
  .object({
    name: field(
      z.enum([
        'rehearsed',
        'no_unfinished_job',
        'no_account_in_progress',
        'no_failed_account',
        'no_open_problem',
        'no_undecided_remark',
        'reconciled',
      ]),
      'The condition.',
      'reconciled',
    ),
    ok: field(z.boolean(), 'Whether it is met.', false),
    sentence: field(
      z.string(),
      'How it stands.',
      'Reconciled at 2026-11-21T20:14:09Z: different in 3 accounts, not signed off.',
    ),
    count: field(
      z.number(),
      'How many: changes since the rehearsal, jobs, accounts in progress or failed, kinds of problem or remark, or accounts that ' +
        'differ or were created since the reconciliation.',
      3,
    ),
  })
  .apply(documented, 'ReadinessCondition', 'A condition of readiness.');
export type ReadinessCondition = z.infer<typeof ReadinessCondition>;

/** Whether an import supplier's migration can be called complete. */
export const Readiness = z
  .object({
    code,
    ready: field(z.boolean(), 'Whether all conditions are met.', false),
    conditions: field(z.array(ReadinessCondition), 'The conditions, always all seven.'),
  })
  .apply(
    documented,
    'Readiness',
    'Whether the migration of an import supplier can be called complete, and what is missing.',
  );
export type Readiness = z.infer<typeof Readiness>;
