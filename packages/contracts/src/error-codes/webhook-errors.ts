import { LIMITS } from '../limits.ts';
import type { ErrorRow } from './error-row.ts';

const OF_ENDPOINT = 'webhook_endpoint_id';

/** Refusals of requests about webhooks. */
export const WEBHOOK_ERRORS = {
  webhook_endpoint_does_not_exist: {
    status: 404,
    when: 'Your organisation has no webhook endpoint with this id.',
    cause: 'A misspelt id, an endpoint that was deleted, or an API key of a different organisation.',
    remedy: 'List the webhook endpoints and take the id from there.',
    example: { detail: 'There is no webhook endpoint with this id.', errors: OF_ENDPOINT },
  },
  webhook_endpoint_already_exists: {
    status: 409,
    when: 'Another webhook endpoint of the organisation has this URL.',
    cause: 'It was created before, perhaps by a request whose answer was lost.',
    remedy: 'List the webhook endpoints and use the existing one; if you do not have its secret, rotate it.',
    example: { detail: 'A webhook endpoint with this URL exists already.', errors: 'url' },
  },
  too_many_webhook_endpoints: {
    status: 409,
    when: `The organisation has ${LIMITS.webhook_endpoints} webhook endpoints.`,
    cause: 'Endpoints that nobody needs any more.',
    remedy: 'Delete one of them, then send the request again.',
    example: { detail: `The organisation has ${LIMITS.webhook_endpoints} webhook endpoints: delete one.` },
  },
  webhooks_not_possible: {
    status: 409,
    when: 'The service records no events, so that there is nothing to send.',
    cause: 'Its operator has switched events off (`EVENT_DAYS` is 0).',
    remedy: 'Ask the service team whether events can be recorded; read the lists meanwhile.',
    example: { detail: 'This service records no events (EVENT_DAYS is 0): there is nothing to send.' },
  },
  webhook_endpoint_disabled: {
    status: 409,
    when: 'The webhook endpoint is DISABLED, so that nothing is sent to it.',
    cause: 'Somebody disabled it, or the service did, because for three days no message was accepted.',
    remedy: 'Enable the endpoint, then send the request again.',
    example: { detail: 'The webhook endpoint is disabled: enable it first.', errors: OF_ENDPOINT },
  },
  webhook_delivery_does_not_exist: {
    status: 404,
    when: 'The webhook endpoint has no message with this id.',
    cause: 'A misspelt id, an event that was not yet sent, or one that is so old that it was removed.',
    remedy: 'List the messages of the endpoint and take the id from there.',
    example: { detail: 'There is no message with this id.', errors: 'message_id' },
  },
} as const satisfies Record<string, ErrorRow>;
