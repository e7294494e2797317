import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { describe, expect, test } from 'vitest';
import {
  type RestAnswer,
  restCalls,
  serviceOfFile,
  startTestService,
  type TestSupplier,
} from '../support/test-service.ts';
import { type Hold, holdAccounts, holdAccountsIn, killSession, sessionsBehind } from './held-accounts.ts';

const PROCESS = 'account-import-process/process/';

const service = await serviceOfFile();
await holdAccountsIn(service.database);
const instances = [service.url, (await service.startInstance()).url];

/** The call number `index` for an account: the instances take turns. */
function process(
  supplier: TestSupplier,
  number: string,
  { index = 0, ...overrides }: Record<string, unknown> & { index?: number } = {},
) {
  const { post } = restCalls(instances[index % instances.length] ?? '', supplier.token);
  return post(PROCESS, { ...supplier.processRequest(number), ...overrides });
}

function processAll(supplier: TestSupplier, numbers: string[]): Promise<RestAnswer[]> {
  return Promise.all(numbers.map((number, index) => process(supplier, number, { index })));
}

function stageHeld(supplier: TestSupplier, hold: Hold): Promise<string> {
  return supplier.stage({ customers: [{ family_name: hold.familyName }] });
}

function stageMany(count: number, stage: () => Promise<string>): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, stage));
}

function importOf({ code }: TestSupplier, number: string) {
  return service.database.prisma.accountImport.findUniqueOrThrow({
    where: { id: accountImportId(code, number) },
    include: { account: true },
  });
}

const statuses = (answers: RestAnswer[]) => answers.map(({ status }) => status).sort();
const codes = (answers: RestAnswer[]) => answers.map(({ status, body }) => body.code ?? status).sort();

describe('one account', () => {
  test.concurrent('4.3 creates the account once, no matter who asks: 20 calls at once over two instances', async () => {
    const supplier = await service.createSupplier();
    const number = await supplier.stage();
    const answers = await processAll(supplier, Array(20).fill(number));
    expect(statuses(answers)).toEqual([201, ...Array(19).fill(400)]);
    const { service_account_number } = answers.find(({ status }) => status === 201)?.body ?? {};
    const losers = answers.filter(({ status }) => status === 400).map(({ body }) => body);
    for (const body of losers) {
      expect(body).toMatchObject({
        code: 'account_import_process_already_imported',
        external_account_number: number,
        service_account_number,
      });
    }
    expect(await importOf(supplier, number)).toMatchObject({
      state: 'COMPLETED',
      attempts: 1,
      account: { service_account_number },
    });
    const actions = { subject_id: accountImportId(supplier.code, number), action: 'processed' };
    expect(await service.database.prisma.auditEvent.count({ where: actions })).toBe(1);
  });

  test.concurrent('4.3 makes a real call wait for a dry run, then creates the account', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const number = await stageHeld(supplier, hold);
    const dry = process(supplier, number, { dry_run: true });
    const [holder] = await hold.waitFor(1);
    const real = process(supplier, number, { index: 1 });
    await sessionsBehind(service.database, Number(holder), 1);
    await hold.release();
    expect(await dry).toMatchObject({ status: 400, body: { code: 'dry_run_rolled_back' } });
    expect(await real).toMatchObject({ status: 201 });
  });

  test.concurrent('4.3 creates no account that is marked to be skipped just then', async () => {
    const supplier = await service.createSupplier();
    const number = await supplier.stage();
    using client = await borrowConnection(service.database.pool);
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    await client.query(
      "UPDATE account_imports SET state = 'SKIPPED', skipped_at = now(), skip_reason = 'Left' WHERE id = $1",
      [accountImportId(supplier.code, number)],
    );
    const processing = process(supplier, number);
    await sessionsBehind(service.database, rows[0].pid, 1);
    await client.query('COMMIT');
    client.release();
    expect((await processing).body.code).toBe('account_import_process_skipped');
    expect(await importOf(supplier, number)).toMatchObject({ state: 'SKIPPED', account: null });
  });

  test.concurrent('4.2 refuses to stage again once the account that was being created exists', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const number = await stageHeld(supplier, hold);
    const creating = process(supplier, number);
    const [holder] = await hold.waitFor(1);
    const account = supplier.account({ external_account_number: number, billing_name: 'Too late' });
    const staging = supplier.post('account-import-process/create-or-update/', account);
    await sessionsBehind(service.database, Number(holder), 1);
    await hold.release();
    const { service_account_number } = (await creating).body;
    expect(await staging).toMatchObject({
      status: 400,
      body: { code: 'account_import_process_already_imported', service_account_number },
    });
    expect((await importOf(supplier, number)).payload).not.toMatchObject({ billing_name: 'Too late' });
  });
});

