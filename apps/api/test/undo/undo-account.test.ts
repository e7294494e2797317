import { randomUUID } from 'node:crypto';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { describe, expect, test } from 'vitest';
import { refusal } from '../staff/refusal.ts';
import { allRows } from '../support/all-rows.ts';
import { rowsOfAccount } from '../support/rows-of-account.ts';
import { type ImportedAccount, serviceOfFile } from '../support/test-service.ts';
import { addHistory, HISTORY_REMOVED, tablesWith, UNDO, undoOf } from './support.ts';

const service = await serviceOfFile();
const { prisma } = service.database;
const supplier = await service.createSupplier({
  ...{ undo_hours: 72, suppliers_may_undo: true },
  undocumented_fields: 'KEEP',
});
const undo = undoOf(service, supplier);
const key = ({ reference }: ImportedAccount) => ({
  import_supplier_code: supplier.code,
  external_account_number: reference.external_account_number,
});
const importOf = ({ id }: Pick<ImportedAccount, 'id'>) => prisma.accountImport.findUniqueOrThrow({ where: { id } });
const statusOf = (number: string) => supplier.get(`account-transfer-status/${supplier.code}/${number}/`);

describe('one account', () => {
  test('30.1.1 removes every row that any call has imported into it, and answers what that was', async () => {
    const account = await supplier.importAccount({ transfer_balance: '-48.20', unknown: 'kept' });
    await addHistory(supplier, account);
    const before = await tablesWith(service, account.id);
    expect(before).toContain('kept_fields');
    const { externalAccountNumber, serviceAccountNumber } = account;
    const answer = await undo(externalAccountNumber);
    expect(answer).toMatchObject({
      ...{ external_account_number: externalAccountNumber, service_account_number: serviceAccountNumber },
      state: 'UNDONE',
      removed: { ...HISTORY_REMOVED, transfer_balance: '-48.20' },
    });
    expect(await tablesWith(service, account.id)).toEqual([]);
    expect(await importOf(account)).toMatchObject({
      ...{ state: 'UNDONE', payload: null, kept_fields: null, service_account_number: null, completed_at: null },
    });
    const [event] = await prisma.auditEvent.findMany({ where: { subject_id: account.id, action: 'undone' } });
    expect(event).toMatchObject({
      actor: 'staff',
      detail: { reason: 'Wrong tariff', service_account_number: serviceAccountNumber, ...answer.removed },
    });
    const [told] = await prisma.event.findMany({
      where: { type: 'account.undone', external_account_number: externalAccountNumber },
    });
    expect(told).toMatchObject({ service_account_number: serviceAccountNumber, data: {} });
  });

  test('30.1.2 leaves an account staged that its payload alone would create again', async () => {
    const account = await supplier.importAccount({ unknown: 'kept', notes: [{ body: 'Carried.' }] });
    const { payload, kept_fields } = await importOf(account);
    expect(await undo(account.externalAccountNumber)).toMatchObject({ state: 'STAGED', removed: { notes: 1 } });
    expect(await importOf(account)).toMatchObject({ state: 'STAGED', payload, kept_fields });
    const { status } = await supplier.post(
      'account-import-process/process/',
      supplier.processRequest(account.externalAccountNumber),
    );
    expect([status, await prisma.note.count({ where: { account_import_id: account.id } })]).toEqual([201, 1]);
  });

  test('30.1.2 removes a payload that was removed in part or lacks what was imported beside it', async () => {
    const account = await supplier.importAccount();
    const { status } = await supplier.post('notes/create/', { ...account.reference, notes: [{ body: 'Later.' }] });
    expect(status).toBe(201);
    expect(await undo(account.externalAccountNumber)).toMatchObject({ state: 'UNDONE' });
    const removed = await supplier.importAccount();
    await service.database.pool.query(
      'UPDATE account_imports SET payload = NULL, payload_removed_at = now() WHERE id = $1',
      [removed.id],
    );
    expect(await undo(removed.externalAccountNumber)).toMatchObject({ state: 'UNDONE' });
  });

  test('30.1.3 has the status UNKNOWN and is in the full list alone, until it is staged again', async () => {
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const { externalAccountNumber: number } = account;
    await undo(number);
    expect(await statusOf(number)).toMatchObject({
      status: 200,
      body: { status: 'UNKNOWN', service_account_number: '' },
    });
    const listed = async (list: string) => {
      const { body } = await supplier.get(`${list}-account-import-processes/${supplier.code}/`);
      return body.some((record: { external_account_number: string }) => record.external_account_number === number);
    };
    const inLists = async () => [await listed('all'), await listed('pending'), await listed('imported')];
    expect(await inLists()).toEqual([true, false, false]);
    const process = () => supplier.post('account-import-process/process/', supplier.processRequest(number));
    const refused = await process();
    expect([refused.status, refused.body.code]).toEqual([400, 'import_process_does_not_exist']);
    const account2 = supplier.account({ external_account_number: number });
    expect((await supplier.post('account-import-process/create-or-update/', account2)).status).toBe(200);
    expect(await inLists()).toEqual([true, true, false]);
    expect((await importOf(account)).payload_removed_at).toBeNull();
    expect((await process()).status).toBe(201);
    expect(await inLists()).toEqual([true, false, true]);
  });

  test('30.1.3 keeps its place in the list of imported accounts, and gets a new one at the end', async () => {
    const own = await service.createSupplier({ undo_hours: 1 });
    const first = await own.importAccount();
    const second = await own.importAccount();
    const after = async (number: string) => {
      const { body } = await own.get(`imported-account-import-processes/${own.code}/?limit=10&after=${number}`);
      return body.map((record: { external_account_number: string }) => record.external_account_number);
    };
    await undoOf(service, own)(first.externalAccountNumber);
    expect(await after(first.externalAccountNumber)).toEqual([second.externalAccountNumber]);
    await own.post('account-import-process/process/', own.processRequest(first.externalAccountNumber));
    expect(await after(second.externalAccountNumber)).toEqual([first.externalAccountNumber]);
  });

  test('30.1.4 can be skipped and brought back, erased, and undone again', async () => {
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const { externalAccountNumber: external_account_number } = account;
    const named = { code: supplier.code, external_account_number };
    await undo(external_account_number);
    await service.staff.accountImports.skip.mutate({ ...named, reason: 'Left' });
    expect(await service.staff.accountImports.unskip.mutate(named)).toMatchObject({ state: 'UNDONE' });
    expect((await refusal(undo(external_account_number))).code).toBe('account_not_created');
    await service.staff.accounts.erase.mutate({ ...named, reason: 'Asked' });
    expect(await importOf(account)).toMatchObject({ state: 'SKIPPED', skip_reason: 'Erased' });
    expect((await refusal(undo(external_account_number))).code).toBe('account_not_created');
  });

  test('30.1.5 draws the number of an undone account for no other account', async () => {
    const account = await supplier.importAccount();
    await undo(account.externalAccountNumber);
    const retired = await prisma.retiredServiceAccountNumber.findMany({ where: { account_import_id: account.id } });
    expect(retired).toMatchObject([
      { service_account_number: account.serviceAccountNumber, import_supplier_code: supplier.code },
    ]);
  });

  test('30.1.6 a dry run answers the same and changes nothing', async () => {
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const before = await allRows(service.database);
    const { status, body } = await supplier.post(UNDO, { ...key(account), dry_run: true });
    expect([status, body.code]).toEqual([400, 'dry_run_rolled_back']);
    expect(await refusal(undo(account.externalAccountNumber, { dry_run: true }))).toMatchObject({
      code: 'dry_run_rolled_back',
    });
    expect(await allRows(service.database)).toEqual(before);
    const done = await supplier.post(UNDO, key(account));
    expect([done.status, done.body]).toEqual([200, body.would_answer]);
  });

  test('30.1.7 repeats of calls about it get 409 until their keys expire, and do nothing; its own repeat does not', async () => {
    const account = await supplier.importAccount();
    const noteKey = { 'Idempotency-Key': randomUUID() };
    const note = { ...account.reference, notes: [{ body: 'Once.' }] };
    expect((await supplier.post('notes/create/', note, noteKey)).status).toBe(201);
    const undoKey = { 'Idempotency-Key': randomUUID() };
    const undone = await supplier.post(UNDO, key(account), undoKey);
    expect(undone.status).toBe(200);
    expect((await supplier.post(UNDO, key(account), undoKey)).body).toEqual(undone.body);
    const repeat = async () => {
      const { status, body } = await supplier.post('notes/create/', note, noteKey);
      return [status, body.code];
    };
    expect(await repeat()).toEqual([409, 'account_undone']);
    const again = supplier.account({ external_account_number: account.externalAccountNumber });
    await supplier.post('account-import-process/create-or-update/', again);
    await supplier.post('account-import-process/process/', supplier.processRequest(account.externalAccountNumber));
    expect(await repeat()).toEqual([409, 'account_undone']);
    expect(await prisma.note.count({ where: { account_import_id: account.id } })).toBe(0);
  });

  test('30.1.8 does not wait for a call that is working on the account: 429', async () => {
    const account = await supplier.importAccount();
    const before = await allRows(service.database);
    using client = await borrowConnection(service.database.pool);
    for (const lock of [
      `SELECT FROM accounts WHERE account_import_id = '${account.id}' FOR UPDATE`,
      `SELECT FROM accounts WHERE account_import_id = '${account.id}' FOR KEY SHARE`,
      `SELECT FROM account_imports WHERE id = '${account.id}' FOR UPDATE`,
      `SELECT pg_advisory_xact_lock(('x' || left(replace('${account.id}', '-', ''), 16))::bit(64)::bigint)`,
    ]) {
      await client.query('BEGIN');
      await client.query(lock);
      const { status, body, headers } = await supplier.post(UNDO, key(account));
      expect([status, body.code, headers.get('Retry-After')]).toEqual([429, 'account_in_progress', '1']);
      await client.query('COMMIT');
    }
    expect(await allRows(service.database)).toEqual(before);
  });

  test('30.1.9 resolves what is refused of it, and what is doubtful about a payload that stays is still open', async () => {
    const doubtful = { customers: [{ family_name: 'Hartley', email: 'nan@example.com' }], billing_name: 'nan' };
    const account = await supplier.importAccount(doubtful);
    await supplier.post('notes/create/', { ...account.reference, notes: [{}] });
    const open = async () => {
      const rows = await prisma.accountImportRefusal.findMany({
        where: { account_import_id: account.id, resolved_at: null },
      });
      return rows.map(({ operation, reported, is_created }) => [operation, reported !== '', is_created]);
    };
    expect((await open()).map(([operation]) => operation).sort()).toEqual(['notes', 'stage']);
    expect(await undo(account.externalAccountNumber)).toMatchObject({ state: 'STAGED' });
    expect(await open()).toEqual([['stage', true, false]]);
    expect(await prisma.incompleteAccount.count({ where: { account_import_id: account.id } })).toBe(0);
    const told = await prisma.event.findMany({
      where: { external_account_number: account.externalAccountNumber, type: { startsWith: 'account.' } },
      orderBy: { id: 'asc' },
    });
    expect(told.at(-1)?.type).toBe('account.undone');
  });

  test('30.1.10 R03 after an undo and the same calls again it is what it would be if it had been moved once', async () => {
    const untouched = await supplier.importAccount();
    await addHistory(supplier, untouched);
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    await undo(account.externalAccountNumber);
    const again = supplier.account({ external_account_number: account.externalAccountNumber });
    await supplier.post('account-import-process/create-or-update/', again);
    await supplier.post('account-import-process/process/', supplier.processRequest(account.externalAccountNumber));
    await addHistory(supplier, account);
    const different = [
      ...['id', 'account_import_id', 'external_account_number', 'service_account_number', 'payload', 'payload_size'],
      ...['staging_order', 'completion_order', 'times_staged', 'attempts', 'undone_at', 'created_at', 'staged_at'],
      ...['updated_at', 'completed_at', 'identifier', 'details'],
    ];
    const rowsOf = async ({ id }: ImportedAccount) => {
      const {
        audit_events: _,
        retired_service_account_numbers: __,
        ...rows
      } = await rowsOfAccount(service.database, id, different);
      return rows;
    };
    expect(await rowsOf(account)).toEqual(await rowsOf(untouched));
  });
});
