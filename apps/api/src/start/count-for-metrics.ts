import { countMigrations, type Database } from '@causeway/db';
import { countAccountImports, countWebhookEndpoints } from '@causeway/domain';
import type { DatabaseCounts } from '../observability/migration-metrics.ts';

/** What the metrics show of the database: one query after the other, on one connection at most. */
export async function countForMetrics(database: Database, clock: () => Date): Promise<DatabaseCounts> {
  return {
    migrations: await countAccountImports(database),
    schema: await countMigrations(database),
    webhooks: await countWebhookEndpoints(database, clock()),
  };
}
