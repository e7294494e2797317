import { type BookSettings, manifestLineOf, readBookLine } from '@causeway/book';
import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';
import { type Claims, startReconciliations } from './start-reconciliations.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, createSupplier, startJob, workOn } = books;
const { putManifest, putReconciliation, reconcile, differencesOf } = startReconciliations(books);

/** What a line of `lineOf` brings. */
const CLAIMS: Claims = {
  transfer_balance: '-48.20',
  notes: 1,
  transactions: 1,
  transactions_sum: '12.34',
  by_type: { PAYMENT: { count: 1, amount: '12.34' } },
  statements: 1,
  statements_gross: '99.95',
  payment_instruction: false,
};

const settingsOf = (code: string): BookSettings => ({
  importSupplier: {
    ...{ code, country: 'GB', empty_means_omitted: false, undocumented_fields: 'REPORT' },
    ...{ statement_amount_unit: 'MAJOR', balance_check: 'OFF', suspect_data: 'OFF', suspect_data_by_code: {} },
  },
  ...{ today: '2026-04-20', maxLineBytes: 1_000_000, paymentVendors: new Set<string>() },
  importOptions: { check_previously_added: true, force_add_to_current_statement: true },
});

/** A supplier with accounts `ACC-1`, `ACC-2`, .. and what a manifest claims of them. */
async function moved(count: number): Promise<{ code: string; claims: Record<string, Claims> }> {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, count), together: 100 }));
  const numbers = Array.from({ length: count }, (_, index) => `ACC-${index + 1}`);
  return { code, claims: Object.fromEntries(numbers.map((number) => [number, CLAIMS])) };
}

test('23.4.1 what arrived as it was claimed is EQUAL, with totals and coverage', async () => {
  const { code, claims } = await moved(20);
  await moved(3);
  const done = await reconcile(await putReconciliation(code, await putManifest(code, claims), 3));
  expect(done).toMatchObject({ verdict: 'EQUAL', round: 1, moved_ranges: 0, differences: '0' });
  expect(done).toMatchObject({ missing: 0, extra: 0, not_created: 0, skipped: 0, different: 0 });
  expect(done.expected).toEqual(done.actual);
  expect(done.expected).toMatchObject({
    ...{ accounts: '20', transfer_balance: '-964.00', notes: '20', transactions: '20', transactions_sum: '246.80' },
    ...{ 'by_type.PAYMENT.count': '20', 'by_type.PAYMENT.amount': '246.80', 'by_type.CHARGE.count': '0' },
    ...{ statements: '20', statements_gross: '1999.00', payment_instruction: '0' },
  });
  expect(done.covered.accounts).toEqual({ expected: 20, created: 20, both: 20 });
  expect(done.covered.figures).toMatchObject({
    notes: { claimed: 20, unclaimed: 0 },
    fingerprint: { claimed: 0, unclaimed: 20 },
  });
});

test('2.5.3 23.1.1 a payment that was taken back, and a zero, are compared with their signs, and their fingerprint is', async () => {
  const code = await createSupplier();
  const line = lineOf(code, 'ACC-1');
  const [paid] = line.transactions;
  const sent = [
    ...[paid, { ...paid, transaction_id: 'T-2', amount: '-12.34', reverses: paid?.transaction_id }],
    { ...paid, transaction_id: 'T-3', amount: '-0.00' },
    { ...paid, transaction_id: 'T-4', amount: -5.01 },
  ];
  const book = { ...line, transactions: sent };
  await workOn(await startJob(code, { lines: [book] }));
  const read = readBookLine(Buffer.from(JSON.stringify(book)), settingsOf(code));
  if (!('line' in read) || read.line.kind !== 'account') throw new Error('The line is refused');
  const { external_account_number: _name, ...claims } = manifestLineOf(read.line);
  expect(claims).toMatchObject({ transactions_sum: '-5.01', by_type: { PAYMENT: { count: 4, amount: '-5.01' } } });
  const done = await reconcile(await putReconciliation(code, await putManifest(code, { 'ACC-1': claims as Claims })));
  expect(done).toMatchObject({
    verdict: 'EQUAL',
    differences: '0',
    covered: { figures: { fingerprint: { claimed: 1 } } },
  });
});

test('23.1.1 an account with payment instructions of two types has one, once', async () => {
  const { code, claims } = await moved(2);
  await owner.pool.query(
    `INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
     SELECT id, 'SANDBOX', 'pm_ok_1', type, '{}', now()
     FROM account_imports, unnest(ARRAY['CARD', 'DIRECT_DEBIT']) AS type
     WHERE import_supplier_code = $1 AND external_account_number = 'ACC-1'`,
    [code],
  );
  const claimed = { ...claims, 'ACC-1': { ...CLAIMS, payment_instruction: true } };
  expect(await reconcile(await putReconciliation(code, await putManifest(code, claimed)))).toMatchObject({
    ...{ verdict: 'EQUAL', differences: '0' },
    actual: { accounts: '2', transfer_balance: '-96.40', notes: '2', payment_instruction: '1' },
  });
});

