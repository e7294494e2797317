import { z } from 'zod';
import { BulkEstimate } from '../bulk/bulk-figures.ts';
import { BulkJobRecord } from '../bulk/bulk-job.ts';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { exampleReconciliationId, Reconciliation } from '../reconciliations/reconciliation.ts';
import { type Rule, withRules } from '../rules.ts';
import { code, ImportSupplierStatus } from './import-supplier-fields.ts';

const exampleSample = {
  at: '2026-11-21T20:31:10Z',
  staged: 190411,
  failed: 1187,
  skipped: 333,
  completed: 812400,
};
const counts = {
  staged: field(z.number(), 'Accounts that are staged, and were not attempted since.', exampleSample.staged),
  failed: field(z.number(), 'Accounts whose last attempt failed.', exampleSample.failed),
  skipped: field(z.number(), 'Accounts that the service team has skipped.', exampleSample.skipped),
  completed: field(z.number(), 'Accounts that are created.', exampleSample.completed),
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
  .object({ at: field(UtcDatetime, 'When they were counted, in UTC.', exampleSample.at), ...counts })
  .apply(documented, 'ProgressSample', 'Accounts by state at some time.');
export type ProgressSample = z.infer<typeof ProgressSample>;

export const ListProgressResponse = z
  .array(ProgressSample)
  .apply(
    documented,
    'ListProgressResponse',
    `The samples, oldest first: the last one of each of ${limitText(LIMITS.progress_points)} equal parts of the time.`,
  );
export type ListProgressResponse = z.infer<typeof ListProgressResponse>;

const { at: _at, ...exampleCounts } = exampleSample;
const exampleMigration = {
  code: 'NORTHWIND-2026',
  name: 'Northwind, autumn',
  status: 'ONGOING' as const,
  sampled_at: exampleSample.at,
  ...exampleCounts,
  left: 191598,
  accounts_per_second: 412,
  estimate: { finishes_at: '2026-11-21T20:38:55Z', from: '2026-11-21T20:37:40Z', to: '2026-11-21T20:41:20Z' },
  open_problems: 3,
  jobs: [],
  last_reconciliation: {
    id: exampleReconciliationId,
    state: 'FINISHED' as const,
    verdict: 'EQUAL' as const,
    finished_at: exampleSample.at,
    signed_off: true,
  },
};

/** How far one migration has come (behaviour 14.9). */
export const MigrationOverview = z
  .object({
    code,
    name: field(z.string(), 'The name of the import supplier.', exampleMigration.name),
    status: field(ImportSupplierStatus, 'The status of the import supplier.', exampleMigration.status),
    sampled_at: field(UtcDatetime.nullable(), 'When they were counted, in UTC; null before.', exampleSample.at),
    ...counts,
    left: field(z.number(), 'Accounts that are staged or failed.', exampleMigration.left),
    accounts_per_second: field(
      z.number().nullable(),
      'How many accounts a second were created in the last minute, by bulk jobs and by single calls; null unless the import supplier is ONGOING.',
      exampleMigration.accounts_per_second,
    ),
    estimate: field(
      BulkEstimate.nullable(),
      'When none is left, at the present rate; null unless accounts were created in the last two minutes.',
      exampleMigration.estimate,
    ),
    open_problems: field(z.number(), 'Kinds of problem that accounts have now.', exampleMigration.open_problems),
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
      exampleMigration.last_reconciliation,
    ),
  })
  .apply(documented, 'MigrationOverview', 'How far the migration of an import supplier has come.');
export type MigrationOverview = z.infer<typeof MigrationOverview>;

export const ListMigrationsResponse = z
  .array(MigrationOverview)
  .apply(documented, 'ListMigrationsResponse', 'A row for each import supplier, by code.');
export type ListMigrationsResponse = z.infer<typeof ListMigrationsResponse>;
