import {
  BulkJob,
  BulkJobRecord,
  BulkProblem,
  OwnImportSupplier,
  ResultLine,
  StoredBulkPart,
} from '@causeway/contracts';
import type { z } from 'zod';

const exampleOf = (schema: z.ZodType) => schema.meta()?.examples?.[0];
const job = exampleOf(BulkJob) as BulkJob;
const NOTHING_YET = {
  report: null,
  estimate: null,
  accounts_per_second: null,
  counts: { created: 0, updated: 0, unchanged: 0, refused: 0, failed: 0, not_processed: 0, waiting: 0 },
  sums: {
    transfer_balance_credit: '0.00',
    transfer_balance_debit: '0.00',
    transactions: {},
    statements: { count: 0, gross: '0.00' },
    notes: 0,
    customers: 0,
    supply_points: 0,
    account_types: {},
  },
};
const open = {
  ...job,
  ...NOTHING_YET,
  state: 'OPEN',
  run: 0,
  run_mode: null,
  lines: 0,
  parts: 0,
  started_at: null,
  files_expire_at: '2026-12-21T22:20:31Z',
};
const waiting = { ...NOTHING_YET.counts, waiting: 1204331 };
const planning = { ...job, ...NOTHING_YET, counts: waiting, state: 'PLANNING', run: 1, run_mode: 'REHEARSAL' };
const paused = {
  ...job,
  state: 'PAUSED',
  state_reason: 'asked',
  paused_at: '2026-11-21T23:14:09Z',
  accounts_per_second: null,
  estimate: null,
};
const cancelled = {
  ...job,
  state: 'CANCELLED',
  finished_at: '2026-11-21T23:20:44Z',
  files_expire_at: '2026-12-21T23:20:44Z',
  accounts_per_second: null,
  estimate: null,
  counts: { ...job.counts, not_processed: job.counts.waiting, waiting: 0 },
};

const one = (summary: string, value: unknown) => ({ responses: { 200: { example: { summary, value } } } });
const NO_FIELDS = { empty: { summary: 'An empty object', value: {} } };

/** By operationId: one job from its creation to its end. */
export const BULK_EXAMPLES = {
  listOwnImportSuppliers: one('One import supplier', [exampleOf(OwnImportSupplier)]),
  ownImportSupplier: one('An import supplier that accepts accounts', exampleOf(OwnImportSupplier)),
  createBulkJob: {
    request: {
      move: {
        summary: 'A book that is uploaded, staged and created',
        value: {
          import_supplier: 'NORTHWIND-2026',
          kind: 'MOVE',
          label: 'Northwind, night 1',
          options: { operations_team_name: 'Migration support', parallelism: 2 },
        },
      },
      process: {
        summary: 'Accounts that are staged already',
        value: {
          import_supplier: 'NORTHWIND-2026',
          kind: 'PROCESS',
          options: { operations_team_name: 'Migration support' },
          selection: { states: ['STAGED'] },
        },
      },
    },
    responses: { 201: { move: { summary: 'Created', value: open } } },
  },
  startBulkJob: {
    request: {
      rehearsal: { summary: 'Try it', value: { run_mode: 'REHEARSAL', parts: 241, lines: 1204331 } },
      real: { summary: 'Move the accounts', value: { run_mode: 'REAL', parts: 241, lines: 1204331 } },
    },
    responses: { 200: { rehearsal: { summary: 'Started', value: planning } } },
  },
  pauseBulkJob: { request: NO_FIELDS, ...one('Paused', paused) },
  resumeBulkJob: { request: NO_FIELDS, ...one('Running again', job) },
  cancelBulkJob: { request: NO_FIELDS, ...one('Cancelled', cancelled) },
  bulkJob: one('A job that is running', job),
  listBulkJobs: one('One job', [exampleOf(BulkJobRecord)]),
  bulkJobParts: one('One part', [exampleOf(StoredBulkPart)]),
  bulkJobErrors: one('One problem', [exampleOf(BulkProblem)]),
  bulkJobResults: one('One line', [exampleOf(ResultLine)]),
};