test('23.1.3 each kind of difference is told from the others, with its state', async () => {
  const { code, claims } = await moved(4);
  await owner.pool.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at,
       updated_at, skipped_at, skip_reason)
     SELECT account_import_id($1, number), $1, number, state, '{}', now(), now(), skipped_at, skip_reason
     FROM (VALUES ('WAITS', 'STAGED'::account_import_state, NULL::timestamptz, NULL),
       ('LEFT', 'SKIPPED', now(), 'Closed by the old supplier')) AS one (number, state, skipped_at, skip_reason)`,
    [code],
  );
  const { 'ACC-1': _extra, ...named } = claims;
  const manifest = await putManifest(code, {
    ...named,
    'ACC-2': { ...CLAIMS, notes: 2 },
    WAITS: {},
    LEFT: {},
    GONE: {},
  });
  const id = await putReconciliation(code, manifest);
  expect(await reconcile(id)).toMatchObject({
    ...{ verdict: 'DIFFERENT', differences: '5' },
    ...{ missing: 1, extra: 1, not_created: 1, skipped: 1, different: 1 },
    expected: { accounts: '6', notes: '4', transactions: '3', transactions_sum: '37.02', statements: '3' },
    actual: { accounts: '4', notes: '4', transactions: '4', transactions_sum: '49.36', statements: '4' },
  });
  const none = { detail: null };
  expect(await differencesOf(id)).toEqual([
    { number: 'ACC-1', kind: 'EXTRA', field: 'account', expected: null, actual: 'COMPLETED', ...none },
    { number: 'ACC-2', kind: 'DIFFERENT', field: 'notes', expected: '2', actual: '1', ...none },
    { number: 'GONE', kind: 'MISSING', field: 'account', expected: 'COMPLETED', actual: null, ...none },
    { number: 'LEFT', kind: 'SKIPPED', field: 'account', expected: 'COMPLETED', actual: 'SKIPPED', ...none },
    { number: 'WAITS', kind: 'NOT_CREATED', field: 'account', expected: 'COMPLETED', actual: 'STAGED', ...none },
  ]);
});

test('23.1.4 a penny or a piece too much is found in each figure, and nothing else is', async () => {
  const { code, claims } = await moved(10);
  const wrong: Claims[] = [
    { transfer_balance: '-48.21' },
    { notes: 0 },
    { transactions: 2 },
    { transactions_sum: '12.35' },
    { by_type: { PAYMENT: { count: 1, amount: '12.33' } } },
    { by_type: { CHARGE: { count: 1, amount: '12.34' } } },
    { statements: 2 },
    { statements_gross: '99.94' },
    { payment_instruction: true },
  ];
  const planted = wrong.map((claim, index) => [`ACC-${index + 1}`, { ...CLAIMS, ...claim }] as const);
  const id = await putReconciliation(code, await putManifest(code, { ...claims, ...Object.fromEntries(planted) }), 2);
  expect(await reconcile(id)).toMatchObject({ verdict: 'DIFFERENT', different: 9, differences: '12' });
  const found = await differencesOf(id);
  expect(found.map(({ number, field, expected, actual }) => [number, field, expected, actual])).toEqual([
    ['ACC-1', 'transfer_balance', '-48.21', '-48.20'],
    ['ACC-2', 'notes', '0', '1'],
    ['ACC-3', 'transactions', '2', '1'],
    ['ACC-4', 'transactions_sum', '12.35', '12.34'],
    ['ACC-5', 'by_type.PAYMENT.amount', '12.33', '12.34'],
    ['ACC-6', 'by_type.CHARGE.amount', '12.34', '0.00'],
    ['ACC-6', 'by_type.CHARGE.count', '1', '0'],
    ['ACC-6', 'by_type.PAYMENT.amount', '0.00', '12.34'],
    ['ACC-6', 'by_type.PAYMENT.count', '0', '1'],
    ['ACC-7', 'statements', '2', '1'],
    ['ACC-8', 'statements_gross', '99.94', '99.95'],
    ['ACC-9', 'payment_instruction', 'true', 'false'],
  ]);
});

test('23.1.1 what is not claimed is not compared, and in no total', async () => {
  const { code, claims } = await moved(3);
  const manifest = await putManifest(code, { ...claims, 'ACC-1': { transactions: 1 }, 'ACC-2': {} });
  const done = await reconcile(await putReconciliation(code, manifest));
  expect(done.verdict).toBe('EQUAL');
  expect(done.expected).toMatchObject({ accounts: '3', transactions: '2', notes: '1' });
  expect(done.actual).toEqual(done.expected);
  expect(done.covered.figures.transactions).toEqual({ claimed: 2, unclaimed: 1 });
});

test('23.1.5 an account that was refused has its open problem with it', async () => {
  const code = await createSupplier();
  const lines = [lineOf(code, 'ACC-1', { account_type: 'CASTLE' })];
  await workOn(await startJob(code, { lines }));
  const id = await putReconciliation(code, await putManifest(code, { 'ACC-1': CLAIMS }));
  await reconcile(id);
  expect(await differencesOf(id)).toMatchObject([
    { number: 'ACC-1', kind: 'MISSING', detail: { code: 'invalid_choice', attr: 'account_type' } },
  ]);
});
