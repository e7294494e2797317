import { WebhookEndpoint, WebhookEndpointRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.1. */
export const webhookEndpoint = supplierProcedure(WebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/',
      tags: ['Webhooks'],
      summary: 'Read webhook endpoint',
      description: 'One webhook endpoint, and how it goes: what has failed, since when, and what waits.',
      successDescription: 'The endpoint.',
    },
    errors: ['webhook_endpoint_does_not_exist'],
  })
  .output(answers(WebhookEndpoint))
  .query(({ ctx, input }) => domain.getWebhookEndpoint(ctx, input));
