import type { Database } from '@causeway/db';
import { purgeExpiredAnswers, removeStagedPayloads } from '@causeway/domain';
import type { Start } from './start.ts';

const PURGED_EVERY_MS = 60 * 60 * 1_000;

/** A failed deletion is retried in an hour: nothing waits for it, and it does not fail a start. */
export function purgeNowAndHourly({ environment, clock, logger, closing }: Start, database: Database): void {
  let stopping = false;
  const warn = (error: unknown) => {
    if (!stopping) logger.warn({ error }, 'purge_failed');
  };
  const tellOfKept = (kept: string[]) => {
    if (kept.length > 0) {
      logger.warn({ count: kept.length, account_import_ids: kept.slice(0, 5) }, 'staged_payloads_not_removed');
    }
  };
  const purge = async () => {
    await purgeExpiredAnswers(database, clock()).catch(warn);
    await removeStagedPayloads(database, clock(), environment.stagedPayloadRetentionDays).then(tellOfKept).catch(warn);
  };
  void purge();
  const timer = setInterval(purge, PURGED_EVERY_MS);
  closing.push(() => {
    stopping = true;
    clearInterval(timer);
  });
}
