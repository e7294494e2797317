import { WebhookDisabledReason } from '@causeway/contracts';
import { type Database, narrow, sql } from '@causeway/db';

/** How the webhook endpoints of all organisations stand. */
export interface WebhookCounts {
  accepting: number;
  failing: number;
  disabled: Readonly<Record<WebhookDisabledReason, number>>;
  /** How long ago the oldest event happened that was not sent yet to an endpoint that accepts what it gets. */
  oldestUnsentSeconds: number;
}

/** For the metrics (behaviour 28.4, 16.9). All reasons, always: a series that appears has no former value. */
export async function countWebhookEndpoints(database: Database, now: Date): Promise<WebhookCounts> {
  const disabled = Object.fromEntries(WebhookDisabledReason.options.map((reason) => [reason, 0]));
  const counts = { accepting: 0, failing: 0 };
  let oldest = now.getTime();
  for (const { standing, disabled_reason, count, oldest_unsent_at } of await database.query(
    COUNT_WEBHOOK_ENDPOINTS,
    {},
  )) {
    if (standing === 'disabled') disabled[disabled_reason ?? 'asked'] = count;
    else counts[standing] = count;
    oldest = Math.min(oldest, oldest_unsent_at?.getTime() ?? oldest);
  }
  return {
    ...counts,
    disabled: disabled as WebhookCounts['disabled'],
    oldestUnsentSeconds: (now.getTime() - oldest) / 1_000,
  };
}

/** Endpoints by how they stand, and the oldest event that was not sent yet to those that accept what they get. */
const COUNT_WEBHOOK_ENDPOINTS = sql('count-webhook-endpoints', {
  standing: narrow<'accepting' | 'failing' | 'disabled'>('text'),
  disabled_reason: narrow<WebhookDisabledReason | null>('text | null'),
  count: 'integer',
  oldest_unsent_at: 'timestamptz | null',
})`
  SELECT
    standing,
    disabled_reason,
    count(*)::integer AS count,
    min(unsent.occurred_at) AS oldest_unsent_at
  FROM webhook_endpoints AS endpoint
  CROSS JOIN LATERAL (
    SELECT CASE
      WHEN state = 'DISABLED' THEN 'disabled'
      WHEN failures > 0 THEN 'failing'
      ELSE 'accepting'
    END AS standing
  ) AS judged
  LEFT JOIN LATERAL (
    SELECT occurred_at
    FROM events
    WHERE organisation_id = endpoint.organisation_id AND id > endpoint.position AND standing = 'accepting'
    ORDER BY id
    LIMIT 1
  ) AS unsent ON true
  WHERE deleted_at IS NULL
  GROUP BY standing, disabled_reason`;
