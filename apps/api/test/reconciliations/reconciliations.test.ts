import { createHash } from 'node:crypto';
import { MASK } from '@causeway/contracts';
import { beforeEach, expect, test } from 'vitest';
import { fileCall, ndjson } from '../bulk/bulk-calls.ts';
import { statement } from '../bundles/support.ts';
import { createManifest, putPart, seal } from '../manifests/manifest-calls.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type ImportedAccount, obtainToken, type TestSupplier, trpcClient, until } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';
import { lodge, putOffReconciliation, reconcile } from './reconcile.ts';

let supplier: TestSupplier;

const service = await serviceWithLanes();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

test('23.5.1 a sealed manifest is compared through the API, and no other, at most twenty times at once', async () => {
  const open = await createManifest(supplier, { accounts: 1 });
  const early = await supplier.post('reconciliations/', { manifest_id: open });
  expect(early).toMatchObject({ status: 409, body: { code: 'manifest_state_not_allowed' } });
  expect(early.body.detail).toBe('A manifest that is OPEN cannot be compared. Seal it first.');
  await putPart(supplier, { id: open }, ndjson([{ external_account_number: 'NEVER' }]));
  expect((await seal(supplier, open)).status).toBe(200);
  const created = await supplier.post('reconciliations/', { manifest_id: open });
  expect(created).toMatchObject({ status: 201, body: { state: 'PLANNING', ranges: 1, manifest_id: open } });
  const read = async () => (await supplier.get(`reconciliations/${created.body.id}/`)).body;
  await until(async () => (await read()).state === 'FINISHED');
  expect(await read()).toMatchObject({ verdict: 'DIFFERENT', accounts: { missing: 1 } });
  for (let count = 0; count < 20; count += 1) await putOffReconciliation(service.database, open);
  const refused = await supplier.post('reconciliations/', { manifest_id: open });
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_reconciliations' } });
});

test('23.5.2 a manifest is compared with the account that was created through the API', async () => {
  const { externalAccountNumber: number } = await supplier.importAccount({ transfer_balance: '-48.20' });
  const line = { external_account_number: number, transfer_balance: '-48.20', transactions: 0 };
  expect(await reconcile(supplier, { lines: [line] })).toMatchObject({
    ...{ import_supplier: supplier.code, verdict: 'EQUAL', ranges: 1, ranges_done: 1, round: 1, differences: 0 },
    totals: [
      { figure: 'accounts', expected: '1', actual: '1', difference: '0' },
      { figure: 'transactions', expected: '0', actual: '0', difference: '0' },
      { figure: 'transfer_balance', expected: '-48.20', actual: '-48.20', difference: '0.00' },
    ],
    covered: {
      accounts: { expected: 1, created: 1, both: 1 },
      figures: { notes: { claimed: 0, unclaimed: 1 }, transactions: { claimed: 1, unclaimed: 0 } },
    },
  });
});

test('23.1.1 amounts are compared as numbers, however they are spelled, also where another figure differs', async () => {
  const { reference } = await supplier.importAccount();
  const { external_account_number } = reference;
  const transactions = [charge('T-1', { amount: '76.50' }), charge('T-2', { amount: '28.40' })];
  expect((await supplier.post('transactions/create/', { ...reference, transactions })).status).toBe(201);
  const spellings = [104.9, '0104.9'];
  for (const amount of spellings) {
    const by_type = { CHARGE: { count: 2, amount }, PAYMENT: { count: 0, amount: 0 } };
    const line = { external_account_number, transactions_sum: amount, by_type, statements: 1, statements_gross: '-0' };
    const { id } = await reconcile(supplier, { lines: [line] });
    const { body } = await supplier.get(`reconciliations/${id}/differences/?limit=10`);
    expect([amount, body]).toMatchObject([amount, [{ field: 'statements', expected: '1', actual: '0' }]]);
    expect(body).toHaveLength(1);
  }
});

