import { WebhookEndpointRequest, WebhookEndpointWithSecret } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.3. */
export const rotateWebhookSecret = supplierProcedure(WebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/rotate-secret/',
      tags: ['Webhooks'],
      summary: 'Rotate webhook secret',
      description:
        'Gives an endpoint a new secret, which is shown only in this answer. For 24 hours each message is signed with both, so ' +
        'that your receiver can change at leisure; a second rotation in that time ends the first secret at once. Send an ' +
        'empty object. An `Idempotency-Key` is ignored: no secret is kept.',
      successDescription: 'The endpoint with its new secret.',
    },
    ignoresIdempotencyKey: true,
    errors: ['webhook_endpoint_does_not_exist'],
  })
  .output(answers(WebhookEndpointWithSecret))
  .mutation(({ ctx, input }) => domain.rotateWebhookSecret(ctx, input));
