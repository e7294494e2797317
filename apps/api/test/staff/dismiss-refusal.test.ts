import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { refusal } from './refusal.ts';

let service: TestService;
let supplier: TestSupplier;
let accountImports: TestService['staff']['accountImports'];

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
  accountImports = service.staff.accountImports;
});
afterAll(() => service.stop());

/** An account that exists, two of whose imports were refused. */
async function refusedTwice() {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const one = { code: supplier.code, external_account_number: externalAccountNumber };
  const refuse = () => supplier.post('notes/create/', { ...reference, notes: [{}] });
  await refuse();
  await supplier.post('transactions/create/', { ...reference, transactions: [{}] });
  const open = async () => (await accountImports.get.query({ ...one, masked: true })).refusals;
  return { one, refuse, open };
}

test('14.6.10 a refusal is dismissed with a reason, and only that one; the last one completes the account', async () => {
  const { one, open } = await refusedTwice();
  const [notes, transactions] = await open();
  if (notes === undefined || transactions === undefined) throw new Error('Nothing is open');
  const dismiss = ({ operation, request_id }: typeof notes, reason: string) =>
    accountImports.dismissRefusal.mutate({ ...one, operation, request_id, reason });
  expect(await dismiss(notes, 'Never written')).toEqual([transactions]);
  expect(await accountImports.get.query(one)).toMatchObject({ complete: false });
  expect(await dismiss(transactions, 'Cleared by hand')).toEqual([]);
  const { complete, audit_trail } = await accountImports.get.query(one);
  expect(complete).toBe(true);
  expect(audit_trail.filter(({ action }) => action === 'refusal_dismissed').map(({ detail }) => detail)).toEqual([
    { operation: 'notes', code: 'request_failed_validation', reason: 'Never written' },
    { operation: 'transactions', code: 'request_failed_validation', reason: 'Cleared by hand' },
  ]);
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::int AS times FROM events WHERE type = 'account.completed' AND external_account_number = $1`,
    [one.external_account_number],
  );
  expect(rows).toEqual([{ times: 2 }]);
});

test('14.6.10 one that was refused again since it was seen stays open', async () => {
  const { one, refuse, open } = await refusedTwice();
  const [notes] = await open();
  await refuse();
  const seen = { operation: 'notes', request_id: notes?.request_id ?? '', reason: 'Never written' } as const;
  expect(await accountImports.dismissRefusal.mutate({ ...one, ...seen })).toHaveLength(2);
  expect((await accountImports.get.query(one)).audit_trail.map(({ action }) => action)).not.toContain(
    'refusal_dismissed',
  );
});

test('14.6.10 of an account that is not there nothing is dismissed', async () => {
  const dismissed = accountImports.dismissRefusal.mutate({
    ...{
      code: supplier.code,
      external_account_number: 'NOBODY',
      operation: 'line',
      request_id: 'x',
      reason: 'Why not',
    },
  });
  expect(await refusal(dismissed)).toMatchObject({ code: 'account_not_found' });
});
