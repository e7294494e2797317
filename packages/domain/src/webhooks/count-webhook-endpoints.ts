import { WebhookDisabledReason } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { COUNT_WEBHOOK_ENDPOINTS } from './count-webhook-endpoints.sql.ts';

/** How the webhook endpoints of all organisations stand. */
export interface WebhookCounts {
  accepting: number;
  failing: number;
  disabled: Readonly<Record<WebhookDisabledReason, number>>;
  /** How long ago the oldest event happened that was not sent yet to an endpoint that accepts what it gets. */
  oldestUnsentSeconds: number;
}

/** For the metrics (behaviour 28.4, 16.9). All reasons, always: a series that appears has no former value. */
export async function countWebhookEndpoints(database: Database, now: Date): Promise<WebhookCounts> {
  const disabled = Object.fromEntries(WebhookDisabledReason.options.map((reason) => [reason, 0]));
  const counts = { accepting: 0, failing: 0 };
  let oldest = now.getTime();
  for (const { standing, disabled_reason, count, oldest_unsent_at } of await database.query(
    COUNT_WEBHOOK_ENDPOINTS,
    {},
  )) {
    if (standing === 'disabled') disabled[disabled_reason ?? 'asked'] = count;
    else counts[standing] = count;
    oldest = Math.min(oldest, oldest_unsent_at?.getTime() ?? oldest);
  }
  return {
    ...counts,
    disabled: disabled as WebhookCounts['disabled'],
    oldestUnsentSeconds: (now.getTime() - oldest) / 1_000,
  };
}
