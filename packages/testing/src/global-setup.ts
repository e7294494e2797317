import { randomBytes } from 'node:crypto';
import { createLoginRole, prepareDatabase } from '@causeway/db';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startTestServer, type TestServer, urlOfDatabase, urlOfRole } from './test-server.ts';

async function createTemplate(
  { url, source }: { url: string; source: string },
  name: string,
  service: TestServer['service'],
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  await client.end();
  const ownerUrl = urlOfDatabase(url, name);
  await createLoginRole(ownerUrl, service);
  await prepareDatabase({ url: urlOfRole(ownerUrl, service), ownerUrl });
}

async function dropDatabasesAndRoles(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`);
  const roles = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)', [
    prefix,
  ]);
  for (const { rolname } of roles.rows) await client.query(`DROP ROLE IF EXISTS "${rolname}"`);
  await client.end();
}

/**
 * vitest's global set-up: one PostgreSQL server per run, with a migrated database that each test file copies. A package
 * uses it with `globalSetup: ['../testing/src/global-setup.ts']` in its vitest.config.ts (the path as seen from there),
 * and `createTestDatabase()` in its tests. Concurrent runs of several packages are isolated: each has its own server
 * or, if TEST_DATABASE_URL names a shared one, its own database names.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const prefix = `causeway_test_${randomBytes(4).toString('hex')}_`;
  const tearDown = (): Promise<void> => dropDatabasesAndRoles(server.url, prefix).finally(server.stop);
  try {
    const template = `${prefix}template`;
    const service = { role: `${prefix}service`, password: randomBytes(16).toString('hex') };
    await createTemplate(server, template, service);
    project.provide('testServer', { url: server.url, template, service, prefix });
  } catch (error) {
    await tearDown();
    throw error;
  }
  return tearDown;
}
