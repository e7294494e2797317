import { ListWebhookDeliveriesRequest, ListWebhookDeliveriesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.6. */
export const listWebhookDeliveries = supplierProcedure(ListWebhookDeliveriesRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/webhook-endpoints/{webhook_endpoint_id}/deliveries/',
      tags: ['Webhooks'],
      summary: 'List webhook deliveries',
      description:
        'What happened to the messages of an endpoint, newest first: whether it accepted them, what it answered, and when a ' +
        'message is sent again.',
      successDescription: 'The messages.',
    },
    list: 'pages',
    errors: ['webhook_endpoint_does_not_exist', 'webhook_delivery_does_not_exist'],
  })
  .output(answers(ListWebhookDeliveriesResponse))
  .query(answerPage(domain.listWebhookDeliveries));
