import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { EventType } from '../events/event.ts';
import { documented, field, optional } from '../field.ts';
import { Uuid } from '../formats.ts';
import { NamedInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { afterLast } from '../paging.ts';
import { shapedText, textOrEmpty } from '../text.ts';
import { exampleMessageId, WebhookDeliveryState } from './webhook-delivery.ts';
import { exampleEndpointId, exampleUrl } from './webhook-endpoint.ts';

const exampleOrganisationId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
/** Only the general form: the service checks scheme, port and address. An escaped slash is no pattern everywhere. */
const URL_FORM = /^https?:[/]{2}[^\s@#/][^\s@#]*$/;
const url = field(
  shapedText(LIMITS.webhook_url, URL_FORM, 'Must be an https address without a user name, password or fragment.'),
  `Where the messages are sent: an https address of at most ${limitText(LIMITS.webhook_url)} characters, on port 443 or 8443, that leads to a public address. No two endpoints of an organisation have the same.`,
  exampleUrl,
);
const description = optional(textOrEmpty(LIMITS.name), 'What the endpoint is for. Default: empty.', 'Order desk, live');
const eventTypes = optional(
  list(EventType, LIMITS.webhook_event_types),
  'The types of the events to send. None, the default: all, including types that are added later.',
  ['account.created', 'account.refused'],
);
const importSuppliers = optional(
  list(NamedInPath, LIMITS.webhook_import_suppliers),
  'The codes of the import suppliers whose events to send: an endpoint for each keeps many events of one from delaying those ' +
    'of another. None, the default: all, including those that are added later.',
  ['NORTHWIND-2026'],
);
const endpointId = field(NamedInPath, 'The `id` of the endpoint.', exampleEndpointId);
const messageId = field(NamedInPath, 'The `message_id` of the message.', exampleMessageId);

const organisationId = optional(
  Uuid,
  'For the service team only: the organisation whose endpoints are meant. Yours are your own.',
  exampleOrganisationId,
);

/** The request of a supplier that creates an endpoint (behaviour 28.1). */
export const CreateWebhookEndpointRequest = z
  .object({
    ...{ url, description, event_types: eventTypes, import_suppliers: importSuppliers },
    organisation_id: organisationId,
  })
  .meta({
    id: 'CreateWebhookEndpointRequest',
    description: 'Creates an endpoint: from now on events are sent there.',
    examples: [{ url: exampleUrl, event_types: ['account.created', 'account.refused'] }],
  });
export type CreateWebhookEndpointRequest = z.infer<typeof CreateWebhookEndpointRequest>;

export const ListWebhookEndpointsRequest = z.object({ organisation_id: organisationId }).meta({
  id: 'ListWebhookEndpointsRequest',
  description: 'Asks for the endpoints of your organisation.',
  examples: [{}],
});
export type ListWebhookEndpointsRequest = z.infer<typeof ListWebhookEndpointsRequest>;

/** The request about one endpoint. */
export const WebhookEndpointRequest = z
  .object({ webhook_endpoint_id: endpointId })
  .apply(documented, 'WebhookEndpointRequest', 'Names an endpoint.');
export type WebhookEndpointRequest = z.infer<typeof WebhookEndpointRequest>;

/** The request that changes an endpoint (behaviour 28.1). */
export const UpdateWebhookEndpointRequest = z
  .object({
    webhook_endpoint_id: endpointId,
    url: url.optional(),
    description,
    event_types: eventTypes,
    import_suppliers: importSuppliers,
    enabled: optional(
      z.boolean(),
      'False: nothing is sent any more. True: what was not sent meanwhile is sent, as far as it is still kept.',
      true,
    ),
  })
  .meta({
    id: 'UpdateWebhookEndpointRequest',
    description: 'Changes an endpoint: only what is given.',
    examples: [{ webhook_endpoint_id: exampleEndpointId, enabled: true }],
  });
export type UpdateWebhookEndpointRequest = z.infer<typeof UpdateWebhookEndpointRequest>;

/** The request for what happened to the messages of an endpoint (behaviour 28.6). */
export const ListWebhookDeliveriesRequest = z
  .object({
    webhook_endpoint_id: endpointId,
    state: optional(WebhookDeliveryState, 'Only messages in this state. Default: all.', 'GIVEN_UP'),
    limit: optional(
      wholeNumber(1, LIMITS.webhook_deliveries),
      `The maximum number of messages to return, 1 to ${limitText(LIMITS.webhook_deliveries)}. Default: ${LIMITS.webhook_deliveries_default}. While there are more, a \`Link\` header has the next page.`,
      100,
    ),
    after: afterLast(NamedInPath, '`message_id` of the last message', exampleMessageId),
  })
  .meta({
    id: 'ListWebhookDeliveriesRequest',
    description: 'Asks what happened to the messages of an endpoint, newest first.',
    examples: [{ webhook_endpoint_id: exampleEndpointId, state: 'GIVEN_UP' }],
  });
export type ListWebhookDeliveriesRequest = z.infer<typeof ListWebhookDeliveriesRequest>;

/** The request about one message of an endpoint. */
export const WebhookDeliveryRequest = z
  .object({ webhook_endpoint_id: endpointId, message_id: messageId })
  .apply(documented, 'WebhookDeliveryRequest', 'Names a message of an endpoint.');
export type WebhookDeliveryRequest = z.infer<typeof WebhookDeliveryRequest>;
