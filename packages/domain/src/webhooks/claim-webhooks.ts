import type { Database } from '@causeway/db';
import {
  CLAIM_WEBHOOK_ENDPOINTS,
  type ClaimedEndpoint,
  FIND_WEBHOOK_WORK,
  RENEW_WEBHOOK_LEASES,
} from './claim-webhooks.sql.ts';

/** Whether anything is to be sent now, or is being sent (behaviour 28.2). */
export async function hasWebhookWork(database: Database, now: Date): Promise<boolean> {
  const [work] = await database.query(FIND_WEBHOOK_WORK, { now });
  return work?.found === true;
}

/**
 * Takes endpoints to which something is to be sent, for six seconds (behaviour 28.2): first those that accept what they
 * get, and of the others at most `failing`; none of `except`. Nobody else gets them meanwhile.
 */
export async function claimWebhookEndpoints(
  database: Database,
  { now, healthy, failing, except = [] }: { now: Date; healthy: number; failing: number; except?: readonly string[] },
): Promise<ClaimedEndpoint[]> {
  const claim = (which: { failing: boolean; limit: number }) =>
    database.query(CLAIM_WEBHOOK_ENDPOINTS, { now, except, ...which });
  const claimed = await claim({ failing: false, limit: healthy });
  const limit = Math.min(failing, healthy - claimed.length);
  if (limit <= 0) return claimed;
  return [...claimed, ...(await claim({ failing: true, limit }))];
}

/** Keeps endpoints for another six seconds. Answers the ids of those that are still the caller's to send to. */
export async function renewWebhookLeases(
  database: Database,
  held: readonly Pick<ClaimedEndpoint, 'id' | 'lease'>[],
): Promise<string[]> {
  const values = JSON.stringify(held.map(({ id, lease }) => ({ id, lease })));
  return (await database.query(RENEW_WEBHOOK_LEASES, { held: values })).map(({ id }) => id);
}
