import { describe, expect, test } from 'vitest';
import { serviceOfFile } from '../support/test-service.ts';
import { type Hold, holdAccounts, holdAccountsIn, killSession } from './held-accounts.ts';

const service = await serviceOfFile();
await holdAccountsIn(service.database);
const supplier = await service.createSupplier();

const UNKNOWN = { status: 'UNKNOWN', service_account_number: '' };
const IN_PROGRESS = { status: 'IN_PROGRESS', service_account_number: '' };

async function statusOf(number: string, { code, get } = supplier) {
  const { status, body } = await get(`account-transfer-status/${code}/${encodeURIComponent(number)}/`);
  expect(status).toBe(200);
  return body;
}

function process(number: string, overrides: Record<string, unknown> = {}) {
  return supplier.post('account-import-process/process/', { ...supplier.processRequest(number), ...overrides });
}

const stageHeld = (hold: Hold) => supplier.stage({ customers: [{ family_name: hold.familyName }] });

describe('the status of an account import', () => {
  test.concurrent('3.1 4.8 answers 200 with UNKNOWN and an empty service_account_number while it is only staged or to be skipped, and after an attempt that failed', async () => {
    const number = await supplier.stage();
    expect(await statusOf(number)).toEqual(UNKNOWN);
    await process(number, { dry_run: true });
    expect(await statusOf(number)).toEqual(UNKNOWN);
    await process(number, { operations_team_name: 'none' });
    expect(await statusOf(number)).toEqual(UNKNOWN);
    const broken = await supplier.stage({ customers: [{ family_name: 'BREAK' }] });
    await process(broken);
    expect(await statusOf(broken)).toEqual(UNKNOWN);
    const account = { code: supplier.code, external_account_number: number };
    await service.staff.accountImports.skip.mutate({ ...account, reason: 'Test' });
    expect(await statusOf(number)).toEqual(UNKNOWN);
  });

  test.concurrent('1.3 3.1 is COMPLETED with its number as soon as the account exists, and stays so', async () => {
    const { externalAccountNumber, serviceAccountNumber } = await supplier.importAccount();
    const completed = { status: 'COMPLETED', service_account_number: serviceAccountNumber };
    expect(await statusOf(externalAccountNumber)).toEqual(completed);
    await process(externalAccountNumber);
    await process(externalAccountNumber, { dry_run: true });
    await supplier.post(
      'account-import-process/create-or-update/',
      supplier.account({ external_account_number: externalAccountNumber }),
    );
    expect(await statusOf(externalAccountNumber)).toEqual(completed);
  });

  test.concurrent('3.1 stays COMPLETED when the supplier is paused or complete', async () => {
    const other = await service.createSupplier();
    const { externalAccountNumber } = await other.importAccount();
    for (const status of ['PAUSED', 'COMPLETE'] as const) {
      await service.staff.importSuppliers.setStatus.mutate({ code: other.code, status, reason: 'Test' });
      expect(await statusOf(externalAccountNumber, other)).toMatchObject({ status: 'COMPLETED' });
    }
  });

  test.concurrent.each([false, true])(
    '3.1 is IN_PROGRESS exactly while a process call runs (dry run: %s)',
    async (dry_run) => {
      using hold = await holdAccounts(service.database);
      const [number, other] = [await stageHeld(hold), await supplier.stage()];
      const running = process(number, { dry_run });
      await hold.waitFor(1);
      expect(await Promise.all([statusOf(number), statusOf(number), statusOf(number)])).toEqual(
        Array(3).fill(IN_PROGRESS),
      );
      expect(await statusOf(other)).toEqual(UNKNOWN);
      await hold.release();
      const { body } = await running;
      const after = dry_run ? UNKNOWN : { status: 'COMPLETED', service_account_number: body.service_account_number };
      expect(await statusOf(number)).toEqual(after);
    },
  );

  // Not concurrent: calls that share its statement die with it.
  test('3.1 is not left IN_PROGRESS by a process call that dies', async () => {
    using hold = await holdAccounts(service.database);
    const number = await stageHeld(hold);
    const running = process(number);
    const [session] = await hold.waitFor(1);
    expect(await statusOf(number)).toEqual(IN_PROGRESS);
    await killSession(service.database, Number(session));
    expect((await running).status).toBe(503);
    expect(await statusOf(number)).toEqual(UNKNOWN);
    await hold.release();
  });

  test.concurrent('3.1 never goes backwards, however often it is asked while accounts are created', async () => {
    const numbers = await Promise.all(Array.from({ length: 10 }, () => supplier.stage()));
    let isOver = false;
    const watched = numbers.map(async (number) => {
      const seen: string[] = [];
      while (!isOver) seen.push((await statusOf(number)).status);
      return [...seen, (await statusOf(number)).status];
    });
    const answers = await Promise.all(numbers.map((number) => process(number))).finally(() => {
      isOver = true;
    });
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const order = ['UNKNOWN', 'IN_PROGRESS', 'COMPLETED'];
    for (const seen of await Promise.all(watched)) {
      const steps = seen.map((status) => order.indexOf(status));
      expect(steps).toEqual([...steps].sort());
    }
  });
});
