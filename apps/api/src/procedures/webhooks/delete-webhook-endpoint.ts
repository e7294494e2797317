import { WebhookEndpoint, WebhookEndpointRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.1. */
export const deleteWebhookEndpoint = supplierProcedure(WebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/delete/',
      tags: ['Webhooks'],
      summary: 'Delete webhook endpoint',
      description:
        'Deletes an endpoint for good: within a few seconds nothing is sent to it any more. Send an empty object.',
      successDescription: 'The endpoint as it was.',
    },
    errors: ['webhook_endpoint_does_not_exist'],
  })
  .output(answers(WebhookEndpoint))
  .mutation(({ ctx, input }) => domain.deleteWebhookEndpoint(ctx, input));
