import type { Database } from '@causeway/db';
import {
  purgeExpiredAnswers,
  purgeResolvedRefusals,
  removeBulkFiles,
  removeManifestLines,
  removeOldEvents,
  removeStagedPayloads,
  removeWebhookDeliveries,
  thinProgressSamples,
} from '@causeway/domain';
import type { Start } from './start.ts';

const PURGED_EVERY_MS = 60 * 60 * 1_000;

/** A failed deletion is retried in an hour: nothing waits for it, and it does not fail a start. */
export function purgeNowAndHourly(
  { environment, clock, logger, closing, work, tracing }: Start,
  database: Database,
): void {
  let stopping = false;
  const run = async (name: string, purgeOnce: () => Promise<unknown>) => {
    try {
      await tracing.run(name, purgeOnce);
      work.countRun(name, 'done', clock());
    } catch (error) {
      if (stopping) return;
      work.countRun(name, 'failed', clock());
      logger.warn({ error }, 'purge_failed');
    }
  };
  const tellOfKept = (kept: string[]) => {
    if (kept.length > 0) {
      logger.warn({ count: kept.length, account_import_ids: kept.slice(0, 5) }, 'staged_payloads_not_removed');
    }
  };
  const purge = async () => {
    await run('purge_answers', () => purgeExpiredAnswers(database, clock()));
    await run('purge_refusals', () => purgeResolvedRefusals(database, clock()));
    await run('remove_bulk_files', () => removeBulkFiles(database, clock()));
    await run('remove_manifest_lines', () => removeManifestLines(database));
    await run('remove_old_events', () => removeOldEvents(database, clock(), environment.eventDays));
    await run('remove_webhook_deliveries', () => removeWebhookDeliveries(database, clock()));
    await run('thin_progress_samples', () => thinProgressSamples(database, clock()));
    await run('remove_staged_payloads', async () => {
      tellOfKept(await removeStagedPayloads(database, clock(), environment.stagedPayloadRetentionDays));
    });
  };
  void purge();
  const timer = setInterval(purge, PURGED_EVERY_MS);
  closing.push(() => {
    stopping = true;
    clearInterval(timer);
  });
}
