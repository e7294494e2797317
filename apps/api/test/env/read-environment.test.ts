import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withSettings } from '../../interface/settings.ts';
import { readEnvironment } from '../../src/env.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');

/** What the start fails with. */
function problemWith(variables: Record<string, string>): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

test('16.1 nothing has to be set: what is set to nothing, or unknown, has the default that docs/settings.md tells', () => {
  const empty = { HOST: '', PORT: '', DATABASE_URL: '', STAFF_API_KEY: '', PAYMENT_VENDORS: '', LOG_LEVEL: '' };
  const defaults = readEnvironment({});
  expect(readEnvironment({ ...empty, PATH: '/bin', NODE_ENV: 'x' })).toEqual(defaults);
  expect(defaults).toMatchObject({ host: '127.0.0.1', port: 3000, dataDirectory: path.join(REPOSITORY, '.causeway') });
});

describe('values', () => {
  const vendor = { name: 'ACME', kind: 'http', base_url: 'https://acme.example/v2', secret: 'hush' };
  const vendors = [
    { kind: 'sandbox', name: 'SANDBOX' },
    { kind: 'http', name: 'ACME', baseUrl: 'https://acme.example/v2', secret: 'hush' },
  ];
  const url = (user: string) => `postgresql://${user}:word@db.example:5433/causeway?sslmode=require`;
  const read: Record<string, [text: string, place: string, value: unknown]> = {
    HOST: ['::', 'host', '::'],
    PORT: ['0', 'port', 0],
    METRICS_HOST: ['::1', 'metricsHost', '::1'],
    METRICS_PORT: ['9', 'metricsPort', 9],
    DATABASE_URL: [url('me'), 'databaseUrl', url('me')],
    DATABASE_OWNER_URL: [url('owner'), 'databaseOwnerUrl', url('owner')],
    DATA_DIR: ['data', 'dataDirectory', path.resolve('data')],
    STAFF_API_KEY: ['s'.repeat(32), 'staffApiKey', 's'.repeat(32)],
    TOKEN_SECRET: ['t'.repeat(32), 'tokenSecret', 't'.repeat(32)],
    OTHER_TOKEN_SECRET: ['o'.repeat(32), 'otherTokenSecret', 'o'.repeat(32)],
    DOCUMENT_BUCKET: ['bucket', 'documentBucket', 'bucket'],
    PAYMENT_VENDORS: [JSON.stringify(['SANDBOX', vendor]), 'paymentVendors', vendors],
    SERVICE_TIME_ZONE: ['Europe/London', 'timeZone', 'Europe/London'],
    LOG_LEVEL: ['silent', 'logLevel', 'silent'],
    MAX_BODY_BYTES: ['1024', 'maxBodyBytes', 1_024],
    MAX_HELD_BYTES: ['2048', 'maxHeldBytes', 2_048],
    MAX_HELD_BYTES_OF_UNKNOWN: ['2049', 'maxHeldBytesOfUnknown', 2_049],
    MAX_UNREAD_BYTES: ['2050', 'admission.unreadBytes', 2_050],
    MAX_CONNECTIONS: ['7', 'connectionLimits.all', 7],
    // Behind a proxy all come from one address.
    MAX_CONNECTIONS_PER_ADDRESS: ['6', 'connectionLimits.perAddress', 7],
    BODY_TIMEOUT_MS: ['101', 'bodyTimeoutMs', 101],
    HEADERS_TIMEOUT_MS: ['102', 'headersTimeoutMs', 102],
    IDLE_TIMEOUT_MS: ['103', 'idleTimeoutMs', 103],
    OBTAIN_TOKEN_FAILURES_PER_ADDRESS: ['5', 'attemptLimits.perAddress', 5],
    OBTAIN_TOKEN_FAILURES_PER_KEY: ['6', 'attemptLimits.perAddressAndPrefix', 6],
    OBTAIN_TOKEN_CALLS_PER_ADDRESS: ['7', 'attemptLimits.callsPerAddress', 7],
    OBTAIN_TOKEN_CALLS_PER_KEY: ['8', 'attemptLimits.callsPerKey', 8],
    GRAPHQL_QUERIES_PER_ADDRESS: ['9', 'attemptLimits.queriesPerAddress', 9],
    DRAIN_TIMEOUT_MS: ['104', 'drainTimeoutMs', 104],
    SHUTDOWN_DELAY_MS: ['109', 'shutdownDelayMs', 109],
    DATABASE_POOL_SIZE: ['2', 'databasePoolSize', 2],
    DATABASE_ACQUIRE_TIMEOUT_MS: ['105', 'databaseAcquireTimeoutMs', 105],
    DATABASE_STATEMENT_TIMEOUT_MS: ['106', 'statementTimeoutMs', 106],
    DATABASE_LOCK_TIMEOUT_MS: ['107', 'lockTimeoutMs', 107],
    TRUSTED_PROXIES: ['1', 'trustedProxies', 1],
    STAGED_PAYLOAD_RETENTION_DAYS: ['0', 'stagedPayloadRetentionDays', 0],
    BULK_LANES: ['0', 'bulk.lanes', 0],
    BULK_FILES_DAYS: ['1', 'bulk.filesDays', 1],
    BULK_MAX_STORED_BYTES: ['0', 'bulk.maxStoredBytes', 0],
    EVENT_DAYS: ['0', 'eventDays', 0],
    WEBHOOK_LANES: ['5', 'webhooks.lanes', 5],
    WEBHOOK_ALLOWED_NETWORKS: ['10.20.0.0/16, fd00::/8', 'webhooks.allowedNetworks', ['10.20.0.0/16', 'fd00::/8']],
    MAX_REQUESTS_AT_WORK: ['3', 'admission.requestsAtWork', 3],
    MAX_EXPECTED_WAIT_MS: ['108', 'admission.expectedWaitMs', 108],
    MAX_DATABASE_WAITERS: ['4', 'admission.poolWaiters', 4],
    MAX_EVENT_LOOP_DELAY_MS: ['10', 'admission.eventLoopDelayMs', 10],
  };

  test('16.1 every variable is read', () => {
    const texts = Object.fromEntries(Object.entries(read).map(([variable, [text]]) => [variable, text]));
    const environment = readEnvironment(texts);
    for (const [place, value] of Object.values(read).map(([, ...expected]) => expected)) {
      expect(environment).toHaveProperty(place, value);
    }
    expect(environment.admission.turnWaitMs).toBe(105);
    expect(environment.settings).toMatchObject({ DATABASE_URL: 'db.example:5433/causeway', STAFF_API_KEY: 'set' });
  });

  test.each(['postgres://localhost/causeway', 'postgresql:///causeway?host=/run/postgresql'])(
    '16.1 takes the database address %s',
    (DATABASE_URL) => {
      expect(readEnvironment({ DATABASE_URL, TOKEN_SECRET: 't'.repeat(32) }).databaseUrl).toBe(DATABASE_URL);
    },
  );

  test('16.1 a database elsewhere needs a token secret from outside, which anyone who reads that database does not learn', () => {
    const message = problemWith({ DATABASE_URL: 'postgresql://localhost/causeway' });
    expect(message).toMatch(/^The environment is not usable:\n {2}TOKEN_SECRET must be set where DATABASE_URL is: .+$/);
    expect(problemWith({ DATABASE_URL: 'postgresql://localhost/causeway', TOKEN_SECRET: '', PORT: 'x' })).toMatch(
      /PORT must .*\n {2}TOKEN_SECRET must be set/,
    );
    expect(readEnvironment({}).tokenSecret).toBeUndefined();
  });
});

