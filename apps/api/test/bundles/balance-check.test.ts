import { accountImportId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from '../transactions/examples.ts';
import { CLOSED, NOW, PROCESS } from './support.ts';

const STAGE = 'account-import-process/create-or-update/';

const service = await serviceOfFile();
service.setTime(NOW);
const reporting = await service.createSupplier();
const refusing = await service.createSupplier({ balance_check: 'REFUSE' });
const indifferent = await service.createSupplier({ balance_check: 'OFF' });

/** -100.50 + 52.30 = -48.20, and -76.54 since: the last two do not make -48.20. */
const UNBALANCED = {
  historical_transactions: CLOSED,
  last_statement_balance: '-48.20',
  transactions: [charge('T-1')],
  transfer_balance: '-48.20',
};
const BALANCED = { ...UNBALANCED, transfer_balance: '-124.74' };
/** Its lines and taxes are 80.36. */
const supply = {
  ...{ transaction_id: 'S-1', transaction_date: '2026-04-05' },
  ...{ ...EVERY_TYPE.SUPPLY_CHARGE, amount: 80.37 },
};

async function problemsOf({ code }: TestSupplier, number: string) {
  const { rows } = await service.database.pool.query(
    `SELECT operation, reported, errors, detail, resolved_at IS NULL AS is_open
    FROM account_import_refusals WHERE account_import_id = $1 AND reported <> ''`,
    [accountImportId(code, number)],
  );
  return rows;
}

const reported = (operation: string, attr: string, sums: { sent: string; computed: string }) => ({
  operation,
  reported: 'balance_does_not_add_up',
  errors: [{ code: 'balance_does_not_add_up', attr }],
  detail: sums,
  is_open: true,
});

test('4.17.14 what does not add up is staged and created, and remembered with both sums until it is fixed', async () => {
  const number = await reporting.stage(UNBALANCED);
  const sums = { sent: '-48.20', computed: '-124.74' };
  expect(await problemsOf(reporting, number)).toEqual([reported('stage', 'transfer_balance', sums)]);
  const again = { ...reporting.account(BALANCED), external_account_number: number };
  expect((await reporting.post(STAGE, again)).status).toBe(200);
  expect((await problemsOf(reporting, number)).filter(({ is_open }) => is_open)).toEqual([]);
  await reporting.post(STAGE, { ...again, ...UNBALANCED });
  expect((await reporting.post(PROCESS, reporting.processRequest(number))).status).toBe(201);
  expect(await problemsOf(reporting, number)).toEqual([reported('stage', 'transfer_balance', sums)]);
});

test('4.17.14 nothing is remembered of what adds up, of a validation, or where the check is off', async () => {
  const balanced = await reporting.stage(BALANCED);
  expect(await problemsOf(reporting, balanced)).toEqual([]);
  const input = reporting.account(UNBALANCED);
  expect((await sameOverTrpc(reporting, 'validateAccount', { input })).status).toBe(200);
  expect(await problemsOf(reporting, input.external_account_number)).toEqual([]);
  const number = await indifferent.stage(UNBALANCED);
  expect(await problemsOf(indifferent, number)).toEqual([]);
});

test('4.17.14 a strict import supplier refuses each amount that does not add up, with all other problems', async () => {
  const input = refusing.account({
    ...UNBALANCED,
    last_statement_balance: '-48.21',
    transactions: [charge('T-1'), supply],
    customers: [{ family_name: 'Hartley', landline: '1' }],
  });
  for (const procedure of ['validateAccount', 'stageAccount'] as const) {
    const { status, body } = await sameOverTrpc(refusing, procedure, { input });
    expect(status).toBe(400);
    expect(body.code).toBe('account_failed_validation');
    expect(body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`)).toEqual([
      'customers.0.landline: invalid_phone_number',
      'last_statement_balance: balance_does_not_add_up',
      'transfer_balance: balance_does_not_add_up',
      'transactions.1.amount: balance_does_not_add_up',
    ]);
  }
  expect((await refusing.post(STAGE, refusing.account(BALANCED))).status).toBe(201);
});

test('4.17.13 the import of transactions reports a supply charge that does not add up, or refuses it', async () => {
  const { externalAccountNumber, reference } = await reporting.importAccount();
  const send = (by: TestSupplier, account: object) =>
    by.post('transactions/create/', { ...account, transactions: [charge('T-1'), supply] });
  expect((await send(reporting, reference)).status).toBe(201);
  const sums = { sent: '80.37', computed: '80.36' };
  const remembered = [reported('transactions', 'transactions.1.amount', sums)];
  expect(await problemsOf(reporting, externalAccountNumber)).toEqual(remembered);

  const strict = await refusing.importAccount();
  const { status, body } = await send(refusing, strict.reference);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    errors: [{ attr: 'transactions.1.amount', code: 'balance_does_not_add_up' }],
    transaction_data: { transaction_id: 'S-1' },
    status: 'TRANSACTION_IMPORT_ERROR',
  });
  const where = { account_import_id: strict.id };
  expect(await service.database.prisma.transaction.count({ where })).toBe(0);
});

/** Runs `work` while the database refuses every report. */
async function withoutReports<T>(work: () => Promise<T>): Promise<T> {
  const { pool } = service.database;
  await pool.query("ALTER TABLE account_import_refusals ADD CONSTRAINT no_reports CHECK (reported = '') NOT VALID");
  try {
    return await work();
  } finally {
    await pool.query('ALTER TABLE account_import_refusals DROP CONSTRAINT no_reports');
  }
}

test('4.15.10 transactions whose problem cannot be stored are not stored either, and can be sent again', async () => {
  const { id, reference } = await reporting.importAccount();
  const request = { ...reference, check_previously_added: false, transactions: [supply] };
  const send = () => reporting.post('transactions/create/', request);
  const booked = () => service.database.prisma.transaction.count({ where: { account_import_id: id } });
  expect((await withoutReports(send)).status).toBe(500);
  expect(await booked()).toBe(0);
  expect((await send()).status).toBe(201);
  expect(await booked()).toBe(1);
});

test('4.15.10 a staging whose problem cannot be stored stages nothing', async () => {
  const number = await reporting.stage(BALANCED);
  const staged = () => service.database.prisma.accountImport.findFirst({ where: { external_account_number: number } });
  const before = await staged();
  const faulty = { ...reporting.account(UNBALANCED), external_account_number: number };
  expect((await withoutReports(() => reporting.post(STAGE, faulty))).status).toBe(500);
  expect(await staged()).toEqual(before);
});
