import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { allRows } from '../support/all-rows.ts';
import { type ImportedAccount, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { addHistory, HISTORY_REMOVED } from './support.ts';

const service = await serviceOfFile();
const { prisma } = service.database;
const supplier = await service.createSupplier({ undo_hours: 24, suppliers_may_undo: true });
const REPLACE = 'account-import-process/replace/';

const requestOf = (account: ImportedAccount, more: object = {}, of: TestSupplier = supplier) => ({
  ...of.account({ external_account_number: account.externalAccountNumber }),
  ...{ operations_team_name: of.teamName, expected_service_account_number: account.serviceAccountNumber },
  ...more,
});
const replace = (account: ImportedAccount, more: object = {}, headers = {}) =>
  supplier.post(REPLACE, requestOf(account, more), headers);
const instruction = (reference: string) => ({ payment_instruction: { vendor: 'SANDBOX', reference, type: 'CARD' } });

test('30.6.1 undoes the account and creates the new one with its history, in one step', async () => {
  const account = await supplier.importAccount();
  await addHistory(supplier, account);
  const { status, body } = await replace(account, {
    ...{ billing_name: 'Corrected', notes: [{ body: 'New.' }], statements: [statement('ST-9')] },
    ...instruction('pm_ok_2'),
  });
  expect([status, body]).toMatchObject([
    200,
    { replaced: { service_account_number: account.serviceAccountNumber, removed: HISTORY_REMOVED } },
  ]);
  expect(body.service_account_number).not.toBe(account.serviceAccountNumber);
  const where = { account_import_id: account.id };
  expect(await prisma.account.findUniqueOrThrow({ where })).toMatchObject({
    ...{ service_account_number: body.service_account_number, billing_name: 'Corrected' },
  });
  const notes = await prisma.note.findMany({ where });
  const instructions = await prisma.paymentInstruction.findMany({ where });
  expect([notes.map((note) => note.body), instructions.map(({ reference }) => reference)]).toEqual([
    ['New.'],
    ['pm_ok_2'],
  ]);
  const trail = await prisma.auditEvent.findMany({ where: { subject_id: account.id }, orderBy: { id: 'asc' } });
  expect(trail.slice(-6).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['undone', 'staged_again', 'processed', 'payment_instruction_imported']),
  );
});

test('30.6.2 if anything is refused, the account stays as it is', async () => {
  const account = await supplier.importAccount();
  await addHistory(supplier, account);
  const { refresh_tokens: _, ...before } = await allRows(service.database);
  const codeOf = async (more: object) => (await replace(account, more)).body.code;
  expect(await codeOf({ customers: [{ family_name: '' }] })).toBe('account_failed_validation');
  expect(await codeOf({ operations_team_name: 'Nobody' })).toBe('operations_team_name_does_not_exist');
  expect(await codeOf({ expected_service_account_number: 'A-00000000' })).toBe('account_number_differs');
  expect(await codeOf(instruction('pm_missing_1'))).toBe('payment_vendor_rejected');
  expect(await codeOf({ dry_run: true })).toBe('dry_run_rolled_back');
  const { refresh_tokens: __, ...after } = await allRows(service.database);
  expect(after).toEqual(before);
});

test('30.6.3 is allowed as an undo is', async () => {
  const account = await supplier.importAccount();
  const { code } = supplier;
  await service.staff.accounts.adopt.mutate({ code, external_account_numbers: [account.externalAccountNumber] });
  expect((await replace(account)).body.code).toBe('account_adopted');
  const other = await service.createSupplier({ undo_hours: 24 });
  const kept = await other.importAccount();
  const refused = await other.post(REPLACE, requestOf(kept, {}, other));
  expect(refused.body.code).toBe('undo_not_allowed');
});

test('30.6.4 of several at once with one expected number one takes effect, and its repeat has its answer', async () => {
  const account = await supplier.importAccount();
  const key = { 'Idempotency-Key': randomUUID() };
  const request = requestOf(account);
  const first = await supplier.post(REPLACE, request, key);
  expect(first.status).toBe(200);
  expect((await supplier.post(REPLACE, request, key)).body).toEqual(first.body);
  const now = { ...account, serviceAccountNumber: first.body.service_account_number };
  const answers = await Promise.all([1, 2, 3].map(() => replace(now)));
  const done = answers.filter(({ status }) => status === 200);
  expect(done).toHaveLength(1);
  const codes = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
  expect(codes.filter((code) => code !== 'account_in_progress' && code !== 'account_number_differs')).toEqual([]);
  expect(await prisma.retiredServiceAccountNumber.count({ where: { account_import_id: account.id } })).toBe(2);
});
