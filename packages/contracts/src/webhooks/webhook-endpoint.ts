import { z } from 'zod';
import { EventType } from '../events/event.ts';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';

export const exampleEndpointId = '019ab2f4-6c1d-7e02-8a55-3f0b9c7d1e44';
export const exampleUrl = 'https://hooks.northwind.example/causeway';
/** Not a real secret: it is published. */
export const exampleSecret = 'whsec_ZXhhbXBsZS1zZWNyZXQtc2hvd24tb25jZS1vbmx5IQ==';

/** Whether anything is sent to an endpoint (behaviour 28.1). */
export const WebhookEndpointState = z.enum(['ENABLED', 'DISABLED']);

/** Why an endpoint is disabled (behaviour 28.4). */
export const WebhookDisabledReason = z.enum(['asked', 'failing', 'gone', 'secret_unreadable']);
export type WebhookDisabledReason = z.infer<typeof WebhookDisabledReason>;

const fields = {
  id: field(Uuid, 'The id of the endpoint.', exampleEndpointId),
  url: field(z.string(), 'Where the messages are sent.', exampleUrl),
  description: field(z.string(), 'What the endpoint is for; may be empty.', 'Order desk, live'),
  event_types: field(
    z.array(EventType),
    'The types of the events that are sent; none means all, including types that are added later.',
    ['account.created' as const, 'account.refused' as const],
  ),
  import_suppliers: field(
    z.array(z.string()),
    'The codes of the import suppliers whose events are sent; none means all, including those that are added later.',
  ),
  state: field(WebhookEndpointState, 'ENABLED: events are sent. DISABLED: nothing is sent.', 'ENABLED'),
  disabled_reason: field(
    WebhookDisabledReason.nullable(),
    'Why nothing is sent. `asked`: somebody disabled the endpoint. `failing`: for three days no message was accepted. ' +
      '`gone`: it answered 410. `secret_unreadable`: the service was given another secret of its own; rotate the ' +
      'secret of the endpoint, then enable it. Null while it is ENABLED.',
    null,
  ),
  disabled_at: field(UtcDatetime.nullable(), 'Since when nothing is sent, in UTC; otherwise null.', null),
  failures: field(z.number(), 'How many attempts have failed since the last one that was accepted.', 0),
  failing_since: field(
    UtcDatetime.nullable(),
    'When the first of these attempts failed, in UTC; null if the last one was accepted.',
    null,
  ),
  waiting: field(
    z.number(),
    `How many messages have failed and will be sent again, at most ${limitText(LIMITS.webhook_waiting)}.`,
    0,
  ),
  last_delivered_at: field(
    UtcDatetime.nullable(),
    'When a message was last accepted, in UTC; null if none was.',
    '2026-04-17T09:30:13Z',
  ),
  previous_secret_until: field(
    UtcDatetime.nullable(),
    'After a rotation: until when messages are signed with the previous secret too, in UTC; otherwise null.',
    null,
  ),
  created_at: field(UtcDatetime, 'When the endpoint was created, in UTC.', '2026-04-16T15:02:40Z'),
};

/** An endpoint of an organisation, without its secret (behaviour 28.1). */
export const WebhookEndpoint = z
  .object(fields)
  .apply(documented, 'WebhookEndpoint', 'Where events are sent, which of them, and how it goes.');
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** The only answers that contain a secret. */
export const WebhookEndpointWithSecret = z
  .object({
    ...fields,
    secret: field(
      z.string(),
      'The secret with which the messages are signed. It is shown only once: store it where your receiver reads it.',
      exampleSecret,
    ),
  })
  .apply(
    documented,
    'WebhookEndpointWithSecret',
    'The endpoint with its new secret. Store the secret now: it cannot be shown again.',
  );
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

export const ListWebhookEndpointsResponse = z
  .array(WebhookEndpoint)
  .apply(documented, 'ListWebhookEndpointsResponse', 'The endpoints, oldest first.');
