import type { ListWebhookEndpointsRequest, WebhookEndpoint, WebhookEndpointRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { organisationOf } from '../organisations/organisation-of.ts';
import { findWebhookEndpoint, webhookEndpointRecord } from './find-webhook-endpoint.ts';
import { LIST_WEBHOOK_ENDPOINTS } from './webhook-endpoint.sql.ts';

/** The endpoints of an organisation, oldest first (behaviour 28.1). Refuses as `organisationOf` does. */
export async function listWebhookEndpoints(
  context: Context,
  request: ListWebhookEndpointsRequest,
): Promise<WebhookEndpoint[]> {
  const organisation_id = await organisationOf(context, request);
  const rows = await context.database.query(LIST_WEBHOOK_ENDPOINTS, { organisation_id });
  return rows.map((row) => webhookEndpointRecord(row, context.clock()));
}

/** One endpoint (behaviour 28.1). Refuses with `webhook_endpoint_does_not_exist`. */
export async function getWebhookEndpoint(
  context: Context,
  { webhook_endpoint_id }: WebhookEndpointRequest,
): Promise<WebhookEndpoint> {
  return webhookEndpointRecord(await findWebhookEndpoint(context, webhook_endpoint_id), context.clock());
}
