import { LIMITS, type Problem } from '@causeway/contracts';
import { accountImportId, keepProblems, purgeResolvedRefusals } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { accepted, PROCESS, refused, remembered, STAGE, TRANSACTIONS } from './refused-calls.ts';

const service = await serviceOfFile();

const problemsOf = async (supplier: TestSupplier, query = '') => {
  const { status, body } = await supplier.get(`problems/${supplier.code}/${query}`);
  expect(status).toBe(200);
  return body;
};
const FILLED_AT_ONCE = 10_000;
const FILL = `
  INSERT INTO account_import_refusals (account_import_id, operation, import_supplier_code, external_account_number,
    code, errors, problems, is_staged, is_created, request_id, first_seen_at, last_seen_at)
  SELECT account_import_id($1, 'INVENTED-' || n), 'notes', $1, 'INVENTED-' || n, 'account_not_found', '[]', '{x}',
    false, false, 'r', '2026-01-01', '2026-01-01'::timestamptz + n * interval '1 s'
  FROM generate_series($2::integer, $3::integer) AS n`;

const addUp = () => keepProblems(service.database, new Date());

test('4.15.7 names that a caller makes up are one kind of problem, however many there are', async () => {
  const supplier = await service.createSupplier({ reject_undocumented_fields: true });
  const made = (prefix: string, call: number) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${prefix}${call}_${index}`, 'x']));
  for (const call of [1, 2, 3]) {
    const customer_preferences = made('opted_into_', call);
    const customers = [{ family_name: 'X', customer_preferences, ...made('undocumented_', call) }];
    const external_account_number = `MADE-${call}`;
    await supplier.post(STAGE, supplier.account({ external_account_number, customers, ...made('other_', call) }));
  }
  const kinds = await problemsOf(supplier);
  expect(kinds.map(({ code, attr, accounts }: Problem) => `${code} ${attr} ${accounts}`).sort()).toEqual([
    'invalid customers.*.customer_preferences.* 3',
    'undocumented_field * 3',
    'undocumented_field customers.*.* 3',
  ]);
});

test('4.15.7 a name with points is no documented path, and the caller is told which name it is', async () => {
  const supplier = await service.createSupplier({ reject_undocumented_fields: true });
  const account = supplier.account({ 'customers.0.given_name': 1, customers: [{ family_name: 'X', 'a b.c': 1 }] });
  const { body, headers } = await supplier.post(STAGE, account);
  const attrs = ['"customers.0.given_name"', 'customers.0."a b.c"'];
  expect(body.errors.map(({ attr }: Problem) => attr).sort()).toEqual(attrs);
  expect(headers.get('undocumented-fields')).toContain('%22customers.0.given_name%22');
  expect((await problemsOf(supplier)).map(({ attr }: Problem) => attr).sort()).toEqual(['*', 'customers.*.*']);
});

test('4.15.7 the first of many problems are found by what was added up and what has changed since', async () => {
  const supplier = await service.createSupplier();
  const refuse = (kind: number, accounts: number) =>
    service.database.pool.query(
      `INSERT INTO account_import_refusals (account_import_id, operation, import_supplier_code, external_account_number,
        code, errors, problems, is_staged, is_created, request_id, first_seen_at, last_seen_at)
      SELECT account_import_id($1, $2 || '-' || n), 'stage', $1, $2 || '-' || n, 'x', '[]', ARRAY['invalid k' || $2],
        false, false, 'r', now(), now()
      FROM (SELECT count(*) AS before FROM account_import_refusals WHERE import_supplier_code = $1) AS known,
        generate_series(before + 1, before + $3) AS n`,
      [supplier.code, `${kind}`, accounts],
    );
  const resolve = (kind: number, accounts: number) =>
    service.database.pool.query(
      `DELETE FROM account_import_refusals WHERE external_account_number IN (
        SELECT external_account_number FROM account_import_refusals
        WHERE import_supplier_code = $1 AND problems = ARRAY['invalid k' || $2] LIMIT $3)`,
      [supplier.code, `${kind}`, accounts],
    );
  for (const kind of [1, 2, 3, 4, 5, 6]) await refuse(kind, kind);
  await addUp();
  await refuse(1, 10);
  await refuse(7, 1);
  await resolve(6, 6);
  await resolve(5, 4);
  const first = await problemsOf(supplier, '?limit=2');
  expect(first.map(({ attr, accounts }: Problem) => `${attr} ${accounts}`)).toEqual(['k1 11', 'k4 4']);
  const openKinds = async () => JSON.stringify(await service.staff.overview.readiness.query({ code: supplier.code }));
  expect(await openKinds()).toContain('6 kinds of problem');
  await addUp();
  expect(await problemsOf(supplier, '?limit=2')).toEqual(first);
  expect(await openKinds()).toContain('6 kinds of problem');
});

test('4.15.7 problems are the open refusals by operation, code and path, with the accounts that have them', async () => {
  const supplier = await service.createSupplier();
  const numbers = ['P-1', 'P-2', 'P-3', 'P-4'];
  for (const external_account_number of numbers) {
    const account = await supplier.importAccount({ external_account_number });
    await supplier.post(TRANSACTIONS, refused(account));
    await supplier.post(TRANSACTIONS, refused(account));
  }
  const customers = [
    { family_name: 'X', landline: '1' },
    { family_name: 'Y', landline: '2', email: 'y' },
  ];
  await supplier.post(STAGE, supplier.account({ external_account_number: 'P-5', customers }));
  const expected = [
    {
      operation: 'transactions',
      refused: true,
      code: 'invalid_date',
      attr: 'transactions.*.transaction_date',
      accounts: 4,
      first_seen_at: expect.any(String),
      last_seen_at: expect.any(String),
      sample_account_numbers: ['P-4', 'P-3', 'P-2'],
    },
    {
      operation: 'stage',
      code: 'invalid_email',
      attr: 'customers.*.email',
      accounts: 1,
      sample_account_numbers: ['P-5'],
    },
    { operation: 'stage', code: 'invalid_phone_number', attr: 'customers.*.landline', accounts: 1 },
  ];
  expect(await problemsOf(supplier)).toMatchObject(expected);
  await addUp();
  expect(
    await service.database.prisma.importProblemChange.count({ where: { import_supplier_code: supplier.code } }),
  ).toBe(0);
  expect(await problemsOf(supplier)).toMatchObject(expected);
  expect(await problemsOf(supplier, '?limit=1')).toHaveLength(1);
  const query = { import_supplier_code: supplier.code };
  expect(await service.staff.dataImport.listProblems.query(query)).toMatchObject(expected);
  expect(await supplier.trpc.dataImport.listProblems.query(query)).toMatchObject(expected);
});

test('4.15.7 they are exact at any time, whatever was added up before', async () => {
  const supplier = await service.createSupplier();
  const accounts = await Promise.all([1, 2, 3, 4, 5, 6].map(() => supplier.importAccount()));
  const counted = async () => (await problemsOf(supplier)).map(({ accounts: count }: { accounts: number }) => count);
  await Promise.all([...accounts.map((account) => supplier.post(TRANSACTIONS, refused(account))), addUp(), addUp()]);
  expect(await counted()).toEqual([6]);
  await Promise.all([addUp(), ...accounts.slice(1).map((account) => supplier.post(TRANSACTIONS, accepted(account)))]);
  const [left] = accounts;
  expect(await problemsOf(supplier)).toMatchObject([
    { accounts: 1, sample_account_numbers: [left?.externalAccountNumber] },
  ]);
  await Promise.all([addUp(), supplier.post(TRANSACTIONS, accepted(left as NonNullable<typeof left>))]);
  expect(await counted()).toEqual([]);
  await addUp();
  await purgeResolvedRefusals(service.database, new Date());
  const where = { import_supplier_code: supplier.code };
  expect(await service.database.prisma.importProblem.count({ where })).toBe(0);
});

test('4.15.8 invented numbers are bounded, the oldest go first, and staged accounts stay', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const staged = await supplier.stage();
  await supplier.post(PROCESS, { ...supplier.processRequest(staged), operations_team_name: 'Nobody' });
  const other = await service.createSupplier();
  const notes = (import_supplier: string, external_account_number: string) => {
    return { import_supplier, external_account_number, notes: [{ body: 'x' }] };
  };
  await other.post('notes/create/', notes(other.code, 'OF-ANOTHER'));
  // Both older than whatever is removed.
  await service.database.prisma.accountImportRefusal.updateMany({
    where: { import_supplier_code: { in: [code, other.code] } },
    data: { first_seen_at: '2025-12-31T00:00:00Z', last_seen_at: '2025-12-31T00:00:00Z' },
  });
  // As of a refusal beside a staging that is not committed yet.
  await service.database.prisma.accountImportRefusal.updateMany({
    where: { import_supplier_code: code, external_account_number: staged },
    data: { is_staged: false },
  });
  using client = await borrowConnection(service.database.pool);
  try {
    // Without its trigger: to count the problems of so many is the subject of another test.
    await client.query("SET session_replication_role = 'replica'");
    for (let from = 1; from < LIMITS.refusals_of_unstaged; from += FILLED_AT_ONCE) {
      await client.query(FILL, [code, from, from + FILLED_AT_ONCE - 1]);
    }
    await client.query("SET session_replication_role = 'origin'");
  } finally {
    client.release();
  }
  await supplier.post('notes/create/', notes(code, 'NEWEST'));
  await addUp();
  const where = { import_supplier_code: code, is_staged: false };
  // The service removes them too, every few seconds: who comes first is not yet done.
  const kept = () => service.database.prisma.accountImportRefusal.count({ where });
  await expect.poll(kept).toBe(LIMITS.refusals_of_unstaged);
  expect(await remembered(service, 'INVENTED-1')).toEqual([]);
  expect(await remembered(service, 'INVENTED-2')).toHaveLength(1);
  expect(await remembered(service, 'NEWEST')).toHaveLength(1);
  expect(await remembered(service, staged)).toMatchObject([{ operation: 'process', open: true }]);
  expect(await remembered(service, 'OF-ANOTHER')).toHaveLength(1);
});

test('4.15.8 what was resolved is removed after 30 days, what is open stays', async () => {
  const supplier = await service.createSupplier();
  const [fixed, broken] = [await supplier.importAccount(), await supplier.importAccount()];
  await supplier.post(TRANSACTIONS, refused(fixed));
  await supplier.post(TRANSACTIONS, refused(broken));
  await supplier.post(TRANSACTIONS, accepted(fixed));
  const where = { account_import_id: fixed.id, resolved_at: { not: null } };
  const { resolved_at } = await service.database.prisma.accountImportRefusal.findFirstOrThrow({ where });
  const days30 = Number(resolved_at) + 30 * 24 * 60 * 60 * 1_000;
  await purgeResolvedRefusals(service.database, new Date(days30));
  expect(await remembered(service, fixed.externalAccountNumber)).toHaveLength(1);
  await purgeResolvedRefusals(service.database, new Date(days30 + 1));
  expect(await remembered(service, fixed.externalAccountNumber)).toEqual([]);
  expect(await remembered(service, broken.externalAccountNumber)).toHaveLength(1);
});

/** Opens again what is resolved: as two statements leave it of which neither saw what the other wrote. */
const leaveOpen = (
  account_import_id: string,
  left: { is_created?: boolean; first_seen_at?: Date; last_seen_at?: Date } = {},
) =>
  service.database.prisma.accountImportRefusal.updateMany({
    where: { account_import_id },
    data: { resolved_at: null, ...left },
  });

/** An account whose creation seems to be refused: it is created, and what was refused once more is left open. */
async function createdBesideRefusal(supplier: TestSupplier, left: Parameters<typeof leaveOpen>[1] = {}) {
  const account = await supplier.importAccount();
  await supplier.post(PROCESS, supplier.processRequest(account.externalAccountNumber));
  await leaveOpen(account.id, { is_created: false, ...left });
  return account;
}

test('4.15.5 a refusal that was written while its account was created is settled, by one instance at a time', async () => {
  const supplier = await service.createSupplier();
  const account = await createdBesideRefusal(supplier);
  await supplier.post(TRANSACTIONS, refused(account));
  await leaveOpen(account.id, { is_created: false });
  const openOf = async () =>
    (await remembered(service, account.externalAccountNumber)).map(({ operation, open }) => `${operation} ${open}`);
  using other = await borrowConnection(service.database.pool);
  try {
    await other.query('SELECT pg_advisory_lock(4210005)');
    await addUp();
    expect(await openOf()).toEqual(['process true', 'transactions true']);
    await other.query('SELECT pg_advisory_unlock(4210005)');
  } finally {
    other.release();
  }
  await addUp();
  expect(await openOf()).toEqual(['process false', 'transactions true']);
  const { counts } = await service.staff.importSuppliers.get.query({ code: supplier.code });
  expect(counts).toMatchObject({ completed: 1, complete: 0 });
});

test('4.15.5 an import resolves the refused creation that the creation of its account did not see', async () => {
  const supplier = await service.createSupplier();
  const account = await createdBesideRefusal(supplier);
  expect((await supplier.post(TRANSACTIONS, accepted(account))).status).toBe(201);
  expect(await remembered(service, account.externalAccountNumber)).toMatchObject([
    { operation: 'process', open: false },
  ]);
});

test('4.15.5 a refusal that was written while its account was skipped or erased is settled', async () => {
  const supplier = await service.createSupplier();
  const key = (external_account_number: string) => ({ code: supplier.code, external_account_number, reason: 'Left' });
  const skipped = await supplier.stage();
  await supplier.post(PROCESS, { ...supplier.processRequest(skipped), operations_team_name: 'Nobody' });
  await service.staff.accountImports.skip.mutate(key(skipped));
  const erased = await supplier.importAccount();
  await supplier.post(TRANSACTIONS, refused(erased));
  await service.staff.accounts.erase.mutate(key(erased.externalAccountNumber));
  await leaveOpen(accountImportId(supplier.code, skipped));
  await leaveOpen(erased.id);
  await addUp();
  expect(await remembered(service, skipped)).toMatchObject([{ operation: 'process', open: false }]);
  expect(await remembered(service, erased.externalAccountNumber)).toMatchObject([
    { operation: 'transactions', open: false },
  ]);
});

test('4.15.5 what was not settled before a stop of the service is settled after it', async () => {
  const supplier = await service.createSupplier();
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const account = await createdBesideRefusal(supplier, { first_seen_at: minutesAgo(31), last_seen_at: minutesAgo(31) });
  await service.database.prisma.refusalSettlement.updateMany({ data: { settled_at: minutesAgo(30) } });
  await addUp();
  expect(await remembered(service, account.externalAccountNumber)).toMatchObject([
    { operation: 'process', open: false },
  ]);
});

test('4.15.10 a remark is listed and resolved, and does not keep an account from being complete', async () => {
  const supplier = await service.createSupplier();
  const account = await supplier.importAccount();
  const { code } = supplier;
  const { externalAccountNumber: external_account_number } = account;
  await supplier.post(TRANSACTIONS, accepted(account));
  const [first, second] = accepted(account).transactions;
  // Nothing new is in it, so that nothing is stored but the problem.
  const { status } = await supplier.post(TRANSACTIONS, {
    ...account.reference,
    transactions: [{ ...first, amount: 2 }, second],
  });
  expect(status).toBe(201);
  const { complete, refusals } = await service.staff.accountImports.get.query({ code, external_account_number });
  expect(complete).toBe(true);
  expect(refusals).toMatchObject([
    {
      refused: false,
      code: 'existing_data_differs',
      errors: [{ code: 'existing_data_differs', attr: 'transactions.*.amount' }],
      detail: null,
    },
  ]);
  // A refusal of the same operation is another row.
  await supplier.post(TRANSACTIONS, refused(account));
  expect(await problemsOf(supplier)).toHaveLength(2);
  // A clean call about something else ends the refusal, and says nothing about what differs.
  await supplier.post(TRANSACTIONS, { ...account.reference, transactions: [second] });
  expect(await problemsOf(supplier)).toMatchObject([{ refused: false, code: 'existing_data_differs' }]);
  await supplier.post(TRANSACTIONS, { ...account.reference, transactions: [first] });
  expect(await problemsOf(supplier)).toEqual([]);
});

test('4.15.7 a support engineer finds out why HV-400341 exists without its transactions', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const external_account_number = 'HV-400341';
  const { reference } = await supplier.importAccount({ external_account_number });
  const transactions = Array.from({ length: 24 }, (_, index) => ({
    transaction_id: `T-${index}`,
    transaction_date: '2026-01-15',
    type: 'CHARGE',
    amount: 12.5,
  }));
  expect((await supplier.post(TRANSACTIONS, { ...reference, transactions })).status).toBe(400);

  const { counts } = await service.staff.importSuppliers.get.query({ code });
  expect(counts).toMatchObject({ completed: 1, complete: 0 });
  const [incomplete] = await service.staff.accountImports.list.query({ code, complete: false });
  expect(incomplete).toMatchObject({ external_account_number, state: 'COMPLETED' });
  const { refusals } = await service.staff.accountImports.get.query({ code, external_account_number });
  expect(refusals).toMatchObject([{ operation: 'transactions', code: 'request_failed_validation', times: 1 }]);
  expect(refusals[0]?.errors).toHaveLength(24);
  expect(refusals[0]?.errors[23]).toEqual({ code: 'required', attr: 'transactions.23.reason' });
  const problems = await service.staff.dataImport.listProblems.query({ import_supplier_code: code });
  expect(problems).toMatchObject([
    { operation: 'transactions', code: 'required', attr: 'transactions.*.reason', accounts: 1 },
  ]);
  expect(problems[0]?.sample_account_numbers).toEqual([external_account_number]);
});

test('4.15.6 the metrics tell created accounts from complete ones', async () => {
  const supplier = await service.createSupplier();
  const [account] = [await supplier.importAccount(), await supplier.importAccount()];
  await supplier.post(TRANSACTIONS, refused(account));
  // One that nobody has asked before, since what was counted is kept for a while.
  const { url } = await service.startInstance();
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(text).toContain(`causeway_account_imports{import_supplier="${supplier.code}",state="completed"} 2`);
  expect(text).toContain(`causeway_account_imports_complete{import_supplier="${supplier.code}"} 1`);
});
