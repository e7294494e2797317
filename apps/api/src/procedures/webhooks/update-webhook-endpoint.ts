import { UpdateWebhookEndpointRequest, WebhookEndpoint } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.1. */
export const updateWebhookEndpoint = supplierProcedure(UpdateWebhookEndpointRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/update/',
      tags: ['Webhooks'],
      summary: 'Update webhook endpoint',
      description:
        'Changes what you give: the URL, the types of events, or whether anything is sent. An endpoint that is enabled again ' +
        'resumes where it stopped.',
      successDescription: 'The endpoint as it is now.',
    },
    errors: ['webhook_endpoint_does_not_exist', 'webhook_endpoint_already_exists'],
  })
  .output(answers(WebhookEndpoint))
  .mutation(({ ctx, input }) => domain.updateWebhookEndpoint(ctx, input));
