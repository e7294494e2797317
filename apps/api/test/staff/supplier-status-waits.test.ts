import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { describe, expect, it } from 'vitest';
import { holdAccounts, holdAccountsIn, sessionsBehind } from '../account-imports/held-accounts.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const PROCESS = 'account-import-process/process/';
const STAGE = 'account-import-process/create-or-update/';

const service = await serviceOfFile();
await holdAccountsIn(service.database);

/** A call that creates an account and is held while it writes. */
async function holdProcess(supplier: TestSupplier) {
  const hold = await holdAccounts(service.database);
  const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const answer = supplier.post(PROCESS, supplier.processRequest(number));
  const [pid = 0] = await hold.waitFor(1);
  return { ...hold, answer, pid };
}

/** A call that stages an account again and waits for anyone who has locked it. */
async function holdStage(supplier: TestSupplier) {
  const account = supplier.account();
  await supplier.post(STAGE, account);
  const client = await borrowConnection(service.database.pool);
  await client.query('BEGIN');
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pg_backend_pid() AS pid FROM account_imports WHERE id = $1 FOR UPDATE',
    [accountImportId(supplier.code, account.external_account_number)],
  );
  const answer = supplier.post(STAGE, account);
  const [pid = 0] = await sessionsBehind(service.database, rows[0]?.pid ?? 0, 1);
  const release = () => client.query('COMMIT').then(() => client.release());
  return { answer, pid, release, [Symbol.dispose]: client[Symbol.dispose] };
}

function setStatus({ code }: TestSupplier, status: 'PAUSED' | 'COMPLETE') {
  return service.staff.importSuppliers.setStatus.mutate({ code, status, reason: 'Test' });
}

/** The last things that were done to the supplier and its accounts, in the order in which they were written. */
async function lastActions(count: number): Promise<string[]> {
  const rows = await service.database.prisma.auditEvent.findMany({ orderBy: { id: 'desc' }, take: count });
  return rows.map(({ action }) => action).reverse();
}

describe('the status of an import supplier with calls under way', () => {
  const held = [
    ['created', 'COMPLETE', holdProcess, 201, 'processed'],
    ['created', 'PAUSED', holdProcess, 201, 'processed'],
    ['staged', 'COMPLETE', holdStage, 200, 'staged_again'],
  ] as const;
  it.each(held)('3.2 while an account is being %s, %s is not answered before it is', async (...row) => {
    const [, status, hold, expected, action] = row;
    const supplier = await service.createSupplier();
    const call = await hold(supplier);
    const setting = setStatus(supplier, status);
    const waits = sessionsBehind(service.database, call.pid, 1);
    const first = await Promise.race([setting.then(() => 'answered'), waits.then(() => 'waits')]);
    await call.release();
    expect(first).toBe('waits');
    expect(await call.answer).toMatchObject({ status: expected });
    expect(await setting).toMatchObject({ status });
    expect(await lastActions(2)).toEqual([action, 'status_set']);
  });

  it('3.2 refuses what comes while the status waits to be set, once it is set', async () => {
    const supplier = await service.createSupplier();
    const [staged, again] = [await supplier.stage(), supplier.account()];
    using call = await holdProcess(supplier);
    const setting = setStatus(supplier, 'COMPLETE');
    const [settingPid = 0] = await sessionsBehind(service.database, call.pid, 1);
    const late = [supplier.post(PROCESS, supplier.processRequest(staged)), supplier.post(STAGE, again)];
    await sessionsBehind(service.database, settingPid, 2);
    await call.release();
    await setting;
    for (const { status, body } of await Promise.all(late)) {
      expect([status, body.code]).toEqual([400, 'import_supplier_migration_not_ongoing']);
    }
    const states = await service.staff.importSuppliers.get.query({ code: supplier.code });
    expect(states.counts).toEqual({ staged: 1, failed: 0, skipped: 0, completed: 1, undone: 0, complete: 1 });
  });

  it("3.2 keeps no other supplier's staging waiting", async () => {
    const [supplier, neighbour] = [await service.createSupplier(), await service.createSupplier()];
    using call = await holdProcess(supplier);
    const setting = setStatus(supplier, 'PAUSED');
    await sessionsBehind(service.database, call.pid, 1);
    const waiting = supplier.post(STAGE, supplier.account());
    const neighbours = Array.from({ length: 20 }, () => neighbour.post(STAGE, neighbour.account()));
    const answers = await Promise.all(neighbours);
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    await call.release();
    await setting;
    expect(await waiting).toMatchObject({ status: 400 });
  });

  it('3.2 is set although calls that stage never leave the supplier alone', async () => {
    const supplier = await service.createSupplier();
    let isSet = false;
    const stageOnAndOn = async () => {
      const answers: number[] = [];
      do answers.push((await supplier.post(STAGE, supplier.account())).status);
      while (!isSet);
      return answers;
    };
    const loads = Array.from({ length: 8 }, stageOnAndOn);
    await setStatus(supplier, 'COMPLETE').finally(() => {
      isSet = true;
    });
    const before = await service.database.prisma.accountImport.count({
      where: { import_supplier_code: supplier.code },
    });
    const answers = (await Promise.all(loads)).flat();
    expect(answers.filter((status) => status === 201)).toHaveLength(before);
    expect(await supplier.post(STAGE, supplier.account())).toMatchObject({ status: 400 });
  });
});