test('22.2.1 a manifest claims pounds also where statements are sent in pence', async () => {
  const inPence = await service.createSupplier({ of: supplier, statement_amount_unit: 'MINOR' });
  const { reference } = await inPence.importAccount();
  const statements = [statement('S-1', { gross_amount: 11207 }), statement('S-2', { gross_amount: '-5' })];
  expect((await inPence.post('historical-statements/create/', { ...reference, statements })).status).toBe(201);
  const line = { external_account_number: reference.external_account_number, statements: 2 };
  const claims = { lines: [{ ...line, statements_gross: '112.02' }], totals: { statements_gross: '112.02' } };
  const reconciliation = await reconcile(inPence, claims);
  expect(reconciliation).toMatchObject({ verdict: 'EQUAL', differences: 0 });
  const gross = { figure: 'statements_gross', expected: '112.02', actual: '112.02', difference: '0.00' };
  expect(reconciliation.totals).toContainEqual(gross);
  const { id } = await reconcile(inPence, { lines: [{ ...line, statements_gross: '11202' }] });
  const { body } = await inPence.get(`reconciliations/${id}/differences/?limit=10`);
  expect(body).toMatchObject([{ field: 'statements_gross', expected: '11202.00', actual: '112.02' }]);
});

test('23.5.3 the differences come as a page, as NDJSON and as CSV, of all kinds or of one', async () => {
  const { externalAccountNumber: number } = await supplier.importAccount({ transfer_balance: '-48.20' });
  const wrong = { external_account_number: number, transfer_balance: '-48.21', notes: 1 };
  const skipped = await supplier.stage();
  await service.staff.accountImports.skip.mutate({
    ...{ code: supplier.code, external_account_number: skipped, reason: 'Closed, "by hand"' },
  });
  const { id, verdict, accounts, differences, differences_digest } = await reconcile(supplier, {
    lines: [wrong, { external_account_number: skipped }, { external_account_number: 'NEVER' }],
  });
  expect({ verdict, differences, accounts }).toEqual({
    ...{ verdict: 'DIFFERENT', differences: 4 },
    accounts: { missing: 1, extra: 0, not_created: 0, skipped: 1, different: 1 },
  });
  const path = `reconciliations/${id}/differences/`;
  const { text } = await fileCall(supplier, path);
  const rows = text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each));
  expect(rows).toHaveLength(4);
  expect(rows.find(({ kind }) => kind === 'SKIPPED')).toMatchObject({ actual: 'SKIPPED', reason: 'Closed, "by hand"' });
  const reader = await readOnly();
  const skips = { reconciliation_id: id, kind: 'SKIPPED' as const };
  expect(await reader.dataImport.reconciliationDifferences.query(skips)).toMatchObject([{ reason: MASK }]);
  const digest = createHash('sha256');
  for (const { external_account_number, kind, field, expected, actual } of rows) {
    digest.update(`${JSON.stringify([external_account_number, kind, field, expected, actual])}\n`);
  }
  expect(differences_digest).toBe(digest.digest('hex'));

  const unknown = await fileCall(supplier, `${path}?field=nots`);
  expect(unknown).toMatchObject({ status: 400, body: { errors: [{ attr: 'field', code: 'invalid_choice' }] } });
  expect(unknown.body).toMatchObject({ errors: [{ detail: expect.stringContaining('notes') }] });
  const csv = await fileCall(supplier, `${path}?kind=SKIPPED`, { headers: { Accept: 'text/csv' } });
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(csv.text).toBe(
    'external_account_number,kind,field,expected,actual,problem_operation,problem_code,problem_attr,reason\n' +
      `${skipped},SKIPPED,account,COMPLETED,SKIPPED,,,,"Closed, ""by hand"""\n`,
  );
  const { body: page, headers } = await fileCall(supplier, `${path}?field=notes&limit=1`);
  expect(page).toMatchObject([{ external_account_number: number, kind: 'DIFFERENT', expected: '1', actual: '0' }]);
  expect(headers.get('link')).toBeNull();
  const pages = await fileCall(supplier, `${path}?limit=3`);
  expect(pages.body).toEqual(rows.slice(0, 3));
  const next = /<\/v1\/data-import\/([^>]+)>|<[^>]*?\/v1\/data-import\/([^>]+)>/.exec(pages.headers.get('link') ?? '');
  expect((await fileCall(supplier, next?.[1] ?? next?.[2] ?? '')).body).toEqual(rows.slice(3));
});

