import { randomUUIDv7 } from 'node:crypto';
import { type CreateWebhookEndpointRequest, LIMITS, type WebhookEndpointWithSecret } from '@causeway/contracts';
import { isUniqueViolation, sql } from '@causeway/db';
import { currentEventPosition } from '../events/read-events.ts';
import { organisationOf } from '../organisations/organisations.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import { DomainError } from '../shared/errors.ts';
import { checkWebhookUrl } from './address-rules.ts';
import {
  findWebhookEndpoint,
  refuseOtherSuppliers,
  sortedOnce,
  type WebhookContext,
  webhookEndpointRecord,
} from './find-webhook-endpoint.ts';
import { newWebhookSecret } from './secret-box.ts';

/**
 * Creates an endpoint of the caller's organisation or, by the service team, of `organisation_id` (behaviour 28.1). The
 * secret is in this answer only. Refuses with `request_failed_validation` for a URL that is not allowed or an import
 * supplier that the organisation does not have,
 * `webhook_endpoint_already_exists`, `too_many_webhook_endpoints` and `webhooks_not_possible`.
 */
export async function createWebhookEndpoint(
  context: WebhookContext,
  request: CreateWebhookEndpointRequest,
): Promise<WebhookEndpointWithSecret> {
  const { description = '', event_types = [], import_suppliers = [] } = request;
  const organisation_id = await organisationOf(context, request);
  const { webhooks, database } = context;
  const url = checkWebhookUrl(request.url, webhooks.addresses);
  await refuseOtherSuppliers(context, { organisation_id, import_suppliers });
  const id = randomUUIDv7();
  const secret = newWebhookSecret();
  await database
    .transaction(async (transaction) => {
      await transaction.query(LOCK_ORGANISATION, { organisation_id });
      const [room] = await transaction.query(READ_ROOM_FOR_ENDPOINT, { organisation_id });
      if (room?.is_recorded === false) throw nothingToSend();
      refuseTooMany(room?.endpoints ?? 0);
      await transaction.query(CREATE_WEBHOOK_ENDPOINT, {
        ...auditValues(context, id),
        ...{ organisation_id, url, host: new URL(url).host, description },
        event_types: sortedOnce(event_types),
        import_suppliers: sortedOnce(import_suppliers),
        secret: webhooks.secrets.seal(secret),
        // What is committed from now on is sent.
        position: await currentEventPosition(transaction, organisation_id),
      });
    })
    .catch(refuseTaken);
  return { ...webhookEndpointRecord(await findWebhookEndpoint(context, id), context.clock()), secret };
}

function nothingToSend(): DomainError {
  const detail = 'This service records no events (EVENT_DAYS is 0): there is nothing to send.';
  return new DomainError('webhooks_not_possible', detail);
}

function refuseTooMany(endpoints: number): void {
  if (endpoints < LIMITS.webhook_endpoints) return;
  const detail = `The organisation has ${endpoints} webhook endpoints: delete one.`;
  throw new DomainError('too_many_webhook_endpoints', detail);
}

/** What a write has failed with, as a refusal if another endpoint has the URL. */
export function refuseTaken(error: unknown): never {
  if (!isUniqueViolation(error, 'webhook_endpoints_organisation_id_url_key')) throw error;
  const detail = 'A webhook endpoint with this URL exists already.';
  throw new DomainError('webhook_endpoint_already_exists', detail, { attr: 'url', cause: error });
}

/** One creation at a time: they count what there is. */
const LOCK_ORGANISATION = sql('lock-organisation-for-webhooks', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || ${'organisation_id'}, 0)) AS lock`;

/** Whether an organisation may have another endpoint: how many it has, and whether there are events to send. */
const READ_ROOM_FOR_ENDPOINT = sql('read-room-for-webhook-endpoint', {
  endpoints: 'integer | null',
  is_recorded: 'boolean | null',
})`
  SELECT
    (
      SELECT count(*)::integer
      FROM webhook_endpoints
      WHERE organisation_id = ${'organisation_id'} AND deleted_at IS NULL
    ) AS endpoints,
    (SELECT is_recorded FROM event_settings) AS is_recorded`;

const CREATE_WEBHOOK_ENDPOINT = sql('create-webhook-endpoint')`
  WITH created AS (
    INSERT INTO webhook_endpoints (
      id, organisation_id, url, description, event_types, import_suppliers, secret, position, created_by, created_at
    )
    VALUES (
      ${'id'},
      ${'organisation_id'},
      ${'url'},
      ${'description'},
      ${'event_types'},
      ${'import_suppliers'},
      ${'secret'},
      ${'position'},
      ${'api_key_id'},
      ${'at'}
    )
    RETURNING id
  )
  INSERT INTO audit_events ${AUDITED} 'webhook_endpoint', 'created',
    jsonb_build_object('organisation_id', ${'organisation_id'}::text, 'host', ${'host'}::text)
  FROM created`;
