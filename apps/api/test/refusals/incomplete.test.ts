import { keepProblems } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { type ImportedAccount, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { accepted, refused, TRANSACTIONS } from './refused-calls.ts';

const service = await serviceOfFile();

const OPEN = `
  SELECT count(DISTINCT account_import_id)::integer AS incomplete
  FROM account_import_refusals
  WHERE import_supplier_code = $1 AND resolved_at IS NULL AND is_created AND reported = ''`;
const CALLS = [
  { path: TRANSACTIONS, refused, accepted },
  {
    path: 'notes/create/',
    refused: ({ reference }: ImportedAccount) => ({ ...reference, notes: [{}] }),
    accepted: ({ reference }: ImportedAccount) => ({ ...reference, notes: [{ body: 'x' }] }),
  },
  {
    path: 'historical-statements/create/',
    refused: ({ reference }: ImportedAccount) => ({ ...reference, statements: [{}] }),
    accepted: ({ reference }: ImportedAccount) => ({
      ...reference,
      statements: [statement('S-1', { statement_path: 'statements/1.pdf' })],
    }),
  },
] as const;

const addUp = () => keepProblems(service.database, new Date());

/** By the counts that are kept, and by counting. */
async function incompleteOf({ code }: TestSupplier): Promise<{ counted: number; open: number; listed: number }> {
  const { counts } = await service.staff.importSuppliers.get.query({ code });
  const { rows } = await service.database.pool.query<{ incomplete: number }>(OPEN, [code]);
  const { length: listed } = await service.staff.accountImports.list.query({ code, complete: false });
  return { counted: counts.completed - counts.complete, open: rows[0]?.incomplete ?? -1, listed };
}

test('4.15.6 incomplete accounts are counted exactly while their operations are refused and fixed at once', async () => {
  const supplier = await service.createSupplier();
  const other = await service.startInstance();
  const accounts = await Promise.all(Array.from({ length: 6 }, () => supplier.importAccount()));
  const send = (account: ImportedAccount, kind: 'refused' | 'accepted') =>
    CALLS.map(async (call, index) => {
      const url = index % 2 === 0 ? service.url : other.url;
      const { status } = await fetch(`${url}/v1/data-import/${call.path}`, {
        method: 'POST',
        headers: { Authorization: supplier.token, 'Content-Type': 'application/json' },
        body: JSON.stringify(call[kind](account)),
      });
      expect([status, call.path]).toEqual([kind === 'refused' ? 400 : 201, call.path]);
    });
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([addUp(), ...accounts.flatMap((account) => send(account, 'refused'))]);
    expect(await incompleteOf(supplier)).toEqual({ counted: 6, open: 6, listed: 6 });
    // Some are fixed while the others are refused again.
    const fixed = accounts.slice(0, 3).flatMap((account) => send(account, 'accepted'));
    const repeated = accounts.slice(2).flatMap((account) => send(account, 'refused'));
    await Promise.all([addUp(), ...fixed, ...repeated, addUp()]);
    const { counted, open, listed } = await incompleteOf(supplier);
    expect([counted, listed]).toEqual([open, open]);
    await Promise.all([...accounts.flatMap((account) => send(account, 'accepted')), addUp()]);
    await expect.poll(() => incompleteOf(supplier)).toEqual({ counted: 0, open: 0, listed: 0 });
  }
  await addUp();
  const where = { import_supplier_code: supplier.code };
  expect(await service.database.prisma.incompleteAccountCount.count({ where })).toBe(0);
  expect(await service.database.prisma.incompleteAccount.count({ where })).toBe(0);
});

test('4.15.6 two that open the first refusals of an account, or resolve the last ones, in one moment count it once', async () => {
  const supplier = await service.createSupplier();
  const account = await supplier.importAccount();
  const { pool } = service.database;
  using first = await borrowConnection(pool);
  using second = await borrowConnection(pool);
  const counted = async () => (await incompleteOf(supplier)).counted;
  const at = new Date();
  const open = (operation: string) => ({
    text: `INSERT INTO account_import_refusals (account_import_id, operation, import_supplier_code,
        external_account_number, code, errors, problems, is_staged, is_created, request_id, first_seen_at, last_seen_at)
      VALUES ($1, $2, $3, $4, 'x', '[]', '{x}', true, true, 'r', $5, $5)`,
    values: [account.id, operation, supplier.code, account.externalAccountNumber, at],
  });
  const resolve = (operation: string) => ({
    text: 'UPDATE account_import_refusals SET resolved_at = $3 WHERE account_import_id = $1 AND operation = $2',
    values: [account.id, operation, at],
  });
  const atOnce = async (...statements: [ReturnType<typeof open>, ReturnType<typeof open>]) => {
    for (const client of [first, second]) await client.query('BEGIN');
    await first.query(statements[0]);
    const waits = second.query(statements[1]);
    await first.query('COMMIT');
    await waits;
    await second.query('COMMIT');
  };
  await atOnce(open('notes'), open('statements'));
  expect(await counted()).toBe(1);
  await first.query(resolve('notes'));
  await first.query(open('process'));
  expect(await counted()).toBe(1);
  await atOnce(resolve('process'), resolve('statements'));
  expect(await counted()).toBe(0);
  // One opens while the last one is resolved, before and after it: the account does not become complete.
  await first.query(open('transactions'));
  await atOnce(resolve('transactions'), open('validate'));
  expect(await incompleteOf(supplier)).toEqual({ counted: 1, open: 1, listed: 1 });
  await atOnce(open('dry_run'), resolve('validate'));
  expect(await incompleteOf(supplier)).toEqual({ counted: 1, open: 1, listed: 1 });
});

test('4.15.6 an account that is created, skipped or erased with open refusals is counted as what it is then', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const number = await supplier.stage();
  const reference = { import_supplier: code, external_account_number: number };
  await supplier.post('notes/create/', { ...reference, notes: [{ body: 'x' }] });
  expect((await incompleteOf(supplier)).counted).toBe(0);
  await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(await incompleteOf(supplier)).toEqual({ counted: 1, open: 1, listed: 1 });
  await service.staff.accounts.erase.mutate({ code, external_account_number: number, reason: 'Asked for' });
  expect(await incompleteOf(supplier)).toEqual({ counted: 0, open: 0, listed: 0 });
});
