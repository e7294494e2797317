import type { Queryable, SqlStatement } from '@causeway/db';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { type BulkJobRow, READ_BULK_JOB } from './bulk-job.sql.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Asking {
  actor: Context['actor'];
  database: Queryable;
}

/**
 * A bulk job that the caller may see. Another organisation's job gets the same answer as an id that was never created
 * (behaviour 21.6): `bulk_job_does_not_exist`.
 */
export async function findBulkJob(
  context: Asking,
  id: string,
  statement: SqlStatement<BulkJobRow, 'id'> = READ_BULK_JOB,
): Promise<BulkJobRow> {
  const job = await readBulkJob(context, id, statement);
  if (job === undefined) {
    throw new DomainError('bulk_job_does_not_exist', 'There is no bulk job with this id.', { attr: 'job_id' });
  }
  return job;
}

/** The same; undefined if there is none. */
export async function readBulkJob(
  { actor, database }: Asking,
  id: string,
  statement: SqlStatement<BulkJobRow, 'id'> = READ_BULK_JOB,
): Promise<BulkJobRow | undefined> {
  const [job] = UUID.test(id) ? await database.query(statement, { id }) : [];
  return job !== undefined && (actor.kind === 'staff' || actor.organisationId === job.organisation_id)
    ? job
    : undefined;
}

/** The refusal of a change that the job's state does not allow. */
export function stateNotAllowed(state: string, change: string): DomainError {
  return new DomainError('bulk_job_state_not_allowed', `A bulk job that is ${state} cannot be ${change}.`, {
    attr: 'job_id',
  });
}
