import { WebhookDelivery, WebhookDeliveryRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.6. */
export const sendWebhookAgain = supplierProcedure(WebhookDeliveryRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/deliveries/{message_id}/send-again/',
      tags: ['Webhooks'],
      summary: 'Send webhook again',
      description: 'Sends a message again, whatever its outcome, with the same `webhook-id`. Send an empty object.',
      successDescription: 'The message, which is WAITING.',
    },
    errors: ['webhook_endpoint_does_not_exist', 'webhook_delivery_does_not_exist', 'webhook_endpoint_disabled'],
  })
  .output(answers(WebhookDelivery))
  .mutation(({ ctx, input }) => domain.sendWebhookAgain(ctx, input));
