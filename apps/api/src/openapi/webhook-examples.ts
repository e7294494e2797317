import { WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from '@causeway/contracts';
import type { z } from 'zod';

const exampleOf = (schema: z.ZodType) => schema.meta()?.examples?.[0];
const endpoint = exampleOf(WebhookEndpoint) as WebhookEndpoint;
const withSecret = exampleOf(WebhookEndpointWithSecret) as WebhookEndpointWithSecret;
const delivery = exampleOf(WebhookDelivery) as WebhookDelivery;

const disabled = { ...endpoint, state: 'DISABLED', disabled_reason: 'asked', disabled_at: '2026-04-17T10:02:00Z' };
const due = { ...delivery, next_attempt_at: '2026-04-17T10:02:00Z' };
const tested = {
  ...due,
  ...{ message_id: 'evt_test_019ab2f5-0d3a-7b11-9c04-51e0a7f3d2b8', event_type: 'webhook.test', attempts: 0 },
  ...{ last_attempted_at: null, failure: null, status: null, duration_ms: null, answer: null },
};

const empty = { request: { empty: { summary: 'An empty object', value: {} } } };
const one = (summary: string, value: unknown) => ({ responses: { 200: { example: { summary, value } } } });

/** By operationId: webhook endpoints and their messages. */
export const WEBHOOK_EXAMPLES = {
  createWebhookEndpoint: {
    request: {
      example: {
        summary: 'Two types of events',
        value: { url: endpoint.url, description: endpoint.description, event_types: endpoint.event_types },
      },
    },
    responses: { 201: { example: { summary: 'Created', value: { ...withSecret, last_delivered_at: null } } } },
  },
  listWebhookEndpoints: one('One endpoint', [endpoint]),
  webhookEndpoint: one('It accepts what it gets', endpoint),
  updateWebhookEndpoint: {
    request: { example: { summary: 'Nothing is sent any more', value: { enabled: false } } },
    ...one('Disabled', disabled),
  },
  deleteWebhookEndpoint: { ...empty, ...one('Deleted', endpoint) },
  rotateWebhookSecret: {
    ...empty,
    ...one('Both secrets are good until tomorrow', { ...withSecret, previous_secret_until: '2026-04-18T10:02:00Z' }),
  },
  testWebhookEndpoint: { ...empty, ...one('It will be sent', tested) },
  listWebhookDeliveries: one('One message, which will be sent again', [delivery]),
  sendWebhookAgain: { ...empty, ...one('It will be sent again', due) },
};
