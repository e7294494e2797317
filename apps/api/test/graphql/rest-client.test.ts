import { codeOf, createRestClient, obtainTokens } from '@causeway/rest-client';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService } from '../support/test-service.ts';

const HOUR_MS = 60 * 60_000;

const service = await startTestService();
afterAll(service.stop);

describe('the tokens of the REST client', () => {
  it('5.2 are obtained with the API key, then with one refresh token after the other', async () => {
    const before = Date.now();
    const first = await obtainTokens(service.url, { apiKey: service.staffApiKey });
    expect(first.expiresAt.getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
    expect(first.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    const second = await obtainTokens(service.url, first);
    const third = await obtainTokens(`${service.url}/`, second);
    expect(new Set([first, second, third].map(({ token }) => token)).size).toBe(3);
    expect(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size).toBe(3);
  });

  it('5.2 are refused with a code that says which credential is not good', async () => {
    await expect(obtainTokens(service.url, { apiKey: 'x'.repeat(40) })).rejects.toMatchObject({
      name: 'TokenRefusal',
      code: 'CW-1101',
      message: expect.stringContaining('API key'),
    });
    await expect(obtainTokens(service.url, { refreshToken: 'x' })).rejects.toMatchObject({ code: 'CW-1102' });
  });

  it('19.6 are replaced by another one where the service has found them expired', async () => {
    const { apiKey, code } = await service.createSupplier();
    const client = createRestClient({ url: service.url, apiKey });
    expect(await client.get(`all-account-import-processes/${code}/`)).toMatchObject({ status: 200, body: [] });
    service.setTime(new Date(Date.now() + 2 * HOUR_MS).toISOString());
    expect(await client.get(`all-account-import-processes/${code}/`)).toMatchObject({ status: 200, body: [] });
    expect(client.requestCount()).toBe(3);
    expect(codeOf(await client.get('all-account-import-processes/NONE/'))).toBe('import_supplier_does_not_exist');
    service.setTime(undefined);
  });

  it('19.7 let POSTs in, whose answers the service keeps under their keys', async () => {
    const supplier = await service.createSupplier();
    const client = createRestClient({ url: service.url, apiKey: supplier.apiKey });
    const staged = await client.post('account-import-process/create-or-update/', supplier.account());
    expect(staged.status).toBe(201);
    expect(await service.database.prisma.idempotencyKey.count()).toBe(1);
  });
});
