import type { WebhookDisabledReason } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** Endpoints by how they stand, and the oldest event that was not sent yet to those that accept what they get. */
export const COUNT_WEBHOOK_ENDPOINTS = sql('count-webhook-endpoints', {
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
