import type { BulkJobKind, BulkJobRecord, BulkJobSelection } from '@causeway/contracts';
import type { Queryable, SqlStatement } from '@causeway/db';
import type { Context } from '../../shared/context.ts';
import { utcDatetime, withUtcDatetimes } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
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

/** The same; undefined if none exists. */
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

/** A job whose files are there. Refuses with `bulk_job_does_not_exist` and `bulk_files_expired`. */
export async function findFileJob(context: Context, jobId: string): Promise<BulkJobRow> {
  const job = await findBulkJob(context, jobId);
  const { files_expire_at, finished_at } = job;
  if (finished_at !== null && files_expire_at !== null && files_expire_at <= context.clock()) {
    const detail = `The files of this bulk job expired at ${utcDatetime(files_expire_at)}.`;
    throw new DomainError('bulk_files_expired', detail, { attr: 'job_id' });
  }
  return job;
}

/** A job as a list has it. */
export function bulkJobRecord(row: BulkJobRow): BulkJobRecord {
  const { import_supplier_code, organisation_id: _organisation, creation_order: _order, ...others } = row;
  const { options: _options, selection, report: _report, resumed_at: _resumed, ...record } = others;
  const undoes_job = selection.undoing?.job_id ?? null;
  return { ...withUtcDatetimes(record), import_supplier: import_supplier_code, undoes_job };
}

/** Whether a job works on lines that are uploaded. */
export const hasUpload = (kind: BulkJobKind) => kind === 'STAGE' || kind === 'MOVE';

/** The selection of a job that has one. */
export function selectionOf({ kind, selection }: BulkJobRow): BulkJobSelection | null {
  return kind === 'PROCESS' ? selection : null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When the files of a job expire that nobody works on from now on (behaviour 21.5). */
export function filesExpireAt({ bulk, clock }: Pick<Context, 'bulk' | 'clock'>): Date {
  return new Date(clock().getTime() + bulk.filesDays * DAY_MS);
}
