import { randomUUID } from 'node:crypto';
import { accountImportId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const STAGE = 'account-import-process/create-or-update/';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const strict = await service.createSupplier();
const lenient = await service.createSupplier({ of: strict, empty_means_omitted: true });

const EMPTY_IN_CUSTOMER = { title: '', email: null, alternative_phone_numbers: [], customer_preferences: {} };
const EMPTY_IN_ACCOUNT = {
  billing_name: '',
  billing_email: null,
  last_billed_to_date: '',
  account_type: null,
  payment_schedules: [],
  billing_address: { street_address: '', country: null },
  billing_address1: null,
  billing_address2: '',
  billing_address4: '',
  billing_postcode: '',
};

const { supply_addresses } = strict.account();

/** An account as some suppliers write it: every field is there, and what is not known is empty. */
const wordy = ({ account }: TestSupplier) =>
  account({ ...EMPTY_IN_ACCOUNT, supply_addresses, customers: [{ given_name: 'Zoë', ...EMPTY_IN_CUSTOMER }] });

/** The same without the empty fields. */
function terse({ account }: TestSupplier) {
  const without = Object.fromEntries(Object.keys(EMPTY_IN_ACCOUNT).map((name) => [name, undefined]));
  return account({ ...without, supply_addresses, customers: [{ given_name: 'Zoë' }] });
}

const attrsOf = (body: { errors: { attr: string; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr}: ${code}`).sort();

async function staged(number: string, { code }: TestSupplier) {
  const where = { id: accountImportId(code, number) };
  const row = await service.database.prisma.accountImport.findUnique({ where });
  const { external_account_number: _, ...payload } = Object(row?.payload);
  return payload;
}

test('2.2.14 an empty optional field is refused, unless the supplier is configured otherwise', async () => {
  const answer = await sameOverTrpc(strict, 'validateAccount', { input: wordy(strict) });
  expect(answer.status).toBe(400);
  expect(attrsOf(answer.body)).toEqual(
    expect.arrayContaining(['account_type: null', 'billing_name: blank', 'customers.0.email: null']),
  );
});

test('2.2.14 an account with empty fields is validated, staged and created like one without them', async () => {
  const validated = await sameOverTrpc(lenient, 'validateAccount', { input: wordy(lenient) });
  expect([validated.status, validated.body.errors]).toEqual([200, undefined]);
  const other = (await lenient.post('validate-account/', terse(lenient))).body;
  expect({ ...validated.body, external_account_number: '' }).toEqual({ ...other, external_account_number: '' });

  const twins = [wordy(lenient), wordy(lenient)].map(({ external_account_number: number }) => number);
  const [overRest = '', overTrpc = ''] = twins;
  await sameOverTrpc(lenient, 'stageAccount', { input: wordy(lenient), twins: [overRest, overTrpc] });
  const plain = terse(lenient);
  expect((await lenient.post(STAGE, plain)).status).toBe(201);
  const expected = await staged(plain.external_account_number, lenient);
  expect(expected).toMatchObject({ account_type: 'DOMESTIC', customers: [{ given_name: 'Zoë' }] });
  for (const number of twins) expect(await staged(number, lenient)).toEqual(expected);

  const process = 'account-import-process/process/';
  expect((await lenient.post(process, lenient.processRequest(overRest))).status).toBe(201);
  const id = accountImportId(lenient.code, overRest);
  const account = await service.database.prisma.account.findUnique({ where: { account_import_id: id } });
  expect(account).toMatchObject({ billing_name: null, billing_email: null, account_type: 'DOMESTIC' });
  const customers = await service.database.prisma.customer.findMany({ where: { account_import_id: id } });
  expect(customers).toMatchObject([{ given_name: 'Zoë', title: null, email: null }]);
});

test('2.2.14 holds in notes, transactions, statements and payment instructions', async () => {
  const { id, reference } = await lenient.importAccount();
  const where = { account_import_id: id };
  const { prisma } = service.database;
  const empty = { document_paths: [], created_at: null, unpin_at: '', is_pinned: null };
  const notes = [{ body: 'Moved in', ...empty }];
  expect((await lenient.post('notes/create/', { ...reference, notes })).status).toBe(201);
  expect(await prisma.note.findMany({ where })).toMatchObject([
    { body: 'Moved in', document_paths: [], is_pinned: false, unpin_at: null },
  ]);

  const charge = { type: 'CHARGE', amount: 1.5, reason: 'IMPORTED_CHARGE', display_note: '', note: null };
  const transactions = [{ transaction_id: 'T-1', transaction_date: '2026-04-20', ...charge }];
  expect((await lenient.post('transactions/create/', { ...reference, transactions })).status).toBe(201);
  const stored = await prisma.transaction.findMany({ where: { ...where, transaction_id: 'T-1' } });
  expect(stored).toMatchObject([{ display_note: null, note: null, reference: null }]);

  const period = { bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', issued_date: '2026-02-01' };
  const statement = { statement_id: 'S-1', number: '1', gross_amount: 12, statement_path: '', ...period };
  const statements = await lenient.post('historical-statements/create/', { ...reference, statements: [statement] });
  expect(statements.status).toBe(201);
  expect(await prisma.statement.findMany({ where })).toMatchObject([{ statement_id: 'S-1', statement_path: null }]);

  // It has no optional fields: what is empty is refused.
  const instruction = { ...reference, vendor: 'SANDBOX', type: '', reference: null };
  const refused = await lenient.post('payment-instruction/create/', instruction);
  expect(attrsOf(refused.body)).toEqual(['reference: null', 'type: blank']);
});

test('2.2.14 a marked request is the same only if it was sent the same', async () => {
  const key = { 'Idempotency-Key': randomUUID() };
  const account = wordy(lenient);
  const first = await lenient.post(STAGE, account, key);
  expect(first.status).toBe(201);
  // A second staging would answer 200.
  expect((await lenient.post(STAGE, account, key)).status).toBe(201);
  const other = { ...terse(lenient), external_account_number: account.external_account_number };
  expect((await lenient.post(STAGE, other, key)).body.code).toBe('idempotency_key_reused');
});

test.each(['', null, {}, []])(
  '2.2.14 an empty dry_run, %j, is refused and makes no call a real one',
  async (dry_run) => {
    const number = await lenient.stage();
    const { status, body } = await lenient.post('account-import-process/process/', {
      ...lenient.processRequest(number),
      dry_run,
    });
    expect([status, body.errors[0]?.attr]).toEqual([400, 'dry_run']);
    const id = accountImportId(lenient.code, number);
    expect(await service.database.prisma.account.count({ where: { account_import_id: id } })).toBe(0);
  },
);

test('2.2.14 the empty parameters of a query are refused', async () => {
  const { status, body } = await lenient.get(`all-account-import-processes/${lenient.code}/?limit=`);
  expect([status, attrsOf(body)]).toEqual([400, ['limit: invalid']]);
});

test('2.2.14 a supplier is heeded from the call after the one that configured it', async () => {
  const supplier = await service.createSupplier({ of: strict });
  const statusNow = async () => (await supplier.post('validate-account/', wordy(supplier))).status;
  expect(await statusNow()).toBe(400);
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, empty_means_omitted: true });
  expect(await statusNow()).toBe(200);
});
