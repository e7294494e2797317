import { LIMITS } from '@causeway/contracts';
import { type Database, fragment, type RowOf, rawSql, sql } from '@causeway/db';
import type { EventPosition } from '../events/read-events.ts';

/** A lane renews it every two seconds: what a dead instance had, others continue with soon after this. */
const LEASED_FOR = rawSql("interval '6 seconds'");
const MOST_WAITING = rawSql(String(LIMITS.webhook_waiting));

const WAITING_OF = fragment`
      SELECT
      FROM webhook_deliveries
      WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'`;

/** An endpoint to which something is to be sent now, and which nobody has. */
const IS_DUE = fragment`endpoint.state = 'ENABLED'
    AND endpoint.deleted_at IS NULL
    AND coalesce(endpoint.not_before <= ${'now'}, true)
    AND (
      EXISTS (${WAITING_OF} AND next_attempt_at <= ${'now'})
      OR (
        EXISTS (
          SELECT
          FROM events AS event
          WHERE event.organisation_id = endpoint.organisation_id
            AND event.id > endpoint.position
        )
        AND NOT EXISTS (${WAITING_OF} OFFSET ${MOST_WAITING} - 1)
      )
    )`;

/** Whether there is anything to send. */
export const FIND_WEBHOOK_WORK = sql('find-webhook-work', { found: 'boolean' })`
  SELECT EXISTS (
    SELECT
    FROM webhook_endpoints AS endpoint
    WHERE ${IS_DUE}
  ) AS found`;

/**
 * Takes up to `limit` endpoints that are due, those first that have waited longest: `failing` ones, or the others, and none
 * of `except`. The lease is measured by the clock of the database, which all instances share.
 */
export const CLAIM_WEBHOOK_ENDPOINTS = sql('claim-webhook-endpoints', {
  id: 'uuid',
  organisation_id: 'uuid',
  lease: 'bigint',
  revision: 'bigint',
  url: 'text',
  event_types: 'text[]',
  import_suppliers: 'text[]',
  secret: 'bytea | null',
  previous_secret: 'bytea | null',
  secret_unreadable_since: 'timestamptz | null',
  position: 'bigint',
  failures: 'integer',
  failing_since: 'timestamptz | null',
  waiting: 'integer | null',
})`
  WITH due AS MATERIALIZED (
    SELECT id
    FROM webhook_endpoints AS endpoint
    WHERE ${IS_DUE}
      AND coalesce(endpoint.leased_until <= clock_timestamp(), true)
      AND (endpoint.failures > 0) = ${'failing'}::boolean
      AND endpoint.id <> ALL (${'except'}::uuid[])
    ORDER BY endpoint.worked_at NULLS FIRST
    LIMIT ${'limit'}
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE webhook_endpoints AS endpoint
  SET
    lease = endpoint.lease + 1,
    leased_until = clock_timestamp() + ${LEASED_FOR},
    worked_at = clock_timestamp()
  FROM due
  WHERE endpoint.id = due.id
  RETURNING
    endpoint.id,
    endpoint.organisation_id,
    endpoint.lease,
    endpoint.revision,
    endpoint.url,
    endpoint.event_types,
    endpoint.import_suppliers,
    endpoint.secret,
    CASE WHEN endpoint.previous_secret_until > ${'now'} THEN endpoint.previous_secret END AS previous_secret,
    endpoint.secret_unreadable_since,
    endpoint.position,
    endpoint.failures,
    endpoint.failing_since,
    (
      SELECT count(*)::integer
      FROM webhook_deliveries
      WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'
    ) AS waiting`;
export type ClaimedEndpoint = RowOf<typeof CLAIM_WEBHOOK_ENDPOINTS>;

/** Those of the claims that still count; one of an endpoint that was given back, disabled or deleted does not. */
export const RENEW_WEBHOOK_LEASES = sql('renew-webhook-leases', { id: 'uuid' })`
  UPDATE webhook_endpoints AS endpoint
  SET leased_until = clock_timestamp() + ${LEASED_FOR}
  FROM json_to_recordset(${'held'}::json) AS held (id uuid, lease bigint)
  WHERE endpoint.id = held.id
    AND endpoint.lease = held.lease
    AND endpoint.leased_until IS NOT NULL
    AND endpoint.state = 'ENABLED'
    AND endpoint.deleted_at IS NULL
  RETURNING endpoint.id`;

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
/** A message to send now. */
export interface PendingMessage {
  message_id: string;
  /** Messages with the same key are about the same account: they are sent in their order. */
  key: string;
  event_type: string;
  /** Undefined if its event was removed meanwhile. */
  body: string | undefined;
  /** Only of a test, which is no event. */
  payload: Record<string, unknown> | null;
  /** The place of its event; null for a test. */
  position: EventPosition | null;
  /** Whether it is sent for the first time. */
  isNew: boolean;
  /** How often it was sent before, and since when its three days count; null: from now on. */
  attempts: number;
  since: Date | null;
}
