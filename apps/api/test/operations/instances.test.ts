import { obtainTokens } from '@causeway/rest-client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { STAGE } from '../idempotency/marked-calls.ts';
import { restCalls } from '../support/rest-calls.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { obtainToken, trpcClient } from '../support/trpc-client.ts';

let service: TestService;
let otherUrl: string;
beforeAll(async () => {
  service = await startTestService();
  otherUrl = (await service.startInstance()).url;
});
afterEach(() => service.setTime(undefined));
afterAll(() => service.stop());

/** The supplier's calls to the other instance. */
const onOther = ({ token }: TestSupplier) => restCalls(otherUrl, token);
const fiveSecondsLater = () => service.setTime(new Date(Date.now() + 5_000).toISOString());

test('16.4 a token of one instance is good on the other, and so is its refresh token', async () => {
  const supplier = await service.createSupplier();
  expect(await onOther(supplier).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  const token = await obtainToken(otherUrl, supplier.apiKey);
  expect(await restCalls(service.url, token).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  const { refreshToken } = await obtainTokens(service.url, supplier);
  const refreshed = await obtainTokens(otherUrl, { refreshToken });
  expect(await restCalls(service.url, refreshed.token).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
});

test('3.2 a supplier paused on one instance is refused on the other at once', async () => {
  const supplier = await service.createSupplier();
  expect(await onOther(supplier).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  await service.staff.importSuppliers.setStatus.mutate({ code: supplier.code, status: 'PAUSED' });
  expect(await onOther(supplier).post(STAGE, supplier.account())).toMatchObject({
    status: 400,
    body: { code: 'import_supplier_migration_not_ongoing' },
  });
  const staffOnOther = trpcClient(otherUrl, await obtainToken(otherUrl, service.staffApiKey));
  await staffOnOther.importSuppliers.setStatus.mutate({ code: supplier.code, status: 'ONGOING' });
  expect(await supplier.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
});

test('16.4 what is staged on one instance is processed on the other', async () => {
  const supplier = await service.createSupplier();
  const number = await supplier.stage();
  const processed = await onOther(supplier).post('account-import-process/process/', supplier.processRequest(number));
  expect(processed).toMatchObject({ status: 201 });
  const status = await supplier.get(`account-transfer-status/${supplier.code}/${number}/`);
  const { service_account_number } = processed.body;
  expect(status.body).toEqual({ status: 'COMPLETED', service_account_number });
});

test('14.4 a change of configuration is seen at once where it is made, and on the other within 5 seconds', async () => {
  const supplier = await service.createSupplier();
  const body = { ...supplier.account(), not_documented: 1 };
  expect(await supplier.post('validate-account/', body)).toMatchObject({ status: 200 });
  expect(await onOther(supplier).post('validate-account/', body)).toMatchObject({ status: 200 });
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, reject_undocumented_fields: true });
  const refused = { status: 400, body: { errors: [{ code: 'undocumented_field', attr: 'not_documented' }] } };
  expect(await supplier.post('validate-account/', body)).toMatchObject(refused);
  fiveSecondsLater();
  expect(await onOther(supplier).post('validate-account/', body)).toMatchObject(refused);
});

test('5.5 a key revoked on one instance is refused there at once, and on the other within 5 seconds', async () => {
  const supplier = await service.createSupplier();
  expect(await onOther(supplier).post('validate-account/', supplier.account())).toMatchObject({ status: 200 });
  const { api_keys: keys } = { api_keys: await service.staff.apiKeys.list.query({}) };
  const [key] = keys.filter(({ organisation_id }) => organisation_id === supplier.organisationId);
  await service.staff.apiKeys.revoke.mutate({ id: String(key?.id) });
  const refused = { status: 401, body: { code: 'authentication_failed' } };
  expect(await supplier.post('validate-account/', supplier.account())).toMatchObject(refused);
  fiveSecondsLater();
  expect(await onOther(supplier).post('validate-account/', supplier.account())).toMatchObject(refused);
});
