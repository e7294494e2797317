import type { WebhookDisabledReason, WebhookEndpoint } from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';

const COLUMNS = {
  id: 'uuid',
  organisation_id: 'uuid',
  url: 'text',
  description: 'text',
  event_types: narrow<WebhookEndpoint['event_types']>('text[]'),
  import_suppliers: 'text[]',
  state: narrow<WebhookEndpoint['state']>('text'),
  disabled_reason: narrow<WebhookDisabledReason | null>('text | null'),
  disabled_at: 'timestamptz | null',
  failures: 'integer',
  failing_since: 'timestamptz | null',
  last_delivered_at: 'timestamptz | null',
  previous_secret_until: 'timestamptz | null',
  created_at: 'timestamptz',
  waiting: 'integer',
} as const;

const RECORD = fragment`
  SELECT
    id,
    organisation_id,
    url,
    description,
    event_types,
    import_suppliers,
    state::text,
    disabled_reason,
    disabled_at,
    failures,
    failing_since,
    last_delivered_at,
    previous_secret_until,
    created_at,
    (
      SELECT count(*)::integer
      FROM webhook_deliveries
      WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'
    ) AS waiting
  FROM webhook_endpoints AS endpoint`;

export const READ_WEBHOOK_ENDPOINT = sql('read-webhook-endpoint', COLUMNS)`${RECORD}
  WHERE id = ${'id'} AND deleted_at IS NULL`;
export type WebhookEndpointRow = RowOf<typeof READ_WEBHOOK_ENDPOINT>;

export const LIST_WEBHOOK_ENDPOINTS = sql('list-webhook-endpoints', COLUMNS)`${RECORD}
  WHERE organisation_id = ${'organisation_id'} AND deleted_at IS NULL
  ORDER BY id`;
