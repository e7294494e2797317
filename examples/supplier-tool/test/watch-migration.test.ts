import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@causeway/client';
import {
  createTestDatabase,
  OF_EVERY_PROCESS,
  type ServiceProcess,
  startServiceProcess,
  type TestDatabase,
} from '@causeway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchMigration } from '../src/watch-migration.ts';

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');
const apiKey = randomBytes(24).toString('hex');
let testDatabase: TestDatabase;
let service: ServiceProcess;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  service = await startServiceProcess({ DATABASE_URL: testDatabase.url, STAFF_API_KEY: apiKey, LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  await service?.terminate();
  await testDatabase?.drop();
});

const linesFor = (code: string) => [
  `${code} is ONGOING`,
  'NW-2 is complete: 2 transactions of 104.88 and 1 note',
  'processing was refused with 400 operations_team_name_does_not_exist',
  'problem of 1 account: process, operations_team_name_does_not_exist, such as NW-1',
  `${code} is PAUSED`,
  'NW-1 failed: operations_team_name_does_not_exist; staged, process_failed',
];

test('19.5 the example creates a supplier, moves an account with its history, lists the problems and reads a failed account', async () => {
  const client = createClient({ url: service.url, apiKey });
  expect(await watchMigration(client, 'EXAMPLE-1')).toEqual(linesFor('EXAMPLE-1'));
  const { status, counts } = await client.importSuppliers.get.query({ code: 'EXAMPLE-1' });
  expect([status, counts]).toEqual([
    'PAUSED',
    { staged: 0, failed: 1, skipped: 0, undone: 0, completed: 1, complete: 1 },
  ]);
});

test('19.5 the example runs as its README line says', async () => {
  const env = { ...OF_EVERY_PROCESS, CAUSEWAY_URL: service.url, STAFF_API_KEY: apiKey };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN], { env });
  const [code = ''] = stdout.split(' ');
  expect(code).toMatch(/^EXAMPLE-\d+$/);
  expect(stdout.trim().split('\n')).toEqual(linesFor(code));
  expect(stderr).toBe('');
  const withoutKey = promisify(execFile)(process.execPath, [MAIN], { env: OF_EVERY_PROCESS });
  await expect(withoutKey).rejects.toThrow('Set STAFF_API_KEY');
});