describe('different accounts', () => {
  test.concurrent('4.3 calls that wait for one account keep no database connection from the others', async () => {
    const small = await startTestService({ DATABASE_POOL_SIZE: '2' });
    await holdAccountsIn(small.database);
    const supplier = await small.createSupplier();
    using hold = await holdAccounts(small.database);
    const number = await stageHeld(supplier, hold);
    const first = supplier.post(PROCESS, supplier.processRequest(number));
    await hold.waitFor(1);
    const waiting = Array.from({ length: 5 }, () => supplier.post(PROCESS, supplier.processRequest(number)));
    for (let count = 0; count < 5; count += 1) await supplier.importAccount();
    await hold.release();
    expect(statuses(await Promise.all([first, ...waiting]))).toEqual([201, ...Array(5).fill(400)]);
    await small.stop();
  });
});

describe('the limit of accounts processed at once', () => {
  test.concurrent('8 lets exactly as many through as it says, over all instances', async () => {
    const supplier = await service.createSupplier({ process_concurrency_limit: 3 });
    using hold = await holdAccounts(service.database);
    const numbers = await stageMany(10, () => stageHeld(supplier, hold));
    const refused: RestAnswer[] = [];
    let nobodyWaits = () => {};
    const sevenRefused = new Promise<void>((resolve) => {
      nobodyWaits = resolve;
    });
    const calls = numbers.map(async (number, index) => {
      const answer = await process(supplier, number, { index });
      if (answer.status === 429 && refused.push(answer) === 7) nobodyWaits();
      return { number, status: answer.status };
    });
    // The seven are told so while the three still hold their slots.
    await sevenRefused;
    expect(await hold.waitFor(3)).toHaveLength(3);
    for (const { body, headers } of refused) {
      expect(body).toEqual({
        detail: expect.any(String),
        code: 'concurrency_limit_exceeded',
        errors: [],
        documentation_url: '/docs/errors#concurrency_limit_exceeded',
      });
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await hold.release();
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);

    for (const { number } of answers.filter(({ status }) => status === 429)) {
      expect(await importOf(supplier, number)).toMatchObject({ state: 'STAGED', attempts: 0, last_error: null });
      expect((await process(supplier, number)).status).toBe(201);
    }
  });

  test.concurrent('8 counts a dry run like any other call', async () => {
    const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
    using hold = await holdAccounts(service.database);
    const [held, other] = [await stageHeld(supplier, hold), await supplier.stage()];
    const dry = process(supplier, held, { dry_run: true });
    await hold.waitFor(1);
    expect((await process(supplier, other, { index: 1 })).status).toBe(429);
    expect((await process(supplier, other, { dry_run: true })).body.code).toBe('concurrency_limit_exceeded');
    await hold.release();
    expect((await dry).body.code).toBe('dry_run_rolled_back');
    expect((await process(supplier, other)).status).toBe(201);
  });

  test.concurrent("8 is each import supplier's own, also within one organisation", async () => {
    const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
    const sibling = await service.createSupplier({ of: supplier, process_concurrency_limit: 1 });
    using hold = await holdAccounts(service.database);
    const held = process(supplier, await stageHeld(supplier, hold));
    await hold.waitFor(1);
    expect((await process(sibling, await sibling.stage())).status).toBe(201);
    await hold.release();
    expect((await held).status).toBe(201);
  });

  test.concurrent('8 frees a slot at once when its holder dies', async () => {
    const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
    using hold = await holdAccounts(service.database);
    const [held, other] = [await stageHeld(supplier, hold), await supplier.stage()];
    const dying = process(supplier, held);
    const [holder] = await hold.waitFor(1);
    expect((await process(supplier, other, { index: 1 })).status).toBe(429);
    await killSession(service.database, Number(holder));
    expect((await dying).status).toBe(503);
    expect((await process(supplier, other, { index: 1 })).status).toBe(201);
    await hold.release();
    expect(await importOf(supplier, held)).toMatchObject({ state: 'STAGED', attempts: 0, account: null });
    expect((await process(supplier, held)).status).toBe(201);
  });

  test.concurrent('8 frees a slot at once after a success and after a failure', async () => {
    const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
    const broken = await supplier.stage({ customers: [{ family_name: 'BREAK' }] });
    const numbers = await stageMany(5, () => supplier.stage());
    for (const number of numbers) {
      expect((await process(supplier, broken)).status).toBe(500);
      expect((await process(supplier, number)).status).toBe(201);
    }
  });

  test.concurrent('8 is off by default, and follows the configuration of the supplier from the next call on', async () => {
    const supplier = await service.createSupplier();
    const { code } = supplier;
    const { process_concurrency_limit: none } = await service.staff.importSuppliers.get.query({ code });
    expect(none).toBeNull();
    const limit = (process_concurrency_limit: number | null) =>
      service.staff.importSuppliers.update.mutate({ code, process_concurrency_limit });
    using hold = await holdAccounts(service.database);
    const numbers = await stageMany(4, () => stageHeld(supplier, hold));
    await limit(2);
    const answers = processAll(supplier, numbers.slice(0, 2));
    await hold.waitFor(2);
    await limit(1);
    expect((await process(supplier, numbers[2] ?? '')).status).toBe(429);
    await limit(none);
    const later = processAll(supplier, numbers.slice(2));
    await hold.waitFor(4);
    await hold.release();
    expect(codes([...(await answers), ...(await later)])).toEqual([201, 201, 201, 201]);
  });
});
