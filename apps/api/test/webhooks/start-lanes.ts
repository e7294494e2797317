import { openDatabase } from '@causeway/db';
import { type Runner, startWebhookLanes } from '@causeway/runner';
import { TOKEN_SECRET } from '@causeway/testing';
import { webhookSettings } from '../../src/webhooks/webhook-settings.ts';
import type { TestService } from '../support/test-service.ts';

export interface TestLanes extends Runner {
  /** What they have logged. */
  readonly logged: { event: string; facts: Record<string, unknown> }[];
}

interface LanesOptions {
  clock?: () => Date;
  lanes?: number;
  /** The secret of the service. */
  secret?: string;
  attemptMs?: number;
  /** Default: this machine. */
  allowedNetworks?: string[];
}

/** Lanes of webhooks with the clock of the test, which may send to some networks. */
export function startLanes(
  service: TestService,
  { clock, lanes = 4, secret = TOKEN_SECRET, attemptMs = 15_000, allowedNetworks = ['127.0.0.0/8'] }: LanesOptions = {},
): TestLanes {
  const database = openDatabase({ url: service.databaseUrl, poolSize: 2 });
  const logged: TestLanes['logged'] = [];
  const environment = { webhooks: { lanes, allowedNetworks } };
  const runner = startWebhookLanes({
    dependencies: {
      database,
      clock: clock ?? (() => new Date()),
      webhooks: webhookSettings(environment, { secret, otherSecret: undefined }),
      timeouts: { connectMs: attemptMs, attemptMs },
    },
    lanes,
    report: {
      log: (_level, event, facts) => logged.push({ event, facts }),
      countMessage: () => undefined,
    },
  });
  return {
    logged,
    wake: runner.wake,
    async stop() {
      await runner.stop();
      await database.close();
    },
  };
}