test('23.5.6 a reconciliation that has not ended can be cancelled, once, and has no verdict', async () => {
  const lines = [{ external_account_number: 'NEVER' }];
  const id = await putOffReconciliation(service.database, await lodge(supplier, { lines }));
  const path = `reconciliations/${id}/`;
  const foreign = await service.createSupplier();
  expect(await foreign.post(`${path}cancel/`, {})).toMatchObject({ status: 404 });
  const { status, body } = await supplier.post(`${path}cancel/`, {});
  expect({ status, body }).toMatchObject({ status: 200, body: { state: 'CANCELLED', verdict: null, accounts: null } });
  expect(body.finished_at).not.toBeNull();
  expect((await supplier.post(`${path}cancel/`, {})).body).toEqual(body);
  expect(await service.staff.audit.list.query({ subject: 'reconciliation', id })).toMatchObject([
    { action: 'cancelled', actor: 'supplier' },
  ]);
  const report = await fileCall(supplier, `${path}report/`);
  expect(report).toMatchObject({ status: 409, body: { code: 'reconciliation_state_not_allowed' } });
  const finished = await reconcile(supplier, { lines });
  const late = await supplier.post(`reconciliations/${finished.id}/cancel/`, {});
  expect(late).toMatchObject({ status: 409, body: { code: 'reconciliation_state_not_allowed' } });
  expect((await supplier.get(`reconciliations/${finished.id}/`)).body).toEqual(finished);
});

async function readOnly() {
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Only reads', role: 'READ_ONLY' });
  return trpcClient(service.url, await obtainToken(service.url, api_key));
}

test('14.3.5 a key that may only read is not shown the names of undocumented fields of an open problem', async () => {
  const strict = await service.createSupplier({ undocumented_fields: 'REJECT' });
  const { reference } = await strict.importAccount();
  await strict.post('notes/create/', { ...reference, notes: [{ body: 'x', zoe_owes: true }] });
  const { id } = await reconcile(strict, {
    lines: [{ external_account_number: reference.external_account_number, notes: 1 }],
  });
  const shown = await (await readOnly()).dataImport.reconciliationDifferences.query({ reconciliation_id: id });
  expect(shown).toMatchObject([{ field: 'notes', problem_attr: 'notes.*.*' }]);
});

test('23.1.5 a DIFFERENT account has its open problem with it, until that is fixed', async () => {
  const { reference } = await supplier.importAccount({ last_billed_to_date: '2026-03-31' });
  const { external_account_number } = reference;
  const early = charge('T-1', { transaction_date: '2026-03-01' });
  const refused = await supplier.post('transactions/create/?force_add_to_current_statement=false', {
    ...reference,
    transactions: [early],
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 'transaction_outside_open_statement_period' } });
  const lines = [{ external_account_number, transactions: 1, notes: 1 }];
  const { id } = await reconcile(supplier, { lines });
  const problem = {
    problem_operation: 'transactions',
    problem_code: 'transaction_outside_open_statement_period',
    problem_attr: expect.any(String),
  };
  expect((await supplier.get(`reconciliations/${id}/differences/?limit=10`)).body).toMatchObject([
    { kind: 'DIFFERENT', field: 'notes', ...problem },
    { kind: 'DIFFERENT', field: 'transactions', ...problem },
  ]);
  expect((await supplier.post('transactions/create/', { ...reference, transactions: [early] })).status).toBe(201);
  const { id: later } = await reconcile(supplier, { lines });
  expect((await supplier.get(`reconciliations/${later}/differences/?limit=10`)).body).toMatchObject([
    { kind: 'DIFFERENT', field: 'notes', problem_operation: null, problem_code: null, problem_attr: null },
  ]);
});

test('23.5.5 another organisation’s reconciliation does not exist, and the service team sees all', async () => {
  const { id } = await reconcile(supplier, { lines: [{ external_account_number: 'NEVER' }] });
  const other = await service.createSupplier();
  for (const path of [`reconciliations/${id}/`, `reconciliations/${id}/differences/`, 'reconciliations/none/']) {
    const { status, body } = await other.get(path);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'reconciliation_does_not_exist' });
  }
  expect(await service.staff.dataImport.reconciliation.query({ reconciliation_id: id })).toMatchObject({ id });
  const { body: listed } = await supplier.get(`reconciliations/?import_supplier=${supplier.code}`);
  expect(listed).toMatchObject([{ id, verdict: 'DIFFERENT', state: 'FINISHED' }]);
  const { rows } = await service.database.pool.query(
    "SELECT action, actor FROM audit_events WHERE subject = 'reconciliation' AND subject_id = $1 ORDER BY id",
    [id],
  );
  expect(rows).toEqual([
    { action: 'created', actor: 'supplier' },
    { action: 'finished', actor: 'supplier' },
  ]);
});

