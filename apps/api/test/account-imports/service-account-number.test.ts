import crypto, { randomUUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { accountImportId } from '@causeway/domain';
import { afterAll, expect, test, vi } from 'vitest';
import { restCalls, startTestService } from '../support/test-service.ts';
import { holdAccounts, holdAccountsIn, killSession, sessionsBehind } from './held-accounts.ts';

/** What the service draws next; after that, chance decides again. */
const draws: number[] = [];

const PROCESS = 'account-import-process/process/';
const TAKEN = 'A-00000000';

const { randomInt } = crypto;
vi.spyOn(crypto, 'randomInt').mockImplementation((maximum: number) => draws.shift() ?? randomInt(maximum));
// What was imported by name is the mock from now on.
syncBuiltinESMExports();
const service = await startTestService();
await holdAccountsIn(service.database);
const supplier = await service.createSupplier();
drawTaken();
expect((await supplier.importAccount()).serviceAccountNumber).toBe(TAKEN);
afterAll(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await service.stop();
});

function drawTaken(times = 1): void {
  draws.push(...Array(8 * times).fill(0));
}

function importOf(number: string) {
  return service.database.prisma.accountImport.findUniqueOrThrow({
    where: { id: accountImportId(supplier.code, number) },
    include: { account: true },
  });
}

test.each([
  ['', {}],
  [', with an Idempotency-Key', { 'Idempotency-Key': randomUUID() }],
])('2.1 takes another number as long as the one that it drew is taken%s', async (_how, headers) => {
  const number = await supplier.stage();
  drawTaken(2);
  const { status, body } = await supplier.post(PROCESS, supplier.processRequest(number), headers);
  expect([status, draws]).toEqual([201, []]);
  expect(body.service_account_number).not.toBe(TAKEN);
  expect(await importOf(number)).toMatchObject({
    state: 'COMPLETED',
    attempts: 1,
    account: { service_account_number: body.service_account_number },
  });
});

test('2.1 takes another number in a dry run as well', async () => {
  const request = { ...supplier.processRequest(await supplier.stage()), dry_run: true };
  drawTaken();
  const { body } = await supplier.post(PROCESS, request);
  expect([body.code, draws]).toEqual(['dry_run_rolled_back', []]);
});

test('2.1 takes another number also after it waited for another call on the account', async () => {
  const other = restCalls((await service.startInstance()).url, supplier.token);
  using hold = await holdAccounts(service.database);
  const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const first = supplier.post(PROCESS, supplier.processRequest(number));
  const [holder] = await hold.waitFor(1);
  // Before it waits it draws a number as well.
  drawTaken(2);
  const second = other.post(PROCESS, supplier.processRequest(number));
  await sessionsBehind(service.database, Number(holder), 1);
  await killSession(service.database, Number(holder));
  await hold.waitFor(1);
  await hold.release();
  expect([(await first).status, (await second).status, draws]).toEqual([503, 201, []]);
  expect((await importOf(number)).account?.service_account_number).not.toBe(TAKEN);
});

test('4.3 tells what is wrong with a call, whatever number it drew', async () => {
  drawTaken();
  const { body } = await supplier.post(PROCESS, supplier.processRequest('never staged'));
  expect([body.code, draws]).toEqual(['import_process_does_not_exist', []]);
});

test('30.1.5 takes another number as long as the one that it drew is that of an account that was undone', async () => {
  const own = await service.createSupplier({ undo_hours: 1 });
  draws.push(...Array(8).fill(1));
  const { externalAccountNumber: external_account_number, serviceAccountNumber } = await own.importAccount();
  const reason = 'Wrong tariff';
  await service.staff.accountImports.undo.mutate({ code: own.code, external_account_number, reason });
  draws.push(...Array(16).fill(1));
  const { status, body } = await own.post(PROCESS, own.processRequest(external_account_number));
  expect([status, draws]).toEqual([201, []]);
  expect(body.service_account_number).not.toBe(serviceAccountNumber);
});
