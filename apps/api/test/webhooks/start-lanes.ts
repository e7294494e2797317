import { type Database, openDatabase } from '@causeway/db';
import { type Runner, startWebhookLanes } from '@causeway/runner';
import { TOKEN_SECRET } from '@causeway/testing';
import { webhookSettings } from '../../src/webhooks/webhook-settings.ts';
import type { TestService, TestSupplier } from '../support/test-service.ts';

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
  waitsAfterMs?: number;
  /** Default: this machine. */
  allowedNetworks?: string[];
  /** The database as the lanes see it. */
  seen?: (database: Database) => Database;
}

/** Lanes of webhooks with the clock of the test, which may send to some networks. */
export function startLanes(service: TestService, options: LanesOptions = {}): TestLanes {
  const { clock = () => new Date(), lanes = 4, secret = TOKEN_SECRET, attemptMs = 15_000 } = options;
  const { allowedNetworks = ['127.0.0.0/8'], seen = (database) => database } = options;
  const database = openDatabase({ url: service.databaseUrl, poolSize: 2 });
  const logged: TestLanes['logged'] = [];
  const environment = { webhooks: { lanes, allowedNetworks } };
  const runner = startWebhookLanes({
    dependencies: {
      database: seen(database),
      clock,
      webhooks: webhookSettings(environment, { secret, otherSecret: undefined }),
      timeouts: { connectMs: attemptMs, attemptMs },
    },
    lanes,
    waitsAfterMs: options.waitsAfterMs,
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

/** An endpoint of the supplier's organisation, and its secret. */
export async function createEndpoint(
  supplier: TestSupplier,
  fields: Record<string, unknown>,
): Promise<{ id: string; secret: string }> {
  const { status, body } = await supplier.post('webhook-endpoints/', fields);
  if (status !== 201) throw new Error(`Creating an endpoint answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** An event about each of these accounts, or about so many. */
export async function addEvents(
  { database }: TestService,
  { code }: TestSupplier,
  { accounts, type = 'account.staged' }: { accounts: readonly string[] | number; type?: string },
): Promise<void> {
  const numbers =
    typeof accounts === 'number' ? Array.from({ length: accounts }, (_, index) => `E-${index}`) : accounts;
  await database.pool.query(
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, $2, account, '{"times_staged": 1}', now() FROM unnest($3::text[]) AS account`,
    [code, type, numbers],
  );
}
