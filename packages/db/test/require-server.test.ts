import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { prepareDatabase } from '../src/index.ts';
import { obstacleOf } from '../src/prepare-database.ts';

const FINE = {
  ...{ version: '15.0', version_number: 150_000, encoding: 'UTF8', database: 'd', standby: false, read_only: false },
};

test.each([
  [
    { version: '14.9', version_number: 140_009 },
    /^The server is PostgreSQL 14.9: Causeway needs version 15 or newer\.$/,
  ],
  [{ standby: true, read_only: true }, /^The server is a standby .* DATABASE_URL .*\.$/],
])('16.2.4 refuses a server with %j, and says what to do in one sentence', (facts, sentence) => {
  expect(obstacleOf(FINE)).toBeUndefined();
  expect(obstacleOf({ ...FINE, ...facts })).toMatch(sentence);
});

async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('testServer').url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}

test('16.2.4 refuses a database that cannot hold every character, and says how to create one', async () => {
  const { url, prefix } = inject('testServer');
  const name = `${prefix}${randomBytes(4).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
  const latin = new URL(url);
  latin.pathname = name;
  await expect(prepareDatabase({ url: latin.href })).rejects.toThrow(
    /is encoded in LATIN1: create it with ENCODING 'UTF8'/,
  );
  await onServer(`DROP DATABASE ${name}`);
});

test('16.2.4 refuses a database that is read-only, and a role without the rights of the service, and names them', async () => {
  const { url, owner, drop } = await createTestDatabase();
  const { pathname, username } = new URL(url);
  await owner.pool.query(`REVOKE INSERT ON audit_events, notes FROM ${username}`);
  await owner.pool.query(`REVOKE UPDATE (revoked_at) ON api_keys FROM ${username}`);
  await expect(prepareDatabase({ url })).rejects.toThrow(
    new RegExp(
      `^The role ${username} lacks rights on api_keys \\(UPDATE \\(revoked_at\\)\\); audit_events \\(INSERT\\); ` +
        'notes \\(INSERT\\)\\. Run the command migrate with DATABASE_OWNER_URL set',
    ),
  );
  await onServer(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`);
  await expect(prepareDatabase({ url })).rejects.toThrow(/^The database .* is read-only .*start again\.$/);
  await drop();
});
