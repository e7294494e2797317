import { LIMITS } from '../limits.ts';
import type { ErrorRow } from './error-row.ts';

const OF_RECONCILIATION = 'reconciliation_id';

/** Refusals of requests about reconciliations. */
export const RECONCILIATION_ERRORS = {
  reconciliation_does_not_exist: {
    status: 404,
    when: 'Your organisation has no reconciliation with this id.',
    cause: 'A misspelt id, or an API key of a different organisation than that of the import supplier.',
    remedy: 'List the reconciliations of the import supplier and take the id from there.',
    example: { detail: 'There is no reconciliation with this id.', errors: OF_RECONCILIATION },
  },
  reconciliation_state_not_allowed: {
    status: 409,
    when: 'The reconciliation is in a state in which this is not possible; `detail` says which.',
    cause:
      'It has not finished yet or, to be cancelled, it has; it was cancelled; or somebody has signed it off before.',
    remedy: 'Read the reconciliation; if it is still running, wait until it is FINISHED.',
    example: {
      detail: 'A reconciliation that is RUNNING has no report. Wait until it is FINISHED.',
      errors: OF_RECONCILIATION,
    },
  },
  too_many_reconciliations: {
    status: 409,
    when: `The import supplier has ${LIMITS.reconciliation_unfinished} reconciliations that have not finished.`,
    cause: 'Reconciliations that were asked for again and again, or instances without lanes (`BULK_LANES`).',
    remedy: 'Wait until one of them is FINISHED or cancel one, then send the request again.',
    example: {
      detail: `The import supplier has ${LIMITS.reconciliation_unfinished} reconciliations that have not finished: wait for one.`,
    },
  },
} as const satisfies Record<string, ErrorRow>;
