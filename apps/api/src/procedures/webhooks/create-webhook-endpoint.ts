import { CreateWebhookEndpointRequest, WebhookEndpointWithSecret } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.1. */
export const createWebhookEndpoint = supplierProcedure(CreateWebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/',
      tags: ['Webhooks'],
      summary: 'Create webhook endpoint',
      description:
        'From now on the events of your organisation are sent to this URL. The secret that signs them is shown only in this ' +
        'answer. An `Idempotency-Key` is ignored, since no secret is kept; a repeat is refused, because an endpoint with ' +
        'the URL exists.',
      successDescription: 'The endpoint with its secret.',
    },
    successStatus: 201,
    ignoresIdempotencyKey: true,
    errors: ['webhook_endpoint_already_exists', 'too_many_webhook_endpoints', 'webhooks_not_possible'],
  })
  .output(answers(WebhookEndpointWithSecret))
  .mutation(({ ctx, input }) => domain.createWebhookEndpoint(ctx, input));