/** What a source system has of a transaction; the amount as it is printed. */
interface Sent {
  transaction_id: string;
  transaction_date: string;
  type: string;
  amount: string;
}

/** The fingerprint as the reference describes it, written by a supplier. */
function fingerprintOf(sent: readonly Sent[]): string {
  let sum = 0n;
  for (const { transaction_id, transaction_date, type, amount } of sent) {
    const hash = createHash('sha256').update(`${transaction_id}|${transaction_date}|${type}|${amount}`).digest();
    sum += hash.readBigUInt64BE() >> 4n;
  }
  return String(sum);
}

/** A line that claims what the source has. */
const claims = ({ externalAccountNumber }: ImportedAccount, sent: readonly Sent[], sum: string, notes = 0) => ({
  external_account_number: externalAccountNumber,
  notes,
  transactions: sent.length,
  transactions_sum: sum,
  by_type: { CHARGE: { count: sent.length, amount: sum } },
  fingerprint: fingerprintOf(sent),
});

async function add({ reference }: ImportedAccount, sent: readonly Sent[], by = supplier): Promise<void> {
  const transactions = sent.map((one) => charge(one.transaction_id, { ...one }));
  const { status, body } = await by.post('transactions/create/', { ...reference, transactions });
  if (status !== 201) throw new Error(`Adding transactions answered ${status}: ${JSON.stringify(body)}`);
}

const differencesOf = async (id: string) => (await supplier.get(`reconciliations/${id}/differences/?limit=10`)).body;

const IN_ORDER: Sent[] = [
  { transaction_id: 'T-1', transaction_date: '2026-04-05', type: 'CHARGE', amount: '10.00' },
  { transaction_id: 'T-2', transaction_date: '2026-04-06', type: 'CHARGE', amount: '20.50' },
];
/** The same, with the amounts of the two swapped: counts and sums agree. */
const SWAPPED: Sent[] = IN_ORDER.map((one, index) => ({ ...one, amount: IN_ORDER[1 - index]?.amount ?? '' }));

test('23.1.7 a fingerprint finds two transactions whose amounts were swapped, although every sum agrees', async () => {
  const right = await supplier.importAccount();
  const swapped = await supplier.importAccount();
  await add(right, IN_ORDER.toReversed());
  await add(swapped, SWAPPED);
  const lines = [right, swapped].map((account) => claims(account, IN_ORDER, '30.50'));
  const { id, verdict, totals, accounts } = await reconcile(supplier, { lines });
  expect({ verdict, accounts }).toMatchObject({ verdict: 'DIFFERENT', accounts: { different: 1 } });
  expect(totals?.map(({ difference }) => Number(difference))).toEqual(totals?.map(() => 0));
  expect(await differencesOf(id)).toMatchObject([
    {
      external_account_number: swapped.externalAccountNumber,
      field: 'fingerprint',
      expected: fingerprintOf(IN_ORDER),
      actual: fingerprintOf(SWAPPED),
    },
  ]);
});

test('23.1.2 dates that the service moves, and the note that it writes of it, are no differences', async () => {
  const own = await service.createSupplier();
  const account = await own.importAccount({ last_billed_to_date: '2026-03-31' });
  const early: Sent[] = [
    { transaction_id: 'T-1', transaction_date: '2026-03-30', type: 'CHARGE', amount: '10.00' },
    { transaction_id: 'T-2', transaction_date: '1999-12-31', type: 'CHARGE', amount: '0.01' },
    { transaction_id: 'T-3', transaction_date: '2026-04-01', type: 'CHARGE', amount: '20.50' },
  ];
  await add(account, early, own);
  const notes = [{ body: 'Asked for a paper bill.' }];
  expect((await own.post('notes/create/', { ...account.reference, notes })).status).toBe(201);
  const { prisma } = service.database;
  const where = { account_import_id: account.id };
  expect(await prisma.transaction.count({ where: { ...where, original_transaction_date: { not: null } } })).toBe(2);
  expect(await prisma.note.count({ where })).toBe(2);
  const lines = [claims(account, early, '30.51', 1)];
  expect(await reconcile(own, { lines })).toMatchObject({ verdict: 'EQUAL', differences: 0 });
});
