import { randomUUIDv7 } from 'node:crypto';
import {
  LIMITS,
  type ListWebhookDeliveriesRequest,
  type WebhookDelivery,
  type WebhookDeliveryRequest,
  type WebhookEndpointRequest,
} from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { cutPage } from '../shared/list-page.ts';
import { findWebhookEndpoint } from './find-webhook-endpoint.ts';
import {
  BEGIN_WEBHOOK_TEST,
  LIST_DELIVERED,
  LIST_UNDELIVERED,
  LIST_WEBHOOK_DELIVERIES,
  READ_WEBHOOK_DELIVERY,
  REMOVE_WEBHOOK_DELIVERIES,
  SEND_WEBHOOK_AGAIN,
  TEST_WEBHOOK_ENDPOINT,
  type WebhookDeliveryRow,
} from './webhook-delivery.sql.ts';

/** The type of the message that only tests an endpoint. */
const TEST_TYPE = 'webhook.test';
/** Behind every place. */
const END = '9223372036854775807';

/**
 * What happened to the messages of an endpoint, newest first (behaviour 28.6): `limit` (default 100) after the message
 * `after`. Refuses with `webhook_endpoint_does_not_exist`, and `webhook_delivery_does_not_exist` if `after` is none.
 */
export async function listWebhookDeliveries(
  context: Context,
  request: ListWebhookDeliveriesRequest,
): Promise<{ records: WebhookDelivery[]; next?: object }> {
  const { webhook_endpoint_id, state, after, limit = LIMITS.webhook_deliveries_default } = request;
  const { id } = await findWebhookEndpoint(context, webhook_endpoint_id);
  const before = after === undefined ? END : (await findDelivery(context, { id, message_id: after })).creation_order;
  const page = { id, before, limit: limit + 1 };
  const rows = await listInState(context, state, page);
  return cutPage(rows.map(deliveryRecord), limit, ({ message_id }) => ({ state, after: message_id }));
}

function listInState(
  { database }: Context,
  state: WebhookDelivery['state'] | undefined,
  page: { id: string; before: string; limit: number },
): Promise<WebhookDeliveryRow[]> {
  if (state === undefined) return database.query(LIST_WEBHOOK_DELIVERIES, page);
  if (state === 'DELIVERED') return database.query(LIST_DELIVERED, page);
  return database.query(LIST_UNDELIVERED, { ...page, state });
}

/**
 * Sends a message again, whatever its outcome (behaviour 28.6): within a second or so, and again for three days if it
 * fails. Refuses with `webhook_endpoint_does_not_exist`, `webhook_delivery_does_not_exist` and
 * `webhook_endpoint_disabled`.
 */
export async function sendWebhookAgain(
  context: Context,
  { webhook_endpoint_id, message_id }: WebhookDeliveryRequest,
): Promise<WebhookDelivery> {
  const { id } = await findWebhookEndpoint(context, webhook_endpoint_id);
  await findDelivery(context, { id, message_id });
  const [changed] = await context.database.query(SEND_WEBHOOK_AGAIN, { ...auditValues(context, id), message_id });
  if (changed === undefined) throw endpointDisabled();
  return deliveryRecord(await findDelivery(context, { id, message_id }));
}

/**
 * Sends an endpoint a message of the type `webhook.test`, which is no event (behaviour 28.6): one that waits already, so
 * that there is one at most. Refuses with `webhook_endpoint_does_not_exist` and `webhook_endpoint_disabled`.
 */
export async function testWebhookEndpoint(
  context: Context,
  { webhook_endpoint_id }: WebhookEndpointRequest,
): Promise<WebhookDelivery> {
  const { id } = await findWebhookEndpoint(context, webhook_endpoint_id);
  const message_id = `evt_test_${randomUUIDv7()}`;
  const at = context.clock();
  const data = { webhook_endpoint_id: id };
  const payload = JSON.stringify({ id: message_id, type: TEST_TYPE, timestamp: at.toISOString(), data });
  const [sent] = await context.database.transaction(async (transaction) => {
    const [begun] = await transaction.query(BEGIN_WEBHOOK_TEST, { id });
    if (begun === undefined) throw endpointDisabled();
    // Another statement sees what the holder of the endpoint's row before has committed.
    return transaction.query(TEST_WEBHOOK_ENDPOINT, { id, message_id, at, event_type: TEST_TYPE, payload });
  });
  return deliveryRecord(await findDelivery(context, { id, message_id: sent?.message_id ?? message_id }));
}

async function findDelivery(
  { database }: Context,
  { id, message_id }: { id: string; message_id: string },
): Promise<WebhookDeliveryRow> {
  const [found] = await database.query(READ_WEBHOOK_DELIVERY, { id, message_id });
  if (found !== undefined) return found;
  const options = { attr: 'message_id' };
  throw new DomainError('webhook_delivery_does_not_exist', 'There is no message with this id.', options);
}

function endpointDisabled(): DomainError {
  const detail = 'The webhook endpoint is disabled: enable it first.';
  return new DomainError('webhook_endpoint_disabled', detail, { attr: 'webhook_endpoint_id' });
}

function deliveryRecord(row: WebhookDeliveryRow): WebhookDelivery {
  const { creation_order: _order, ...record } = withUtcDatetimes(row);
  return record;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes what happened to messages that were last sent long ago (behaviour 28.6), a batch after the other. */
export async function removeWebhookDeliveries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.webhook_delivery_days * DAY_MS);
  while ((await database.query(REMOVE_WEBHOOK_DELIVERIES, { before })).length > 0);
}
