import {
  type Certificates,
  createPostgresServer,
  hasOpenssl,
  makeCertificates,
  type PostgresServer,
  TOKEN_SECRET,
} from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { startService } from '../../src/service.ts';

describe.skipIf(!hasOpenssl)('a database that is reached over TLS only', () => {
  let certificates: Certificates;
  let others: Certificates;
  let postgres: PostgresServer;
  beforeAll(async () => {
    [certificates, others] = [await makeCertificates('IP:127.0.0.1'), await makeCertificates('IP:127.0.0.1')];
    postgres = await createPostgresServer({
      settings: { ssl: 'on', ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', fsync: 'off' },
    });
    await postgres.write('server.crt', certificates.certificate);
    await postgres.write('server.key', certificates.key);
    await postgres.start();
    const { password } = new URL(postgres.url);
    await postgres.query(`CREATE ROLE service SUPERUSER LOGIN PASSWORD '${password}'`);
    await postgres.write('pg_hba.conf', 'hostssl all service all scram-sha-256\nhost all causeway all scram-sha-256\n');
    await postgres.query('SELECT pg_reload_conf()');
  });
  afterAll(async () => {
    await postgres.remove();
    await Promise.all([certificates.remove(), others.remove()]);
  });

  const start = (host: string, parameters: Record<string, string>) => {
    const url = new URL(postgres.url);
    url.hostname = host;
    url.username = 'service';
    url.search = String(new URLSearchParams(parameters));
    return startService(readEnvironment({ DATABASE_URL: url.href, TOKEN_SECRET, PORT: '0', LOG_LEVEL: 'silent' }));
  };

  test('15.7.3 is used with sslmode=verify-full and the certificate of its authority', async () => {
    const service = await start('127.0.0.1', { sslmode: 'verify-full', sslrootcert: certificates.authority });
    const { rows } = await service.database.pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    expect(rows).toEqual([{ ssl: true }]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await service.stop();
  });

  test.each([
    ['another authority', '127.0.0.1', () => ({ sslrootcert: others.authority }), /certificate/],
    ['no authority', '127.0.0.1', () => ({}), /certificate/],
    [
      'another host name',
      'localhost',
      () => ({ sslrootcert: certificates.authority }),
      /altnames: .*verify-full wants/,
    ],
    ['a file that is missing', '127.0.0.1', () => ({ sslrootcert: '/none/ca.crt' }), /ENOENT.*\/none\/ca\.crt/],
  ])('15.7.3 is refused with %s, and the message says which', async (_, host, parameters, sentence) => {
    const refused = start(host, { sslmode: 'verify-full', ...parameters() });
    await expect(refused).rejects.toThrow(/^The database cannot be reached: /);
    await expect(refused).rejects.toThrow(sentence);
  });

  test('15.7.3 is refused without encryption, and the message says so', async () => {
    await expect(start('127.0.0.1', {})).rejects.toThrow(/cannot be reached: no pg_hba.conf entry .* no encryption/);
  });

  test('15.7.3 a certificate that is not accepted any more is a 503 and not ready, until it is', async () => {
    const service = await start('127.0.0.1', { sslmode: 'verify-full', sslrootcert: certificates.authority });
    const ready = async () => (await fetch(`${service.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    await postgres.write('server.crt', others.certificate);
    await postgres.write('server.key', others.key);
    await postgres.query('SELECT pg_reload_conf()');
    await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service'`);
    const query = `mutation { obtainToken(input: { APIKey: "${'k'.repeat(40)}" }) { token } }`;
    const ask = async () => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }) };
      return JSON.stringify(await (await fetch(`${service.url}/v1/graphql/`, init)).json());
    };
    expect(await ready()).toBe(503);
    expect(await ask()).toContain('CW-1007');
    await postgres.write('server.crt', certificates.certificate);
    await postgres.write('server.key', certificates.key);
    await postgres.query('SELECT pg_reload_conf()');
    expect(await ready()).toBe(200);
    await service.stop();
  });
});
