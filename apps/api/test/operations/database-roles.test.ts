import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type ServiceProcess, startServiceProcess, type TestDatabase } from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { startService } from '../../src/service.ts';

const STAFF_API_KEY = 'the staff key of these tests: 0123456789';

const warnings = ({ logLines }: ServiceProcess) =>
  logLines.map((line) => JSON.parse(line) as { level: string; msg: string }).filter(({ level }) => level === 'warn');

/** Ends it once it has answered: it says that it serves a moment before it heeds signals. */
async function end(service: ServiceProcess): Promise<number | null> {
  await fetch(`${service.url}/healthz`);
  return service.terminate();
}

describe('on a database of its own', () => {
  let dataDirectory: string;
  beforeAll(async () => {
    dataDirectory = await mkdtemp(path.join(tmpdir(), 'causeway-roles-'));
  });
  afterAll(() => rm(dataDirectory, { recursive: true }));

  test('15.6 the service works as a role that owns nothing, with a password that only its owner can read', async () => {
    const variables = { DATA_DIR: dataDirectory, PORT: '0', STAFF_API_KEY, LOG_LEVEL: 'silent' };
    for (let start = 0; start < 2; start += 1) {
      const service = await startService(readEnvironment(variables));
      const { rows } = await service.database.pool.query(
        `SELECT current_user AS name, rolsuper, rolcreaterole, rolcreatedb,
          (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = pg_roles.oid AND deptype = 'o') AS owned
        FROM pg_roles WHERE rolname = current_user`,
      );
      expect(rows).toEqual([
        { name: 'causeway_service', rolsuper: false, rolcreaterole: false, rolcreatedb: false, owned: 0 },
      ]);
      await expect(service.database.pool.query('DELETE FROM audit_events')).rejects.toMatchObject({ code: '42501' });
      await service.stop();
    }
    expect((await stat(path.join(dataDirectory, 'postgres-service-password'))).mode & 0o777).toBe(0o600);
  });
});

describe('on a database of the operator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('15.6 it warns that it serves as the owner of its tables, and says what to do', async () => {
    const service = await startServiceProcess({ DATABASE_URL: database.ownerUrl, STAFF_API_KEY });
    await end(service);
    expect(warnings(service)).toMatchObject([
      { msg: 'database_role_owns_tables', remedy: expect.stringContaining('DATABASE_OWNER_URL') },
    ]);
  });

  test.each([
    ['with', () => ({ DATABASE_OWNER_URL: database.ownerUrl })],
    ['without', () => ({})],
  ])(
    '15.6 it starts as its own role %s DATABASE_OWNER_URL where nothing is pending, and warns of nothing',
    async (_, more) => {
      const service = await startServiceProcess({ DATABASE_URL: database.url, STAFF_API_KEY, ...more() });
      expect(await end(service)).toBe(0);
      expect(warnings(service)).toEqual([]);
    },
  );
});
