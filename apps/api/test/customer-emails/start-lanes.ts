import { openDatabase } from '@causeway/db';
import type { Runner } from '@causeway/runner';
import { TOKEN_SECRET } from '@causeway/testing';
import { runLanes } from '../../src/bulk/run-lanes.ts';
import { readEnvironment } from '../../src/env.ts';
import type { TestService } from '../support/test-service.ts';

/** Lanes that send e-mails, at a time that can be moved on, and what they have said. */
export interface EmailLanes extends Runner {
  /** Every line of the log, as text. */
  readonly log: string[];
  readonly counts: Record<string, number>;
  now(): Date;
  /** From now on it is so much later. */
  moveOn(milliseconds: number): void;
}

/** For all lanes of a test: time continues when others take over. */
let later = 0;

export function startEmailLanes(service: TestService, smtpUrl: string): EmailLanes {
  const environment = readEnvironment({
    SMTP_URL: smtpUrl,
    EMAILS_PER_MINUTE: '1000000',
    BULK_LANES: '1',
    WEBHOOK_LANES: '0',
  });
  const database = openDatabase({ url: service.databaseUrl, poolSize: 5 });
  const now = () => new Date(Date.now() + later);
  const log: string[] = [];
  const counts: Record<string, number> = {};
  const runner = runLanes(environment, {
    database,
    clock: now,
    paymentVendors: new Map(),
    secrets: { secret: TOKEN_SECRET, otherSecret: undefined },
    report: {
      log: (level, event, { error, ...facts }) =>
        log.push(JSON.stringify({ level, event, ...facts, error: String(error) })),
      countLines: () => undefined,
      countChunk: () => undefined,
      countMessage: () => undefined,
      countEmails(outcome, emails) {
        counts[outcome] = (counts[outcome] ?? 0) + emails;
      },
    },
  });
  return {
    ...runner,
    log,
    counts,
    now,
    moveOn(milliseconds) {
      later += milliseconds;
    },
    async stop() {
      await runner.stop();
      await database.close();
    },
  };
}
