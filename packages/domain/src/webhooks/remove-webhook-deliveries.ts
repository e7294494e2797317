import { LIMITS } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { REMOVE_WEBHOOK_DELIVERIES } from './webhook-delivery.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Removes what became of messages that were last sent long ago (behaviour 28.6), a batch after the other. */
export async function removeWebhookDeliveries(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.webhook_delivery_days * DAY_MS);
  while ((await database.query(REMOVE_WEBHOOK_DELIVERIES, { before })).length > 0);
}
