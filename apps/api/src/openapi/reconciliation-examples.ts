import { Reconciliation, ReconciliationDifferencesResponse, ReconciliationRecord } from '@causeway/contracts';
import type { z } from 'zod';

const exampleOf = (schema: z.ZodType) => schema.meta()?.examples?.[0];
const finished = exampleOf(Reconciliation) as Reconciliation;
const waiting = {
  ...finished,
  ...{ state: 'PLANNING', verdict: null, started_at: null, finished_at: null, ranges_done: 0, round: 0 },
  ...{ totals: null, accounts: null, differences: null, differences_digest: null, covered: null, moved_ranges: null },
};

const cancelled = { ...waiting, state: 'CANCELLED', finished_at: '2026-04-17T09:30:12Z' };

const one = (summary: string, value: unknown) => ({ responses: { 200: { example: { summary, value } } } });

/** By operationId: a reconciliation and its differences. */
export const RECONCILIATION_EXAMPLES = {
  createReconciliation: {
    request: { example: { summary: 'A sealed manifest', value: { manifest_id: finished.manifest_id } } },
    responses: { 201: { example: { summary: 'Created', value: waiting } } },
  },
  cancelReconciliation: {
    request: { empty: { summary: 'An empty object', value: {} } },
    ...one('Cancelled', cancelled),
  },
  listReconciliations: one('One reconciliation', [exampleOf(ReconciliationRecord)]),
  reconciliation: one('A figure differs, and an account was not created', finished),
  reconciliationDifferences: one('Two differences', exampleOf(ReconciliationDifferencesResponse)),
};
