import type {
  BulkJobKind,
  BulkJobOptions,
  BulkJobReason,
  BulkJobSelection,
  BulkJobState,
  BulkReport,
  BulkRunMode,
} from '@causeway/contracts';
import { fragment, narrow, type RowOf, selectList, sql } from '@causeway/db';
import type { Undoing } from '../chunks/bulk-work.ts';

const COLUMNS = {
  id: 'uuid',
  import_supplier_code: 'text',
  organisation_id: 'uuid',
  creation_order: 'bigint',
  kind: narrow<BulkJobKind>('text'),
  label: 'text | null',
  options: narrow<BulkJobOptions>('jsonb'),
  selection: narrow<BulkJobSelection & { undoing?: Undoing }>('jsonb'),
  state: narrow<BulkJobState>('text'),
  state_reason: narrow<BulkJobReason | null>('text | null'),
  run: 'integer',
  run_mode: narrow<BulkRunMode | null>('text | null'),
  lines: 'integer | null',
  report: narrow<BulkReport | null>('jsonb | null'),
  created_at: 'timestamptz',
  started_at: 'timestamptz | null',
  resumed_at: 'timestamptz | null',
  paused_at: 'timestamptz | null',
  finished_at: 'timestamptz | null',
  files_expire_at: 'timestamptz | null',
} as const;

const recordWith = (lines: string) => fragment`${selectList(COLUMNS, 'job', {
  organisation_id: 'supplier.organisation_id',
  kind: 'job.kind::text',
  state: 'job.state::text',
  run_mode: 'job.run_mode::text',
  lines,
})}
  FROM bulk_jobs AS job
  JOIN import_suppliers AS supplier ON supplier.code = job.import_supplier_code`;

const RECORD = recordWith('job.lines');

export const READ_BULK_JOB = sql('read-bulk-job', COLUMNS)`
  SELECT ${RECORD}
  WHERE job.id = ${'id'}`;
export type BulkJobRow = RowOf<typeof READ_BULK_JOB>;

/** The same; nobody changes the job until the end of the transaction, and no part of it is stored. */
export const LOCK_BULK_JOB = sql('lock-bulk-job', COLUMNS)`
  SELECT ${RECORD}
  WHERE job.id = ${'id'}
  FOR NO KEY UPDATE OF job`;

/** Also of a job that was never started, or was cancelled before: its lines are those received. */
const LISTED = recordWith(`
    CASE
      WHEN job.lines IS NULL AND job.kind <> 'PROCESS' THEN (
        SELECT coalesce(sum(lines), 0)::integer
        FROM bulk_parts
        WHERE job_id = job.id
      )
      ELSE job.lines
    END`);

/** `limit` jobs of an import supplier after the place `after`. */
export const LIST_BULK_JOBS = sql('list-bulk-jobs', COLUMNS)`
  SELECT ${LISTED}
  WHERE job.import_supplier_code = ${'import_supplier_code'}
    AND job.creation_order > ${'after'}
  ORDER BY job.creation_order
  LIMIT ${'limit'}`;

/** The jobs that were started and have not ended, of all import suppliers: few of each. */
export const LIST_STARTED_BULK_JOBS = sql('list-started-bulk-jobs', COLUMNS)`
  SELECT ${RECORD}
  WHERE job.state IN ('PLANNING', 'RUNNING', 'PAUSED')
  ORDER BY job.creation_order`;
