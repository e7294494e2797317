import { type Fragment, fragment, rawSql } from '@causeway/db';
import { NO_TYPES } from './conditions.sql.ts';

/** What a statement gives of an event of an account; a trigger adds the organisation and the number. */
export const ACCOUNT_EVENT_COLUMNS = fragment`import_supplier_code, type, external_account_number,
      service_account_number, data, occurred_at`;

/**
 * The events of new accounts, as a common table expression in terms of `completed`: each is created and, if no refusal
 * stays open besides those that its creation resolves (`succeeded`), complete. Of NOT EXISTS a plan that was made while
 * there were few refusals would read all of them.
 *
 * @param types of payment instructions that are stored with them
 */
export function eventsOfCreation(succeeded: Fragment, types = NO_TYPES): Fragment {
  return fragment`event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, type, external_account_number, service_account_number, '{}', at
    FROM completed
    CROSS JOIN (VALUES (1, 'account.created'), (2, 'account.completed')) AS told (place, type)
    WHERE place = 1 OR (
      SELECT true
      FROM account_import_refusals AS refusal
      WHERE refusal.account_import_id = completed.id
        AND refusal.resolved_at IS NULL
        AND refusal.reported = ''
        AND CASE refusal.operation
          WHEN 'line' THEN left_of_line(refusal, ${succeeded}, ${types}) <> '{}'
          ELSE refusal.operation <> ALL (${succeeded}) OR lacks_instruction(refusal, ${types})
        END
      LIMIT 1
    ) IS NULL
    ORDER BY place
  )`;
}

/** The events of accounts whose pending state changes, in terms of `changed`, which has their names. */
export function eventsOfSkipping(changed: 'skipped' | 'unskipped') {
  return fragment`event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.${rawSql(changed)}', external_account_number, NULL, '{}', ${'at'}
    FROM ${rawSql(changed)}
  )`;
}

/** What a statement gives of any other event. */
export const EVENT_COLUMNS = fragment`import_supplier_code, type, data, occurred_at`;

/** What `eventOfJob` needs of a job that was changed. */
export const JOB_OF_EVENT = fragment`import_supplier_code, kind, run_mode, state_reason`;

/** The event of a bulk job, in terms of `changed`: its id and `JOB_OF_EVENT`. */
export function eventOfJob(change: string) {
  const reason = change === 'paused' ? fragment`, 'reason', state_reason` : fragment``;
  return fragment`event AS (
    INSERT INTO events (${EVENT_COLUMNS})
    SELECT import_supplier_code, 'bulk_job.${rawSql(change)}',
      jsonb_build_object('job_id', id, 'kind', kind, 'run_mode', run_mode${reason}), ${'at'}
    FROM changed
  )`;
}
