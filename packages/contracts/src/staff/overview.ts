import { z } from 'zod';
import { BulkEstimate } from '../bulk/bulk-figures.ts';
import { BulkJobRecord } from '../bulk/bulk-job.ts';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { exampleReconciliationId, Reconciliation } from '../reconciliations/reconciliation.ts';
import { type Rule, withRules } from '../rules.ts';
import { code, ImportSupplierStatus } from './import-supplier-fields.ts';

const counts = {
  staged: field(z.number(), 'Accounts that are staged, and were not attempted since.', 190411),
  failed: field(z.number(), 'Accounts whose last attempt failed.', 1187),
  skipped: field(z.number(), 'Accounts that the service team has skipped.', 333),
  completed: field(z.number(), 'Accounts that are created.', 812400),
  undone: field(z.number(), 'Accounts that were undone, and not staged since.', 0),
};

const fromIsBeforeTo: Rule<{ from: string; to: string }> = {
  reads: ['from', 'to'],
  check: ({ from, to }) =>
    Date.parse(from) < Date.parse(to)
      ? undefined
      : { code: 'contradicts_another_field', path: ['to'], detail: 'Must be after from.' },
};

/** Asks how an import supplier's accounts have come along (behaviour 14.9). */
export const ListProgressRequest = withRules(
  z.object({
    code,
    from: field(UtcDatetime, 'Samples from this datetime on, in UTC.', '2026-11-21T20:00:00Z'),
    to: field(UtcDatetime, 'And before this one.', '2026-11-22T00:00:00Z'),
  }),
  fromIsBeforeTo,
).apply(
  documented,
  'ListProgressRequest',
  'Asks how many accounts of an import supplier were in which state over a time.',
);
export type ListProgressRequest = z.infer<typeof ListProgressRequest>;

export const ProgressSample = z
  .object({ at: field(UtcDatetime, 'When they were counted, in UTC.', '2026-11-21T20:31:10Z'), ...counts })
  .apply(documented, 'ProgressSample', 'Accounts by state at some time.');
export type ProgressSample = z.infer<typeof ProgressSample>;

export const ListProgressResponse = z
  .array(ProgressSample)
  .apply(
    documented,
    'ListProgressResponse',
    `The samples, oldest first: the last one of each of ${limitText(LIMITS.progress_points)} equal parts of the time.`,
  );

/** How far one migration has come (behaviour 14.9). */
export const MigrationOverview = z
  .object({
    code,
    name: field(z.string(), 'The name of the import supplier.', 'Northwind, autumn'),
    status: field(ImportSupplierStatus, 'The status of the import supplier.', 'ONGOING'),
    sampled_at: field(UtcDatetime.nullable(), 'When they were counted, in UTC; null before.', '2026-11-21T20:31:10Z'),
    ...counts,
    left: field(z.number(), 'Accounts that are staged or failed.', 191598),
    accounts_per_second: field(
      z.number().nullable(),
      'How many accounts a second were created in the last minute, by bulk jobs and by single calls; null unless the import supplier is ONGOING.',
      412,
    ),
    estimate: field(
      BulkEstimate.nullable(),
      'When none is left, at the present rate; null unless accounts were created in the last two minutes.',
      { finishes_at: '2026-11-21T20:38:55Z', from: '2026-11-21T20:37:40Z', to: '2026-11-21T20:41:20Z' },
    ),
    open_problems: field(z.number(), 'Kinds of problem that accounts have now.', 3),
    jobs: field(z.array(BulkJobRecord), 'Its bulk jobs that are PLANNING, RUNNING or PAUSED.', []),
    last_reconciliation: field(
      z
        .object({
          id: field(Uuid, 'Its id.', exampleReconciliationId),
          state: Reconciliation.shape.state,
          verdict: Reconciliation.shape.verdict,
          finished_at: Reconciliation.shape.finished_at,
          signed_off: field(z.boolean(), 'Whether somebody has accepted the outcome.', true),
        })
        .nullable(),
      'The last reconciliation that was not cancelled; null if none exists.',
      {
        ...{ id: exampleReconciliationId, state: 'FINISHED', verdict: 'EQUAL' },
        ...{ finished_at: '2026-11-21T20:31:10Z', signed_off: true },
      },
    ),
  })
  .apply(documented, 'MigrationOverview', 'How far the migration of an import supplier has come.');
export type MigrationOverview = z.infer<typeof MigrationOverview>;

export const ListMigrationsResponse = z
  .array(MigrationOverview)
  .apply(documented, 'ListMigrationsResponse', 'A row for each import supplier, by code.');
