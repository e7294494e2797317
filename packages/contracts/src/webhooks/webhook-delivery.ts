import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';

export const exampleMessageId = 'evt_6f1d0c5be0a64b6f9c2e52b8d1b7a904';

/** How the sending of one event to one endpoint stands (behaviour 28.4). */
export const WebhookDeliveryState = z.enum(['WAITING', 'DELIVERED', 'GIVEN_UP']);

/** Why an attempt failed (behaviour 28.5). */
export const WebhookFailure = z.enum([
  'status',
  'redirected',
  'timed_out',
  'connection_failed',
  'name_not_found',
  'certificate_refused',
  'address_not_allowed',
]);
export type WebhookFailure = z.infer<typeof WebhookFailure>;

/** What happened to one message (behaviour 28.6). */
export const WebhookDelivery = z
  .object({
    message_id: field(
      z.string(),
      'The `webhook-id` of the message: the id of the event, the same at every attempt and every endpoint.',
      exampleMessageId,
    ),
    event_type: field(z.string(), 'The type of the event.', 'account.created'),
    state: field(
      WebhookDeliveryState,
      'DELIVERED: it was accepted. WAITING: it will be sent, or sent again, at `next_attempt_at`. GIVEN_UP: for three days it was not accepted; send it again by hand.',
      'WAITING',
    ),
    attempts: field(z.number(), 'How often it was sent.', 2),
    created_at: field(
      UtcDatetime,
      'When its first attempt was recorded, or its test was asked for, in UTC.',
      '2026-04-17T09:30:13Z',
    ),
    last_attempted_at: field(
      UtcDatetime.nullable(),
      'When it was last sent, in UTC; null before the first attempt.',
      '2026-04-17T09:30:19Z',
    ),
    next_attempt_at: field(
      UtcDatetime.nullable(),
      'When it will be sent again, in UTC; null unless it is WAITING.',
      '2026-04-17T09:30:51Z',
    ),
    failure: field(
      WebhookFailure.nullable(),
      'Why the last attempt failed. `status`: the answer was not 2xx. `redirected`: it was 3xx; redirects are not ' +
        'followed. `timed_out`: no answer in time, of the receiver or about its host name. `connection_failed`: no connection, or one that was cut. ' +
        '`name_not_found`: the host name has no address, or none that webhooks may be sent to. `certificate_refused`: TLS failed. ' +
        '`address_not_allowed`: the host is an address of a private network. Null if it did not fail.',
      'status',
    ),
    status: field(z.number().nullable(), 'The status of the last answer; null if there was none.', 503),
    duration_ms: field(z.number().nullable(), 'How long the last attempt took, in milliseconds.', 41),
    answer: field(
      z.string().nullable(),
      `The first ${limitText(LIMITS.webhook_answer_bytes)} bytes of the last answer’s body; null if there was none.`,
      'Service Unavailable',
    ),
  })
  .apply(documented, 'WebhookDelivery', 'What happened to one event at one endpoint.');
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const ListWebhookDeliveriesResponse = z
  .array(WebhookDelivery)
  .apply(documented, 'ListWebhookDeliveriesResponse', 'The messages of the endpoint, newest first.');
