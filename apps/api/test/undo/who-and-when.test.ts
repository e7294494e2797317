import { describe, expect, test } from 'vitest';
import { refusal } from '../staff/refusal.ts';
import { allRows } from '../support/all-rows.ts';
import { createTestSupplier, obtainToken, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { tablesWith, UNDO, undoOf } from './support.ts';

const service = await serviceOfFile();
const { staff } = service;

/** What this refuses with, after it is seen that it has changed nothing. */
async function keptBecause(supplier: TestSupplier, number: string): Promise<string> {
  const rows = async () => {
    const { refresh_tokens: _ofTheCallers, ...others } = await allRows(service.database);
    return others;
  };
  const before = await rows();
  const { code } = await refusal(undoOf(service, supplier)(number));
  expect(await rows()).toEqual(before);
  return code;
}

describe('who may, and when', () => {
  test('30.2.1 never, unless its import supplier has hours for it; nor by suppliers, unless they may', async () => {
    const supplier = await service.createSupplier();
    const { externalAccountNumber } = await supplier.importAccount();
    expect(await keptBecause(supplier, externalAccountNumber)).toBe('undo_not_allowed');
    await staff.importSuppliers.update.mutate({ code: supplier.code, undo_hours: 1 });
    const request = { import_supplier_code: supplier.code, external_account_number: externalAccountNumber };
    const before = await allRows(service.database);
    const refused = await supplier.post(UNDO, request);
    expect([refused.status, refused.body.code]).toEqual([400, 'undo_not_allowed']);
    expect(await allRows(service.database)).toEqual(before);
    await staff.importSuppliers.update.mutate({ code: supplier.code, suppliers_may_undo: true });
    const { status, body } = await supplier.post(UNDO, request);
    expect([status, body.state]).toEqual([200, 'STAGED']);
  });

  test('30.2.1 has hours from 0 to 720', async () => {
    const { code } = await service.createSupplier();
    const hours = (undo_hours: number) => staff.importSuppliers.update.mutate({ code, undo_hours });
    expect(await hours(720)).toMatchObject({ undo_hours: 720, suppliers_may_undo: false });
    for (const wrong of [-1, 721, 1.5]) expect((await refusal(hours(wrong))).status).toBe(400);
  });

  test('30.2.2 until the last moment of its hours, and not after it', async () => {
    service.setTime('2026-04-20T11:30:00Z');
    const supplier = await service.createSupplier({ undo_hours: 72 });
    const then = createTestSupplier({ ...supplier, token: await obtainToken(service.url, supplier.apiKey) });
    const [one, other] = [await then.importAccount(), await then.importAccount()];
    service.setTime('2026-04-23T11:30:00.001Z');
    expect(await keptBecause(supplier, one.externalAccountNumber)).toBe('undo_time_over');
    service.setTime('2026-04-23T11:30:00Z');
    expect(await undoOf(service, supplier)(other.externalAccountNumber)).toMatchObject({ state: 'STAGED' });
    service.setTime(undefined);
  });

  test('30.2.3 not once the platform has adopted it, which is for good', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const numbers = [
      (await supplier.importAccount()).externalAccountNumber,
      (await supplier.importAccount()).externalAccountNumber,
    ];
    const adopt = () =>
      staff.accounts.adopt.mutate({ code: supplier.code, external_account_numbers: [...numbers, 'UNKNOWN'] });
    const adopted = await adopt();
    expect(adopted).toEqual([
      ...numbers.map((external_account_number) => ({ external_account_number, adopted_at: expect.any(String) })),
      { external_account_number: 'UNKNOWN', adopted_at: null },
    ]);
    expect(await adopt()).toEqual(adopted);
    for (const number of numbers) expect(await keptBecause(supplier, number)).toBe('account_adopted');
    const { audit_trail, adopted_at } = await staff.accountImports.get.query({
      ...{ code: supplier.code, external_account_number: numbers[0] ?? '' },
      masked: true,
    });
    expect(adopted_at).toBe(adopted[0]?.adopted_at);
    expect(audit_trail.filter(({ action }) => action === 'adopted')).toMatchObject([{ actor: 'staff' }]);
  });

  test('30.2.3 what does not exist is not adopted: it may be undone once it does', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const number = await supplier.stage();
    const [staged] = await staff.accounts.adopt.mutate({ code: supplier.code, external_account_numbers: [number] });
    expect(staged?.adopted_at).toBeNull();
    await supplier.post('account-import-process/process/', supplier.processRequest(number));
    expect(await undoOf(service, supplier)(number)).toMatchObject({ state: 'STAGED' });
  });

  test('30.2.4 not if it was erased, or its import supplier is Complete; if that is Paused, it is', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const erased = await supplier.importAccount();
    const account = await supplier.importAccount();
    const { code } = supplier;
    await staff.accounts.erase.mutate({
      ...{ code, external_account_number: erased.externalAccountNumber },
      reason: 'Asked',
    });
    expect(await keptBecause(supplier, erased.externalAccountNumber)).toBe('account_erased');
    const setStatus = (status: 'PAUSED' | 'COMPLETE') =>
      staff.importSuppliers.setStatus.mutate({ code, status, reason: 'Test' });
    await setStatus('COMPLETE');
    expect(await keptBecause(supplier, account.externalAccountNumber)).toBe('migration_complete');
    await staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING', reason: 'Test' });
    await setStatus('PAUSED');
    expect(await undoOf(service, supplier)(account.externalAccountNumber)).toMatchObject({ state: 'STAGED' });
  });

  test('30.2.5 not what does not exist, or is of another organisation', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1, suppliers_may_undo: true });
    const other = await service.createSupplier({ undo_hours: 1, suppliers_may_undo: true });
    const account = await supplier.importAccount();
    const staged = await supplier.stage();
    expect(await keptBecause(supplier, 'UNKNOWN')).toBe('account_not_found');
    expect(await keptBecause(supplier, staged)).toBe('account_not_created');
    const { status, body } = await other.post(UNDO, {
      ...{ import_supplier_code: supplier.code, external_account_number: account.externalAccountNumber },
    });
    expect([status, body.code]).toEqual([400, 'import_supplier_does_not_exist']);
    expect(await tablesWith(service, account.id)).toContain('accounts');
  });

  test('30.2.6 the service can remove an account in no other way', async () => {
    const supplier = await service.createSupplier({ undo_hours: 1 });
    const { id } = await supplier.importAccount();
    const remove = 'DELETE FROM accounts WHERE account_import_id = $1';
    await expect(service.database.pool.query(remove, [id])).rejects.toThrow('accounts are never removed');
    await expect(
      service.database.pool.query("SELECT undo_account($1, NULL, now() + interval '2 hours', true, '{}')", [id]),
    ).resolves.toMatchObject({ rows: [{ undo_account: expect.stringContaining('undo_time_over') }] });
    expect(await tablesWith(service, id)).toContain('accounts');
  });
});
