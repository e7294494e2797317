import { openDatabase, prepareDatabase } from '@causeway/db';
import {
  createEmptyDatabase,
  createTestDatabase,
  hasPgBouncer,
  KEEP_STATEMENTS,
  LOSE_STATEMENTS,
  type PgBouncer,
  startPgBouncer,
  type TestDatabase,
  TOKEN_SECRET,
} from '@causeway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { startService } from '../../src/service.ts';
import { startTestService, type TestService, type TestSupplier, until } from '../support/test-service.ts';

/** What operators let it ignore, so that clients which send settings get in at all. */
const LENIENT = {
  ignore_startup_parameters: 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
};
const TRANSACTIONS = { pool_mode: 'transaction' };
const CLIENTS = 20;
const ACCOUNTS = 60;
const SESSIONS = 3;
const NOTE = { body: 'Called about the meter.' };

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

  /** Why a start behind it is refused; undefined if it is not. */
  async function refusalOfStart(variables: Record<string, string> = {}): Promise<string | undefined> {
    const own = { DATABASE_URL: bouncer.url, TOKEN_SECRET, PORT: '0', LOG_LEVEL: 'silent' };
    return startService(readEnvironment({ ...own, ...variables })).then(
      (service) => service.stop().then(() => undefined),
      (error: Error) => error.message,
    );
  }

  /** As an operator would. */
  async function doAsTold(refusal = ''): Promise<void> {
    for (const [statement] of refusal.matchAll(/ALTER ROLE [^;]*;/g)) await testDatabase.owner.pool.query(statement);
    await bouncer.command('RECONNECT');
  }

  /** A bulk job of what is staged, in lanes whose statements may take longer. */
  async function runBulkJob({ code, teamName }: TestSupplier): Promise<void> {
    const { pool } = testDatabase.owner;
    const options = { operations_team_name: teamName, parallelism: 2, accounts_per_second: null, max_refused: null };
    await pool.query(
      `INSERT INTO bulk_jobs (id, import_supplier_code, kind, options, selection, state, run, run_mode, created_by,
         run_by, created_at, started_at)
       SELECT id, $1, 'PROCESS', $2, '{}', 'PLANNING', 1, 'REAL', id, id, now(), now() FROM api_keys LIMIT 1`,
      [code, JSON.stringify({ ...options, max_refused_ratio: null })],
    );
    const left = `SELECT FROM bulk_jobs WHERE state <> 'FINISHED'`;
    await until(async () => (await pool.query(left)).rowCount === 0);
  }

  async function moveAccounts(service: TestService): Promise<void> {
    const supplier = await service.createSupplier();
    const another = await service.startInstance();
    let left = ACCOUNTS;
    const move = async () => {
      while (left > 0) {
        left -= 1;
        const { reference } = await supplier.importAccount();
        const post = (url: string) =>
          fetch(`${url}/v1/data-import/notes/create/`, {
            method: 'POST',
            headers: { authorization: supplier.token, 'content-type': 'application/json' },
            body: JSON.stringify({ ...reference, notes: [NOTE] }),
          });
        // The same note through both instances at once: it is stored once.
        const answers = await Promise.all([service.url, another.url].map(post));
        expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, move));
    await supplier.stage();
    await runBulkJob(supplier);
  }

  test.each([TRANSACTIONS, { ...TRANSACTIONS, server_round_robin: '1' }, { ...TRANSACTIONS, default_pool_size: '1' }])(
    '16.10.2 the start says how the role gets its settings with %o, and once it has them the service starts',
    async (settings) => {
      bouncer = await startPgBouncer(testDatabase.url, { ...LENIENT, ...settings });
      // Others have used it: several of its connections are idle.
      const { pool, close } = openDatabase({ url: bouncer.url });
      await Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT pg_sleep(0.05)')));
      await close();
      const refusal = await refusalOfStart();
      expect(refusal).toMatch(
        /^DATABASE_URL leads to a connection pooler .*SET statement_timeout = '12000';.*\(RECONNECT /,
      );
      await doAsTold(refusal);
      expect(await refusalOfStart()).toBeUndefined();
      // An instance with other limits than its role is told so, and of nothing else.
      const other = await refusalOfStart({ DATABASE_LOCK_TIMEOUT_MS: '1234' });
      expect(other?.match(/ SET \w+ = '\w+'/g)).toEqual([` SET lock_timeout = '1234'`]);
    },
  );

  test.each([
    ...(KEEP_STATEMENTS ? [{ name: '16.10.2 keeps statements', settings: KEEP_STATEMENTS }] : []),
    { name: '16.10.3 loses them', settings: LOSE_STATEMENTS },
  ])('16.10 in transaction mode, fewer connections than clients move accounts: $name', async ({ settings }) => {
    bouncer = await startPgBouncer(testDatabase.url, {
      ...TRANSACTIONS,
      default_pool_size: String(SESSIONS),
      ...settings,
    });
    await doAsTold(await refusalOfStart());
    const service = await startTestService({ DATABASE_URL: bouncer.url, BULK_LANES: '2' });
    await moveAccounts(service);
    const { prisma } = testDatabase.owner;
    // One of them was created by the bulk job.
    expect(await prisma.account.count()).toBe(ACCOUNTS + 1);
    expect(await prisma.note.count()).toBe(ACCOUNTS);
    // PgBouncer's own names, in any of the sessions.
    const text = `SELECT count(*)::int AS kept, pg_sleep(0.05), current_setting('statement_timeout') AS statement_timeout
      FROM pg_prepared_statements WHERE name LIKE 'PGBOUNCER%'`;
    const seen = await bouncer.inSessions(SESSIONS, text);
    expect(seen.some(({ kept }) => Number(kept) > 10)).toBe(settings === KEEP_STATEMENTS);
    // The longer limits of the job were those of its transactions.
    for (const session of seen) expect(session).toMatchObject({ statement_timeout: '12s' });
    await service.stop();
  });

  test('16.10.4 statement mode is refused at the start, with what to do about it', async () => {
    bouncer = await startPgBouncer(testDatabase.url, { ...LENIENT, pool_mode: 'statement' });
    expect(await refusalOfStart()).toMatch(/^DATABASE_URL leads to .* one statement at a time.* set pool_mode = trans/);
  });

  test('16.10.4 nothing is migrated in transaction mode: the address of PostgreSQL is asked for', async () => {
    const empty = await createEmptyDatabase();
    bouncer = await startPgBouncer(empty.url, TRANSACTIONS);
    await expect(prepareDatabase({ url: bouncer.url })).rejects.toThrow(/set DATABASE_OWNER_URL to the address/);
    const { rowCount } = await empty.database.pool.query(`SELECT FROM pg_class WHERE relname = 'accounts'`);
    expect(rowCount).toBe(0);
    await empty.drop();
  });

  test('16.10.5 serves in session mode, as it comes, and every session keeps the settings of the service', async () => {
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
