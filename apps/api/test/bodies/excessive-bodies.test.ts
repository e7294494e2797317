import { LIMITS } from '@causeway/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

const service = await startTestService();
afterAll(service.stop);

let supplier: TestSupplier;
beforeAll(async () => {
  supplier = await service.createSupplier();
});

const keys = (count: number, name = 'k') =>
  Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join(',');

/** Each took the event loop seconds, though it is shorter than the longest body. */
const EXCESSIVE: [string, string, string][] = [
  ['800,000 keys', `{${keys(800_000)}}`, 'too_many_keys'],
  ['one key too many', `{${keys(LIMITS.json_keys + 1)}}`, 'too_many_keys'],
  ['keys written with escapes', `{${keys(LIMITS.json_keys + 1, '\\u006b')}}`, 'too_many_keys'],
  [
    'different keys over many objects',
    `{"customers":[${Array.from({ length: 300 }, (_, index) => `{${keys(80, `${index}_`)}}`).join(',')}]}`,
    'too_many_keys',
  ],
  ['escaped keys in many objects', `{"a":[${Array(200_000).fill('{"\\u0061":1}').join(',')}]}`, 'too_many_values'],
  ['a million strings', `{"customers":[${Array(1_000_000).fill('""').join(',')}]}`, 'too_many_values'],
];

describe('a body that would take seconds to parse', () => {
  it.each(EXCESSIVE)('11.3 is refused over REST before it is parsed: %s', async (_name, body, code) => {
    expect(await supplier.post('validate-account/', body)).toMatchObject({ status: 400, body: { code } });
  });

  it.each(EXCESSIVE.slice(-1))('11.3 is refused over tRPC before it is parsed: %s', async (_name, body, code) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Token ${supplier.token}` };
    const response = await fetch(`${service.url}/trpc/dataImport.validateAccount`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { data: { error: { code } } } });
  });
});

describe('a large body of the documented kind', () => {
  it('11.3 may have as many keys as the limit, and reports what is undocumented', async () => {
    const account = JSON.stringify(supplier.account());
    const more = LIMITS.json_keys - 1_000;
    const { status, headers } = await supplier.post('validate-account/', `${account.slice(0, -1)},${keys(more)}}`);
    expect(status).toBe(200);
    expect(headers.get('Undocumented-Fields')).toContain('k0, k1, ');
  });

  it('11.3 takes 10,000 transactions with the same keys in each', async () => {
    const { reference } = await supplier.importAccount();
    const transactions = Array.from({ length: LIMITS.transactions }, (_, index) => ({
      ...{ transaction_id: `T-${index}`, transaction_date: '2026-01-05', amount: 1.5, type: 'CHARGE' },
      ...{ reason: 'IMPORTED_CHARGE', display_note: 'Adjustment "of" {the} [month]:', note: 'a "key": 1' },
    }));
    const { status, body } = await supplier.post('transactions/create/', { ...reference, transactions });
    expect(status).toBe(201);
    expect(body.results).toHaveLength(LIMITS.transactions);
  });
});
