import type { Queryable, RowOf } from '@causeway/db';
import type { BulkWork } from './bulk-work.ts';
import { FIND_BULK_WORK, TAKE_TURN } from './find-bulk-work.sql.ts';
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
  return { ...work, actor: ofOrganisation ? { ...ofOrganisation, apiKeyId } : { kind: 'staff', apiKeyId } };
}

/** Whether a lane may take a chunk of the job now; of a job without a rate it always may. */
export async function takeTurn(database: Queryable, { id, run, options }: BulkWork, now: Date): Promise<boolean> {
  const { accounts_per_second } = options;
  if (accounts_per_second === null) return true;
  const [turn] = await database.query(TAKE_TURN, { id, run, accounts_per_second, now });
  return turn !== undefined;
}
