import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { NOW, PROCESS } from './support.ts';

const GUIDE = path.join(import.meta.dirname, '../../src/openapi/guide.md');
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  service.setTime(NOW);
});
afterAll(() => service.stop());

/** The body of the first sample in the guide's chapter. */
function sampleOf(chapter: string): string {
  const text = readFileSync(GUIDE, 'utf8').split(`## ${chapter}\n`)[1] ?? '';
  return / -d '(\{.*?\n {2}\})'/s.exec(text)?.[1] ?? '';
}

test('4.17.3 the sample of the guide is staged as it stands, and created with all of its history', async () => {
  const supplier = await service.createSupplier({ code: 'NORTHWIND-2026', balance_check: 'REFUSE' });
  const sample = sampleOf('An account with its history');
  expect((await supplier.post('account-import-process/create-or-update/', sample)).status).toBe(201);
  expect((await supplier.post(PROCESS, supplier.processRequest('NW-0001490'))).status).toBe(201);
  const { body } = await supplier.get('accounts/NORTHWIND-2026/NW-0001490/');
  expect(body).toMatchObject({
    figures: { notes: 1, transactions: { count: 2, sum: '104.88' }, statements: { count: 1, gross_total: '112.07' } },
    account: { last_statement_balance: '28.34', transfer_balance: '-48.20' },
  });
});