describe('bad values', () => {
  const bad: Record<string, string[]> = {
    PORT: ['http', '-1', '65536', '3000.5', '0x10', ' 3000', '1e3'],
    DATABASE_OWNER_URL: ['mysql://localhost/x'],
    DATABASE_URL: ['mysql://localhost/x', 'localhost:5432', 'postgresql://me:word@host:port/x', 'postgresql://[x/'],
    STAFF_API_KEY: ['s'.repeat(31)],
    TOKEN_SECRET: ['t'.repeat(31)],
    OTHER_TOKEN_SECRET: ['t'.repeat(31)],
    PAYMENT_VENDORS: ['STRIPE', '{}', '[{"name":"ACME"}]'],
    SERVICE_TIME_ZONE: ['Mars/Olympus', 'GMT+25'],
    LOG_LEVEL: ['verbose', 'INFO'],
    MAX_BODY_BYTES: ['1023', '10MB', '1073741825'],
    MAX_HELD_BYTES: ['1023'],
    METRICS_PORT: ['-1', '65536', 'none'],
    MAX_HELD_BYTES_OF_UNKNOWN: ['0'],
    MAX_UNREAD_BYTES: ['0'],
    MAX_CONNECTIONS: ['0'],
    MAX_CONNECTIONS_PER_ADDRESS: ['0'],
    OBTAIN_TOKEN_FAILURES_PER_ADDRESS: ['0'],
    OBTAIN_TOKEN_FAILURES_PER_KEY: ['x'],
    OBTAIN_TOKEN_CALLS_PER_ADDRESS: ['0'],
    OBTAIN_TOKEN_CALLS_PER_KEY: ['1000001'],
    GRAPHQL_QUERIES_PER_ADDRESS: ['-1'],
    BODY_TIMEOUT_MS: ['99', '15s'],
    HEADERS_TIMEOUT_MS: ['0'],
    IDLE_TIMEOUT_MS: ['600001'],
    DRAIN_TIMEOUT_MS: ['-1'],
    SHUTDOWN_DELAY_MS: ['600001'],
    DATABASE_POOL_SIZE: ['1', '1001'],
    DATABASE_ACQUIRE_TIMEOUT_MS: ['none'],
    DATABASE_STATEMENT_TIMEOUT_MS: ['3600001'],
    DATABASE_LOCK_TIMEOUT_MS: ['99999999999999999999'],
    TRUSTED_PROXIES: ['17', 'true'],
    STAGED_PAYLOAD_RETENTION_DAYS: ['-1', '36501', 'never'],
    BULK_LANES: ['-1', '65'],
    BULK_FILES_DAYS: ['-1', '36501', 'never'],
    BULK_MAX_STORED_BYTES: ['-1', '20GiB'],
    SMTP_URL: ['http://mail.example'],
    EMAILS_PER_MINUTE: ['0'],
    EMAILS_PER_MAILBOX: ['0', '1000001'],
    EMAIL_DKIM: ['northwind.example:causeway:x', 'causeway'],
    EVENT_DAYS: ['-1', '1', '3', '36501'],
    WEBHOOK_LANES: ['-1', '1001'],
    WEBHOOK_ALLOWED_NETWORKS: ['10.0.0.1', '10.0.0.0/33', 'hooks.example'],
    MAX_REQUESTS_AT_WORK: ['0'],
    MAX_EXPECTED_WAIT_MS: ['0'],
    MAX_DATABASE_WAITERS: ['0'],
    MAX_EVENT_LOOP_DELAY_MS: ['9'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'ftp://collector', 'http://me:word@collector'],
    OTEL_EXPORTER_OTLP_HEADERS: ['name', 'a b=c', 'name=%', 'a=1,b'],
    OTEL_TRACES_SAMPLER: ['jaeger_remote'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '1%', '-0.1'],
  };
  const each = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const));

  test.each(each)('16.1 stops the start at %s=%s, and says what it must be', (name, value) => {
    const database = { DATABASE_URL: 'postgresql://localhost/x', TOKEN_SECRET: 't'.repeat(32) };
    const others = /^DATABASE_.*URL$/.test(name) ? database : {};
    expect(problemWith({ ...others, [name]: value })).toMatch(
      new RegExp(`^The environment is not usable:\n +${name} \\S.+$`),
    );
  });

  test('16.1 names every bad variable in one message', () => {
    const message = problemWith(Object.fromEntries(Object.entries(bad).map(([name, [value = '']]) => [name, value])));
    expect(
      message
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(' ')[0]),
    ).toEqual(expect.arrayContaining(Object.keys(bad)));
    expect(message.split('\n')).toHaveLength(1 + Object.keys(bad).length);
  });

  test('16.1 docs/settings.md has every variable, with its default and its range', () => {
    const settings = readFileSync(path.join(REPOSITORY, 'docs/settings.md'), 'utf8');
    expect(settings).toBe(withSettings(settings));
  });

  test('16.1 never repeats a secret', () => {
    const message = problemWith({
      DATABASE_URL: 'postgresql://me:CANARY@host:port/x',
      STAFF_API_KEY: 'CANARY',
      TOKEN_SECRET: 'CANARY',
      PAYMENT_VENDORS: '[{"name": "ACME", "kind": "http", "secret": "CANARY", "base_url": "CANARY"}]',
      PORT: 'CANARY',
    });
    expect(message).toContain('TOKEN_SECRET');
    expect(message).not.toContain('CANARY');
    expect(problemWith({ PAYMENT_VENDORS: 'CANARY' })).not.toContain('CANARY');
  });
});
