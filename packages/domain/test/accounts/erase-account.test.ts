import { AccountPayload } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { accountImportId, answerOnce, eraseAccount, stageAccount } from '../../src/index.ts';
import { createSupplier } from '../support/create-supplier.ts';
import { staffContext } from '../support/staff-context.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);
const context = staffContext(database);

test('14.8.3 keeps no answer that was given while the account was being erased', async () => {
  await createSupplier(context, 'NORTHWIND');
  const key = { import_supplier: 'NORTHWIND', external_account_number: 'ACC-1' };
  await stageAccount(context, AccountPayload.parse({ ...key, customers: [{ family_name: 'Hartley' }] }));
  const accountId = accountImportId('NORTHWIND', 'ACC-1');
  const request = {
    key: 'key-1',
    digest: Buffer.alloc(32),
    accountImportId: accountId,
  };
  const answer = { status: 201, headers: {}, body: '{"note":"Zephyrine"}' };
  const transaction = (work: Parameters<Database['transaction']>[0]) =>
    database.transaction(async (within) => {
      const result = await work(within);
      await answerOnce(context, { request, outsideTransaction: false }, async () => answer);
      return result;
    });
  const erasing = { ...context, database: { ...database, transaction: transaction as Database['transaction'] } };

  await eraseAccount(erasing, { code: 'NORTHWIND', external_account_number: 'ACC-1', reason: 'Ticket 4711' });

  expect(await database.prisma.idempotencyKey.count({ where: { account_import_id: accountId } })).toBe(0);
});
