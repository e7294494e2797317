import { startFaultProxy } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { createTestSupplier, restCalls, startTestService, trpcClient } from '../support/test-service.ts';
import { refused, remembered, TRANSACTIONS } from './refused-calls.ts';

const service = await startTestService();
const url = new URL(service.databaseUrl);
const proxy = await startFaultProxy({ port: Number(url.port), protocol: 'postgres' });
url.port = String(proxy.port);
const instance = await service.startInstance({ DATABASE_URL: url.href });
/** By way of an instance whose database connections can be cut. */
const supplier = createTestSupplier({ ...(await service.createSupplier()), url: instance.url });
afterAll(async () => {
  await service.stop();
  await proxy.close();
});

/** Of a call that is refused for its contents, the only statement is the one that remembers it. */
const loseStatements = () => proxy.arm({ direction: 'to-server', at: { messageType: 'B' }, does: 'cut', times: 100 });

test('4.15.4 a refusal that cannot be stored is answered 503, over REST and tRPC, and the next one as it is', async () => {
  const account = await supplier.importAccount();
  const { externalAccountNumber: number } = account;
  const validated = () => supplier.post('validate-account/', supplier.account());
  // So that the instance knows the caller and the import supplier.
  expect((await validated()).status).toBe(200);
  loseStatements();
  const { status, body } = await supplier.post(TRANSACTIONS, refused(account));
  expect(proxy.fired).toBeGreaterThan(0);
  expect([status, body.code]).toEqual([503, 'service_unavailable']);
  expect(JSON.stringify(body)).not.toContain('transaction_date');
  proxy.disarm();
  await validated();
  loseStatements();
  const { importTransactions } = trpcClient(supplier.url, supplier.token).dataImport;
  await expect(importTransactions.mutate(refused(account) as never)).rejects.toMatchObject({
    data: { httpStatus: 503, error: { code: 'service_unavailable' } },
  });
  proxy.disarm();
  expect(await remembered(service, number)).toEqual([]);
  const again = await restCalls(supplier.url, supplier.token).post(TRANSACTIONS, refused(account));
  expect([again.status, again.body.code]).toEqual([400, 'request_failed_validation']);
  expect(await remembered(service, number)).toMatchObject([{ operation: 'transactions', times: 1, open: true }]);
});
