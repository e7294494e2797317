import { createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { openDatabase, pendingMigrations, prepareDatabase, splitHosts } from '../src/index.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());

test.each([
  ['postgresql://me:word@a/d', ['postgresql://me:word@a/d']],
  ['postgres://a:1,b/d?sslmode=disable', ['postgres://a:1/d?sslmode=disable', 'postgres://b/d?sslmode=disable']],
  [
    'postgresql://me@[::1]:5433,b:1/d?target_session_attrs=read-write',
    ['postgresql://me@[::1]:5433/d', 'postgresql://me@b:1/d'],
  ],
  [
    'postgresql://a,b/d?sslmode=require&target_session_attrs=primary',
    ['postgresql://a/d?sslmode=require', 'postgresql://b/d?sslmode=require'],
  ],
  ['postgresql:///d?host=/run/postgresql', ['postgresql:///d?host=/run/postgresql']],
  ['postgresql://a,b:port/d', []],
  ['postgresql://a/d?target_session_attrs=standby', []],
  ['mysql://a,b/d', []],
])('15.7.1 reads the hosts of %s', (url, hosts) => {
  expect(splitHosts(url)).toEqual(hosts);
});

/** A port where nobody listens. */
async function deadPort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const withHosts = (url: string, hosts: string) => {
  const { username, password, pathname } = new URL(url);
  return `postgresql://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
};

test('15.7.1 passes over a host that does not answer, at the start and for every query afterwards', async () => {
  const { host } = new URL(database.url);
  const url = withHosts(database.url, `127.0.0.1:${await deadPort()},${host}`);
  await expect(prepareDatabase({ url })).resolves.toMatchObject({ servesAsOwner: false });
  const opened = openDatabase({ url });
  expect(await pendingMigrations(opened)).toEqual([]);
  await Promise.all(Array.from({ length: 20 }, () => opened.pool.query('SELECT 1')));
  await opened.close();
});

test('15.7.1 says of each host why it cannot be reached', async () => {
  const [one, two] = [await deadPort(), await deadPort()];
  const url = withHosts(database.url, `127.0.0.1:${one},127.0.0.1:${two}`);
  await expect(prepareDatabase({ url })).rejects.toThrow(
    new RegExp(`^The database cannot be reached: 127.0.0.1:${one}: .*ECONNREFUSED.*; 127.0.0.1:${two}: .*ECONNREFUSED`),
  );
});

test('15.7.2 passes over a host that takes no writes', async () => {
  const { pathname, host } = new URL(database.ownerUrl);
  await database.owner.pool.query(`ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`);
  const url = withHosts(database.url, `${host},127.0.0.1:${await deadPort()}`);
  await expect(prepareDatabase({ url })).rejects.toThrow(/: The host takes no writes; .*ECONNREFUSED/);
  const opened = openDatabase({ url: withHosts(database.url, `${host},localhost:${new URL(database.url).port}`) });
  await expect(opened.pool.query('SELECT 1')).rejects.toMatchObject({ code: '57P03' });
  await database.owner.pool.query(`ALTER DATABASE ${pathname.slice(1)} RESET default_transaction_read_only`);
  await expect(opened.pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
  await opened.close();
});
