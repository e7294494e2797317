import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  asService,
  createEmptyDatabase,
  createTestDatabase,
  fileOfProgram,
  OF_EVERY_PROCESS,
  startServiceProcess,
} from '@causeway/testing';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = fileOfProgram('apps/api/src/migrate/main.ts');
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../../prisma/migrations');
const UP_TO_DATE = 'The database is up to date.';

/** Runs the program to its end, as an operator does; what it printed, line by line. */
async function migrate(variables: Record<string, string>) {
  const env = { ...OF_EVERY_PROCESS, ...variables };
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM], { env }).then(
    (printed) => ({ code: 0, ...printed }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code, stdout: stdout.split('\n').slice(0, -1), stderr };
}

async function emptyDatabase() {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  return { DATABASE_URL: asService(url), DATABASE_OWNER_URL: url };
}

const appliedMigrations = async () => {
  const names = (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort();
  return names.map((name) => `Applied migration ${name}.`);
};

test('15.4.7 it brings an empty database up to date and tells what it did; a service then needs no owner', async () => {
  const variables = await emptyDatabase();
  const { code, stdout, stderr } = await migrate(variables);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const applied = await appliedMigrations();
  expect(stdout.slice(0, applied.length)).toEqual(applied);
  expect(stdout).toContain('Built index account_imports_completed_at_with_payload_idx.');
  const role = new URL(variables.DATABASE_URL).username;
  expect(stdout.slice(-2)).toEqual([`Granted ${role} the rights of the service.`, UP_TO_DATE]);

  expect(await migrate(variables)).toEqual({ code: 0, stdout: [UP_TO_DATE], stderr: '' });
  const service = await startServiceProcess({ DATABASE_URL: variables.DATABASE_URL });
  await fetch(`${service.url}/healthz`);
  expect(await service.terminate()).toBe(0);
});

test('15.4.7 it migrates the embedded database, and stops its server', async () => {
  const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'causeway-migrate-'));
  onTestFinished(() => rm(DATA_DIR, { recursive: true }));
  const { code, stdout } = await migrate({ DATA_DIR });
  expect(code).toBe(0);
  expect(stdout).toEqual(expect.arrayContaining(await appliedMigrations()));
  expect(stdout.slice(-2)).toEqual(['Granted causeway_service the rights of the service.', UP_TO_DATE]);
  await expect(access(path.join(DATA_DIR, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  expect(await migrate({ DATA_DIR })).toEqual({ code: 0, stdout: [UP_TO_DATE], stderr: '' });
});

test('15.4.7 without an owner it migrates as the role of DATABASE_URL, and says that it granted nothing', async () => {
  const { DATABASE_OWNER_URL: DATABASE_URL } = await emptyDatabase();
  const { code, stdout } = await migrate({ DATABASE_URL });
  expect(code).toBe(0);
  expect(stdout).toEqual(expect.arrayContaining(await appliedMigrations()));
  expect(stdout.slice(-2)).toEqual(['No role was granted rights, since DATABASE_OWNER_URL is not set.', UP_TO_DATE]);
});

test('15.4.7 it ends well where an index and a constraint have to wait, and names them', async () => {
  const { url, ownerUrl, owner, drop } = await createTestDatabase();
  onTestFinished(drop);
  const index = 'account_imports_completed_at_with_payload_idx';
  for (const text of [
    `DROP INDEX ${index}`,
    `CREATE VIEW ${index} AS SELECT 1`,
    'ALTER TABLE organisations DROP CONSTRAINT organisations_name_check',
    `INSERT INTO organisations VALUES ('00000000-0000-0000-0000-000000000001', ' ', now())`,
    `ALTER TABLE organisations ADD CONSTRAINT organisations_name_check CHECK (name ~ '\\S') NOT VALID`,
  ]) {
    await owner.pool.query(text);
  }
  const { code, stdout } = await migrate({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: [
      `Did not build index ${index}: "${index}" is not an index. Everything works without it, and slower.`,
      'Did not validate constraint organisations_name_check of organisations: rows that break it: 1, such as ' +
        '{"id" : "00000000-0000-0000-0000-000000000001"}. See docs/constraints.md.',
      UP_TO_DATE,
    ],
  });
});

test('15.4.7 a role that may not migrate ends with 1, and a sentence that names what is pending and what to set', async () => {
  const { DATABASE_URL } = await emptyDatabase();
  const { code, stdout, stderr } = await migrate({ DATABASE_URL });
  expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
  expect(stderr).toMatch(
    /^The database was not changed: permission denied .*Pending: \d+_.* Set DATABASE_OWNER_URL .*\n$/,
  );
});

test.each([
  [{ DATABASE_URL: 'postgresql://me:CANARY@127.0.0.1:1/none' }, /^The database cannot be reached: .*ECONNREFUSED.*\n$/],
  [
    { DATABASE_OWNER_URL: 'postgresql://me:CANARY@127.0.0.1/none' },
    /DATABASE_OWNER_URL must come with DATABASE_URL\n$/,
  ],
])('15.4.7 it ends with 1 and says what is wrong with %j, without a password', async (variables, message) => {
  const { code, stdout, stderr } = await migrate(variables);
  expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('CANARY');
});
