import { accountImportId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile } from '../support/test-service.ts';

const CREATE = 'historical-statements/create/';

const service = await serviceOfFile();
const inPounds = await service.createSupplier();
const inPence = await service.createSupplier({ of: inPounds, statement_amount_unit: 'MINOR' });

async function stored(account_import_id: string): Promise<string[]> {
  const where = { account_import_id };
  const rows = await service.database.prisma.statement.findMany({ where, orderBy: { statement_id: 'asc' } });
  return rows.map(({ statement_id, gross_amount }) => `${statement_id} ${gross_amount?.toFixed(2) ?? 'none'}`);
}

const attrsOf = (body: { errors: { attr: string; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr}: ${code}`);

test('2.9.4 the amounts of a supplier that sends pence are stored in pounds, and answered as sent', async () => {
  const accounts = [await inPence.importAccount(), await inPence.importAccount()] as const;
  const amounts = [11207, '11207', -5, 0];
  const statements = amounts.map((gross_amount, index) => statement(`S-${index}`, { gross_amount }));
  const input = { ...accounts[0].reference, statements };
  const twins = [accounts[0].externalAccountNumber, accounts[1].externalAccountNumber] as const;
  const { status, body } = await sameOverTrpc(inPence, 'importStatements', { input, twins });
  expect(status).toBe(201);
  expect(body.statements).toEqual(statements);
  const pounds = ['S-0 112.07', 'S-1 112.07', 'S-2 -0.05', 'S-3 0.00'];
  for (const { id } of accounts) expect(await stored(id)).toEqual(pounds);

  // The same again, spelled otherwise, is the same; a hundredth of it is not.
  const again = { ...input, statements: [statement('S-0', { gross_amount: '011207' })] };
  expect((await inPence.post(CREATE, again)).status).toBe(201);
  const other = { ...input, statements: [statement('S-0', { gross_amount: 112 })] };
  expect((await inPence.post(CREATE, other)).body.code).toBe('historical_statement_already_exists');
  expect(await stored(accounts[0].id)).toEqual(pounds);
});

test('2.9.4 amounts with decimals are refused by name where pence are sent, and nothing is stored', async () => {
  const { id, reference } = await inPence.importAccount();
  const statements = [1, 112.07, '112.00', 'x'].map((gross_amount, index) => statement(`S-${index}`, { gross_amount }));
  const { status, body } = await sameOverTrpc(inPence, 'importStatements', { input: { ...reference, statements } });
  expect([status, body.code]).toEqual([400, 'request_failed_validation']);
  expect(attrsOf(body).sort()).toEqual([
    'statements.1.gross_amount: max_decimal_places',
    'statements.2.gross_amount: max_decimal_places',
    'statements.3.gross_amount: invalid',
  ]);
  expect(await stored(id)).toEqual([]);
});

test('2.9.4 what is stored does not change with the setting, and a repeat is compared in pounds', async () => {
  const supplier = await service.createSupplier({ of: inPounds });
  const { id, reference } = await supplier.importAccount();
  const send = (gross_amount: number) =>
    supplier.post(CREATE, { ...reference, statements: [statement('S-1', { gross_amount })] });
  expect((await send(112.07)).status).toBe(201);
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, statement_amount_unit: 'MINOR' });
  expect((await send(11207)).status).toBe(201);
  expect((await send(112.07)).body.code).toBe('request_failed_validation');
  expect(await stored(id)).toEqual(['S-1 112.07']);
});

test('2.9.4 the statements that an account carries are converted when it is staged', async () => {
  const statements = [statement('S-1', { gross_amount: 11207 }), statement('S-2', { gross_amount: '5' })];
  const validated = await sameOverTrpc(inPence, 'validateAccount', { input: inPence.account({ statements }) });
  const amounts = (body: { statements: { gross_amount: unknown }[] }) => body.statements.map((one) => one.gross_amount);
  expect(amounts(validated.body)).toEqual(['112.07', '0.05']);
  const refused = await inPence.post('validate-account/', inPence.account({ statements: [statement('S-1')] }));
  expect([refused.body.code, ...attrsOf(refused.body)]).toEqual([
    'account_failed_validation',
    'statements.0.gross_amount: max_decimal_places',
  ]);
  const number = await inPence.stage({ statements });
  // The account is created with what was meant when it was staged.
  await service.staff.importSuppliers.update.mutate({ code: inPence.code, statement_amount_unit: 'MAJOR' });
  const processed = await inPence.post('account-import-process/process/', inPence.processRequest(number));
  await service.staff.importSuppliers.update.mutate({ code: inPence.code, statement_amount_unit: 'MINOR' });
  expect(processed.status).toBe(201);
  expect(await stored(accountImportId(inPence.code, number))).toEqual(['S-1 112.07', 'S-2 0.05']);
});

test('2.9.4 a statement without an amount has none in either unit', async () => {
  const account = await inPence.importAccount();
  const { gross_amount: _left, ...bare } = statement('S-1');
  const { status, body } = await inPence.post('historical-statements/create/', {
    ...account.reference,
    statements: [bare],
  });
  expect([status, body.statements]).toEqual([201, [bare]]);
  expect(await stored(account.id)).toEqual(['S-1 none']);
});
