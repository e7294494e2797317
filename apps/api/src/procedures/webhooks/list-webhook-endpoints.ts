import { ListWebhookEndpointsRequest, ListWebhookEndpointsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 28.1. */
export const listWebhookEndpoints = supplierProcedure(ListWebhookEndpointsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/webhook-endpoints/',
      tags: ['Webhooks'],
      summary: 'List webhook endpoints',
      description: 'The webhook endpoints of your organisation, oldest first, without their secrets.',
      successDescription: 'The endpoints.',
    },
  })
  .output(answers(ListWebhookEndpointsResponse))
  .query(({ ctx, input }) => domain.listWebhookEndpoints(ctx, input));
