import { openDatabase } from '@causeway/db';
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncer,
  startPgBouncer,
  type TestDatabase,
  TOKEN_SECRET,
} from '@causeway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { startService } from '../../src/service.ts';
import { startTestService } from '../support/test-service.ts';

/** What operators let it ignore, so that clients which send settings get in at all. */
const LENIENT = {
  ignore_startup_parameters: 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
};

describe.skipIf(!hasPgBouncer)('PgBouncer', () => {
  let testDatabase: TestDatabase;
  let bouncer: PgBouncer;
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
  });
  afterEach(async () => {
    await bouncer.stop();
    await testDatabase.drop();
  });

  test.each([
    { pool_mode: 'transaction' },
    { pool_mode: 'transaction', server_round_robin: '1' },
    { pool_mode: 'transaction', default_pool_size: '1' },
    { pool_mode: 'statement' },
  ])('16.10 is refused at the start with %o, with what to do about it', async (settings) => {
    bouncer = await startPgBouncer(testDatabase.url, { ...LENIENT, ...settings });
    // Others have used it: several of its connections are idle.
    const { pool, close } = openDatabase({ url: bouncer.url });
    await Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT pg_sleep(0.05)')));
    const started = startService(
      readEnvironment({ DATABASE_URL: bouncer.url, TOKEN_SECRET, PORT: '0', LOG_LEVEL: 'silent' }),
    );
    const outcome = await started.then(
      (service) => service.stop().then(() => 'started'),
      (error: Error) => error.message,
    );
    await close();
    expect(outcome).toMatch(/^DATABASE_URL leads to a connection pooler .* set pool_mode = session/);
  });

  test('16.10 serves in session mode, as it comes, and every session keeps the settings of the service', async () => {
    bouncer = await startPgBouncer(testDatabase.url, { pool_mode: 'session', default_pool_size: '30' });
    const service = await startTestService({ DATABASE_URL: bouncer.url });
    const supplier = await service.createSupplier();
    await Promise.all(Array.from({ length: 20 }, () => supplier.importAccount()));
    expect(await testDatabase.database.prisma.account.count()).toBe(20);
    await service.stop();

    const text = `SELECT current_setting('statement_timeout') AS statement, current_setting('TimeZone') AS zone, pg_sleep(0.02)`;
    const { pool, close } = openDatabase({ url: bouncer.url, statementTimeoutMs: 1_234, poolSize: 5 });
    const seen = await Promise.all(Array.from({ length: 5 }, () => pool.query(text)));
    await close();
    for (const { rows } of seen) expect(rows).toMatchObject([{ statement: '1234ms', zone: 'UTC' }]);
  });
});
