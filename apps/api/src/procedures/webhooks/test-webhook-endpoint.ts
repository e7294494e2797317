import { WebhookDelivery, WebhookEndpointRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.6. */
export const testWebhookEndpoint = supplierProcedure(WebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/test/',
      tags: ['Webhooks'],
      summary: 'Test webhook endpoint',
      description:
        'Sends a message of the type `webhook.test`, within a second or so: the former one again, if it still waits. List ' +
        'the messages of the endpoint to see what happened to it. Send an empty object.',
      successDescription: 'The message, which is WAITING.',
    },
    errors: ['webhook_endpoint_does_not_exist', 'webhook_endpoint_disabled'],
  })
  .output(answers(WebhookDelivery))
  .mutation(({ ctx, input }) => domain.testWebhookEndpoint(ctx, input));
