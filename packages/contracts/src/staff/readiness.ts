import { z } from 'zod';
import { field } from '../field.ts';
import { code } from './import-supplier-fields.ts';

/** Asks whether an import supplier's migration can be called complete (behaviour 24.2). */
export const ReadinessRequest = z.object({ code }).meta({
  id: 'ReadinessRequest',
  description: 'Asks whether the migration of an import supplier can be called complete.',
  examples: [{ code: 'NORTHWIND-2026' }],
});
export type ReadinessRequest = z.infer<typeof ReadinessRequest>;

const exampleCondition = {
  name: 'reconciled' as const,
  ok: false,
  sentence: 'Reconciled at 2026-11-21T20:14:09Z: different in 3 accounts, not signed off.',
  count: 3,
};

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
        'reconciled',
      ]),
      'The condition.',
      exampleCondition.name,
    ),
    ok: field(z.boolean(), 'Whether it is met.', exampleCondition.ok),
    sentence: field(z.string(), 'How it stands.', exampleCondition.sentence),
    count: field(
      z.number(),
      'How many: changes since the rehearsal, jobs, accounts in progress or failed, kinds of problem, or accounts that ' +
        'differ or were created since the reconciliation.',
      exampleCondition.count,
    ),
  })
  .meta({ id: 'ReadinessCondition', description: 'A condition of readiness.', examples: [exampleCondition] });
export type ReadinessCondition = z.infer<typeof ReadinessCondition>;

const example = { code: 'NORTHWIND-2026', ready: false, conditions: [exampleCondition] };

/** Whether an import supplier's migration can be called complete. */
export const Readiness = z
  .object({
    code,
    ready: field(z.boolean(), 'Whether all conditions are met.', example.ready),
    conditions: field(z.array(ReadinessCondition), 'The conditions, always all six.', example.conditions),
  })
  .meta({
    id: 'Readiness',
    description: 'Whether the migration of an import supplier can be called complete, and what is missing.',
    examples: [example],
  });
export type Readiness = z.infer<typeof Readiness>;
