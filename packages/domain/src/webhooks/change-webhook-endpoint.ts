import type {
  UpdateWebhookEndpointRequest,
  WebhookEndpoint,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
} from '@causeway/contracts';
import { fragment, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { checkWebhookUrl } from './address-rules.ts';
import { refuseTaken } from './create-webhook-endpoint.ts';
import {
  findWebhookEndpoint,
  getWebhookEndpoint,
  noWebhookEndpoint,
  refuseOtherSuppliers,
  sortedOnce,
  type WebhookContext,
  webhookEndpointRecord,
} from './find-webhook-endpoint.ts';
import { newWebhookSecret } from './secret-box.ts';

/** How long the previous secret is valid beside the new one. */
const BOTH_VALID_MS = 24 * 60 * 60 * 1_000;

/**
 * Changes what is given (behaviour 28.1). An endpoint that is enabled again resumes where it stopped. Refuses with
 * `webhook_endpoint_does_not_exist`, `webhook_endpoint_already_exists`, and `request_failed_validation` for a URL that
 * is not allowed or an import supplier that the organisation does not have.
 */
export async function updateWebhookEndpoint(
  context: WebhookContext,
  { webhook_endpoint_id, ...change }: UpdateWebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  const { id, organisation_id } = await findWebhookEndpoint(context, webhook_endpoint_id);
  const { description = null, enabled = null } = change;
  const url = change.url === undefined ? null : checkWebhookUrl(change.url, context.webhooks.addresses);
  const event_types = change.event_types === undefined ? null : sortedOnce(change.event_types);
  const import_suppliers = change.import_suppliers === undefined ? null : sortedOnce(change.import_suppliers);
  await refuseOtherSuppliers(context, { organisation_id, import_suppliers: change.import_suppliers ?? [] });
  const detail = {
    ...(url !== null && { host: new URL(url).host }),
    ...(event_types !== null && { event_types }),
    ...(import_suppliers !== null && { import_suppliers }),
    ...(enabled !== null && { enabled }),
  };
  const values = { ...auditValues(context, id), url, description, event_types, import_suppliers, enabled };
  const [changed] = await context.database
    .query(UPDATE_WEBHOOK_ENDPOINT, { ...values, detail: JSON.stringify(detail) })
    .catch(refuseTaken);
  if (changed === undefined) throw noWebhookEndpoint('webhook_endpoint_id');
  return getWebhookEndpoint(context, { webhook_endpoint_id });
}

/**
 * Deletes an endpoint (behaviour 28.1): within three seconds nothing more is begun to be sent. Answers it as it was.
 * Refuses with `webhook_endpoint_does_not_exist`.
 */
export async function deleteWebhookEndpoint(
  context: Context,
  { webhook_endpoint_id }: WebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(context, webhook_endpoint_id);
  const [deleted] = await context.database.query(DELETE_WEBHOOK_ENDPOINT, auditValues(context, endpoint.id));
  if (deleted === undefined) throw noWebhookEndpoint('webhook_endpoint_id');
  return webhookEndpointRecord(endpoint, context.clock());
}

/**
 * Gives an endpoint another secret; for 24 hours messages are signed with the former one too (behaviour 28.3). The
 * secret is in this answer only. Refuses with `webhook_endpoint_does_not_exist`.
 */
export async function rotateWebhookSecret(
  context: WebhookContext,
  { webhook_endpoint_id }: WebhookEndpointRequest,
): Promise<WebhookEndpointWithSecret> {
  const { id } = await findWebhookEndpoint(context, webhook_endpoint_id);
  const secret = newWebhookSecret();
  const [rotated] = await context.database.query(ROTATE_WEBHOOK_SECRET, {
    ...auditValues(context, id),
    secret: context.webhooks.secrets.seal(secret),
    until: new Date(context.clock().getTime() + BOTH_VALID_MS),
  });
  if (rotated === undefined) throw noWebhookEndpoint('webhook_endpoint_id');
  return { ...(await getWebhookEndpoint(context, { webhook_endpoint_id })), secret };
}

const EXISTING = fragment`id = ${'id'} AND deleted_at IS NULL`;

/**
 * Changes what is given; the rest is null. What is under way says no more how the endpoint stands. An endpoint that is enabled resumes where it stopped: what waits is due at once,
 * for another three days. No row: it does not exist.
 */
const UPDATE_WEBHOOK_ENDPOINT = sql('update-webhook-endpoint', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET
      url = coalesce(${'url'}, url),
      description = coalesce(${'description'}, description),
      event_types = coalesce(${'event_types'}, event_types),
      import_suppliers = coalesce(${'import_suppliers'}, import_suppliers),
      state = CASE ${'enabled'}::boolean WHEN true THEN 'ENABLED' WHEN false THEN 'DISABLED' ELSE state END,
      disabled_reason = CASE
        WHEN ${'enabled'} THEN NULL
        WHEN NOT ${'enabled'} THEN coalesce(disabled_reason, 'asked')
        ELSE disabled_reason
      END,
      disabled_at = CASE
        WHEN ${'enabled'} THEN NULL
        WHEN NOT ${'enabled'} THEN coalesce(disabled_at, ${'at'})
        ELSE disabled_at
      END,
      failures = CASE WHEN ${'enabled'} THEN 0 ELSE failures END,
      failing_since = CASE WHEN ${'enabled'} THEN NULL ELSE failing_since END,
      not_before = CASE WHEN ${'enabled'} OR ${'url'}::text IS NOT NULL THEN NULL ELSE not_before END,
      secret_unreadable_since = CASE WHEN ${'enabled'} THEN NULL ELSE secret_unreadable_since END,
      revision = revision + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  due AS (
    UPDATE webhook_deliveries
    SET next_attempt_at = ${'at'}, retried_since = ${'at'}
    WHERE webhook_endpoint_id = (SELECT id FROM changed) AND state = 'WAITING' AND ${'enabled'}
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'webhook_endpoint', 'updated', ${'detail'}::jsonb FROM changed)
  SELECT id FROM changed`;

/** Nothing is sent any more, and nobody knows its secrets any more. No row: it does not exist. */
const DELETE_WEBHOOK_ENDPOINT = sql('delete-webhook-endpoint', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET deleted_at = ${'at'}, secret = NULL, previous_secret = NULL, previous_secret_until = NULL, lease = lease + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'webhook_endpoint', 'deleted', NULL FROM changed)
  SELECT id FROM changed`;

/** The secret becomes the previous one, unless it cannot be read any more. No row: the endpoint does not exist. */
const ROTATE_WEBHOOK_SECRET = sql('rotate-webhook-secret', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET
      secret = ${'secret'},
      previous_secret = secret,
      previous_secret_until = ${'until'},
      secret_unreadable_since = NULL,
      revision = revision + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'webhook_endpoint', 'secret_rotated', NULL FROM changed)
  SELECT id FROM changed`;
