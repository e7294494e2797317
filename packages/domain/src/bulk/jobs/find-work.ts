import type { BulkJobKind, BulkJobOptions, BulkJobSelection, BulkRunMode } from '@causeway/contracts';
import { narrow, type Queryable, type RowOf, sql } from '@causeway/db';
import type { BulkWork, Undoing } from '../chunks/bulk-work.ts';
import type { PlannedWork } from './plan-bulk-job.ts';

/** A job that was started and has not ended, with what is to be done for it. */
export interface FoundWork extends PlannedWork {
  /** `revoke`: its key was revoked. */
  next: 'plan' | 'run' | 'go_on' | 'revoke';
}

/** The jobs for which something is to be done; those that only wait for their import supplier are left out. */
export async function findBulkWork(database: Queryable): Promise<FoundWork[]> {
  const rows = await database.query(FIND_BULK_WORK, {});
  return rows.flatMap((row) => {
    const next = nextOf(row);
    return next === undefined ? [] : [{ ...workOf(row), next }];
  });
}

function nextOf({ state, is_ongoing, is_revoked }: RowOf<typeof FIND_BULK_WORK>): FoundWork['next'] | undefined {
  if (state === 'PLANNING') return 'plan';
  if (state === 'RUNNING') return is_revoked ? 'revoke' : 'run';
  return is_ongoing ? 'go_on' : undefined;
}

function workOf(row: RowOf<typeof FIND_BULK_WORK>): PlannedWork {
  const {
    api_key_id: apiKeyId,
    organisation_id,
    state: _state,
    is_ongoing: _isOngoing,
    is_revoked: _isRevoked,
    ...work
  } = row;
  const ofOrganisation = organisation_id !== null && { kind: 'organisation' as const, organisationId: organisation_id };
  return {
    ...work,
    undoing: work.selection.undoing,
    actor: ofOrganisation ? { ...ofOrganisation, apiKeyId } : { kind: 'staff', apiKeyId },
  };
}

/** Whether a lane may take a chunk of the job now; of a job without a rate it always may. */
export async function takeTurn(database: Queryable, { id, run, options }: BulkWork, now: Date): Promise<boolean> {
  const { accounts_per_second } = options;
  if (accounts_per_second === null) return true;
  const [turn] = await database.query(TAKE_TURN, { id, run, accounts_per_second, now });
  return turn !== undefined;
}

/** The jobs with something to do, each with its key, and the key's organisation; none for one of the service team. */
export const FIND_BULK_WORK = sql('find-bulk-work', {
  id: 'uuid',
  kind: narrow<BulkJobKind>('text'),
  import_supplier_code: 'text',
  options: narrow<BulkJobOptions>('jsonb'),
  selection: narrow<BulkJobSelection & { undoing?: Undoing }>('jsonb'),
  state: narrow<'PLANNING' | 'RUNNING' | 'PAUSED'>('text'),
  run: 'integer',
  run_mode: narrow<BulkRunMode>('text'),
  api_key_id: 'uuid',
  organisation_id: 'uuid | null',
  is_ongoing: 'boolean',
  is_revoked: 'boolean',
})`
  SELECT
    job.id,
    job.kind::text,
    job.import_supplier_code,
    job.options,
    job.selection,
    job.state::text,
    job.run,
    job.run_mode::text,
    key.id AS api_key_id,
    key.organisation_id,
    supplier.status = 'ONGOING' AS is_ongoing,
    key.revoked_at IS NOT NULL AS is_revoked
  FROM bulk_jobs AS job
  JOIN api_keys AS key ON key.id = job.run_by
  JOIN import_suppliers AS supplier ON supplier.code = job.import_supplier_code
  WHERE job.state IN ('PLANNING', 'RUNNING')
    OR (job.state = 'PAUSED' AND job.state_reason = 'import_supplier_not_ongoing')
  ORDER BY job.id`;

/**
 * Takes the time of the next chunk of a job with a rate: anyone who gets a row may work on one, and the next one has to
 * wait for as long as its lines take at that rate.
 */
export const TAKE_TURN = sql('take-turn-of-bulk-job', { id: 'uuid' })`
  UPDATE bulk_jobs
  SET next_claim_at = greatest(next_claim_at, ${'now'}::timestamptz) + (
    SELECT coalesce(max(lines), 0) / ${'accounts_per_second'}::double precision * interval '1 second'
    FROM (
      SELECT lines
      FROM bulk_chunks
      WHERE job_id = ${'id'} AND run = ${'run'} AND NOT done
      ORDER BY number
      LIMIT 1
    ) AS next
  )
  WHERE id = ${'id'} AND coalesce(next_claim_at <= ${'now'}, true)
  RETURNING id`;
