import { randomUUID } from 'node:crypto';
import { putReconciliation } from '@causeway/testing';
import { expect, test } from 'vitest';
import { lodge } from '../reconciliations/reconcile.ts';
import {
  type ImportedAccount,
  obtainToken,
  type RestAnswer,
  serviceOfFile,
  trpcClient,
} from '../support/test-service.ts';
import { addHistory, tablesWith, UNDO, undoOf } from './support.ts';

const service = await serviceOfFile();
const { prisma, pool } = service.database;
const supplier = await service.createSupplier({ undo_hours: 1, suppliers_may_undo: true });
const undo = ({ externalAccountNumber: external_account_number }: ImportedAccount) =>
  supplier.post(UNDO, { import_supplier_code: supplier.code, external_account_number });
const outcomeOf = ({ status, body }: RestAnswer) => `${status} ${body.code ?? body.state ?? ''}`.trim();
const stateOf = async ({ id }: ImportedAccount) =>
  (await prisma.accountImport.findUniqueOrThrow({ where: { id } })).state;

test('30.1.8 of several undos at once one takes effect', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await supplier.importAccount();
    await addHistory(supplier, account);
    const outcomes = (await Promise.all([1, 2, 3, 4].map(() => undo(account)))).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === '200 UNDONE')).toHaveLength(1);
    expect(
      outcomes.filter((outcome) => !/^(200 UNDONE|429 .*progress|400 account_not_created)$/.test(outcome)),
    ).toEqual([]);
    expect(await prisma.retiredServiceAccountNumber.count({ where: { account_import_id: account.id } })).toBe(1);
    expect(await prisma.auditEvent.count({ where: { subject_id: account.id, action: 'undone' } })).toBe(1);
  }
});

test('30.1.1 30.1.8 beside imports there is the whole account with what was answered, or nothing', async () => {
  for (let round = 0; round < 10; round += 1) {
    const account = await supplier.importAccount();
    const notes = Array.from({ length: 4 }, (_, index) =>
      supplier.post('notes/create/', { ...account.reference, notes: [{ body: `Note ${index}` }] }),
    );
    const [undone, ...answers] = await Promise.all([undo(account), ...notes]);
    const left = await tablesWith(service, account.id);
    if (outcomeOf(undone as RestAnswer).startsWith('200')) {
      expect(left).toEqual([]);
      expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 404)).toEqual([]);
    } else {
      expect(outcomeOf(undone as RestAnswer)).toBe('429 account_in_progress');
      expect(await prisma.note.count({ where: { account_import_id: account.id } })).toBe(4);
    }
  }
});

test('30.1.3 30.1.8 beside a creation the account is created, or what it was before', async () => {
  for (let round = 0; round < 10; round += 1) {
    const account = await supplier.importAccount();
    const process = () =>
      supplier.post('account-import-process/process/', supplier.processRequest(account.externalAccountNumber));
    await Promise.all([undo(account), process(), undo(account), process()]);
    const accounts = await prisma.account.count({ where: { account_import_id: account.id } });
    expect([await stateOf(account), accounts]).toEqual(
      (await stateOf(account)) === 'COMPLETED' ? ['COMPLETED', 1] : ['STAGED', 0],
    );
    const undos = await prisma.retiredServiceAccountNumber.count({ where: { account_import_id: account.id } });
    const created = await prisma.auditEvent.count({ where: { subject_id: account.id, action: 'processed' } });
    expect(created - undos).toBe(accounts);
  }
});

test('30.2.4 30.1.8 beside an erasure the account is erased, or undone and then erased', async () => {
  for (let round = 0; round < 5; round += 1) {
    const account = await supplier.importAccount();
    const erase = service.staff.accounts.erase.mutate({
      ...{ code: supplier.code, external_account_number: account.externalAccountNumber },
      reason: 'Asked',
    });
    const [undone] = await Promise.all([undo(account), erase]);
    const { state, erased_at, payload } = await prisma.accountImport.findUniqueOrThrow({ where: { id: account.id } });
    expect([erased_at !== null, payload]).toEqual([true, null]);
    expect(state).toBe(undone.status === 200 ? 'SKIPPED' : 'COMPLETED');
  }
});

test('30.2.7 of an undo and a sign-off at the same time one takes effect', async () => {
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person: 'Priya Raman' });
  const priya = trpcClient(service.url, await obtainToken(service.url, api_key));
  const query = async (text: string, values: unknown[]) => (await pool.query(text, values)).rows;
  for (let round = 0; round < 5; round += 1) {
    const account = await supplier.importAccount();
    const lines = [{ external_account_number: account.externalAccountNumber }];
    const id = await putReconciliation(query, await lodge(supplier, { lines }), 1);
    await pool.query(
      `UPDATE reconciliations SET state = 'FINISHED', verdict = 'EQUAL', finished_at = now(), differences = 0,
        differences_digest = '\\x00', missing = 0, extra = 0, not_created = 0, skipped = 0, different = 0, moved_ranges = 0,
        started_at = now(), expected = '{}', actual = '{}', covered = '{}',
        undone_before = (SELECT count(*) FROM retired_service_account_numbers WHERE import_supplier_code = $2)
      WHERE id = $1`,
      [id, supplier.code],
    );
    const signing = priya.reconciliations.signOff.mutate({ id, note: 'Looked at.' }).then(
      () => true,
      () => false,
    );
    const [undone, isSigned] = await Promise.all([undo(account), signing]);
    expect(undone.status === 200).toBe(!isSigned);
  }
});

test('30.1.7 a call with a key that is still running cannot keep its answer any more', async () => {
  const account = await supplier.importAccount();
  const id = randomUUID();
  await pool.query(
    `INSERT INTO idempotency_keys (id, request_digest, claim, claimed_until, expires_at, account_import_id)
    VALUES ($1, '', $1, now() + interval '30 seconds', now() + interval '24 hours', $2)`,
    [id, account.id],
  );
  await undoOf(service, supplier)(account.externalAccountNumber);
  const kept = await prisma.idempotencyKey.findUniqueOrThrow({ where: { id } });
  expect([kept.status, JSON.parse(kept.body ?? '').code]).toEqual([409, 'account_undone']);
});
