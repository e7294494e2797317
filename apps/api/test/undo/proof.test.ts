import { describe, expect, test } from 'vitest';
import { reconcile } from '../reconciliations/reconcile.ts';
import { refusal } from '../staff/refusal.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { obtainToken, type TestSupplier, trpcClient, until } from '../support/test-service.ts';
import { addHistory, undoOf } from './support.ts';

const service = await serviceWithLanes();
const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person: 'Priya Raman' });
const priya = trpcClient(service.url, await obtainToken(service.url, api_key));
const signOff = (id: string) => priya.reconciliations.signOff.mutate({ id, note: 'Looked at.' });
const linesOf = (...numbers: string[]) => numbers.map((external_account_number) => ({ external_account_number }));
const reconciled = async ({ code }: TestSupplier) => {
  const { conditions } = await service.staff.overview.readiness.query({ code });
  return conditions.find(({ name }) => name === 'reconciled');
};

describe('the proof', () => {
  test('30.5.1 a reconciliation shows an undone account as one that is not created', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const { externalAccountNumber: number } = account;
    await undoOf(service, supplier)(number);
    const { id, verdict } = await reconcile(supplier, { lines: linesOf(number) });
    const { body } = await supplier.get(`reconciliations/${id}/differences/?limit=10`);
    expect([verdict, body]).toEqual([
      'DIFFERENT',
      [expect.objectContaining({ external_account_number: number, kind: 'NOT_CREATED', actual: 'UNDONE' })],
    ]);
  });

  test('30.5.1 an account that lost an import by an undo is compared again, though it was created once more', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const { externalAccountNumber: number, reference } = await supplier.importAccount();
    await supplier.post('notes/create/', { ...reference, notes: [{ body: 'A note.' }] });
    const { id, verdict } = await reconcile(supplier, { lines: [{ external_account_number: number, notes: 1 }] });
    await undoOf(service, supplier)(number);
    await supplier.post(
      'account-import-process/create-or-update/',
      supplier.account({ external_account_number: number }),
    );
    await supplier.post('account-import-process/process/', supplier.processRequest(number));
    // As if it were still to be read again whether anything has changed.
    await service.database.pool.query(
      `UPDATE reconciliations SET state = 'RUNNING', verdict = NULL, finished_at = NULL, read_again = 0 WHERE id = $1`,
      [id],
    );
    const read = async () => (await supplier.get(`reconciliations/${id}/`)).body;
    await until(async () => (await read()).state === 'FINISHED');
    expect([verdict, (await read()).verdict]).toEqual(['EQUAL', 'DIFFERENT']);
  });

  test('30.5.2 24.3.2 24.2.5 one that finished before an undo cannot be signed off any more, and readiness asks for another', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const [one, other] = [await supplier.importAccount(), await supplier.importAccount()];
    const lines = linesOf(one.externalAccountNumber, other.externalAccountNumber);
    const { id } = await reconcile(supplier, { lines });
    await undoOf(service, supplier)(one.externalAccountNumber);
    // Created again, there are as many accounts as before.
    await supplier.post('account-import-process/process/', supplier.processRequest(one.externalAccountNumber));
    expect(await refusal(signOff(id))).toMatchObject({ code: 'reconciliation_state_not_allowed' });
    expect(await reconciled(supplier)).toMatchObject({
      ok: false,
      count: 1,
      sentence: expect.stringContaining('1 account undone since: reconcile again.'),
    });
    const next = await reconcile(supplier, { lines });
    expect(await signOff(next.id)).toMatchObject({ signed_off: { person: 'Priya Raman' } });
    expect(await reconciled(supplier)).toMatchObject({ ok: true });
  });

  test('30.2.7 an account that a signed-off reconciliation names is kept, one that it does not name is not', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const [named, other] = [await supplier.importAccount(), await supplier.importAccount()];
    const { id } = await reconcile(supplier, { lines: linesOf(named.externalAccountNumber) });
    await signOff(id);
    const undo = undoOf(service, supplier);
    expect(await refusal(undo(named.externalAccountNumber))).toMatchObject({ code: 'account_signed_off' });
    expect(await undo(other.externalAccountNumber)).toMatchObject({ state: 'STAGED' });
    expect(await reconciled(supplier)).toMatchObject({ ok: false });
  });

  test('30.5.3 it is counted by its state, and read back without what was removed', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const { externalAccountNumber: number } = account;
    await undoOf(service, supplier)(number);
    const { status, body } = await supplier.get(`accounts/${supplier.code}/${number}/`);
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ state: 'UNDONE', service_account_number: null, account_created_at: null, account: null, complete: false },
        figures: { notes: 0, payment_instructions: 0, statements: { count: 0 }, transactions: { count: 0 } },
      },
    ]);
    const listed = await service.staff.accountImports.list.query({ code: supplier.code, state: 'UNDONE' });
    expect(listed).toMatchObject([{ external_account_number: number, undone_at: expect.any(String) }]);
    const { counts } = await service.staff.importSuppliers.get.query({ code: supplier.code });
    expect(counts).toMatchObject({ undone: 1, completed: 0, complete: 0 });
  });

  test('14.6.5 the number that its customer was told still finds it', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const { externalAccountNumber, serviceAccountNumber } = await supplier.importAccount();
    await undoOf(service, supplier)(externalAccountNumber);
    const { matches } = await service.staff.accountImports.find.query({ text: serviceAccountNumber });
    expect(matches).toMatchObject([
      { external_account_number: externalAccountNumber, matched: 'service_account_number', state: 'STAGED' },
    ]);
  });
});
