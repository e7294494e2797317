import { removeStagedPayloads } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, dependencies, createSupplier, startJob, workOn, jobOf, countsOf, resultsOf, failedRowsOf } = books;

test('21.8.1 each line is moved once: its account and its history together', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 10) });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED', lines: 10 });
  expect(await countsOf(id)).toEqual({ created: 10 });
  const { rows } = await owner.pool.query(
    `SELECT external_account_number, state,
       (SELECT count(*)::int FROM notes WHERE account_import_id = import.id) AS notes,
       (SELECT count(*)::int FROM transactions WHERE account_import_id = import.id) AS transactions,
       (SELECT count(*)::int FROM statements WHERE account_import_id = import.id) AS statements
     FROM account_imports AS import WHERE import_supplier_code = $1`,
    [code],
  );
  expect(rows).toHaveLength(10);
  for (const row of rows) expect(row).toMatchObject({ state: 'COMPLETED', notes: 1, transactions: 1, statements: 1 });
  const bodies = await owner.pool.query('SELECT FROM bulk_bodies WHERE job_id = $1', [id]);
  expect(bodies.rowCount).toBe(0);
});

test('2.6.2 a statement without a gross amount is moved, sent again, and counted without being taken for 0', async () => {
  const code = await createSupplier();
  const bare = { statement_id: 'ST-0', bill_period_from_date: '2025-12-01', bill_period_to_date: '2025-12-31' };
  const whole = lineOf(code, 'ACC-1');
  const control = { statements: 2, statements_gross: '99.95' };
  const line = { ...whole, statements: [bare, ...whole.statements], control };
  await workOn(await startJob(code, { lines: [line] }));
  const again = await startJob(code, { lines: [line] });
  await workOn(again);
  expect(await countsOf(again)).toEqual({ unchanged: 1 });
  const { rows } = await owner.pool.query(
    `SELECT sums->'statements' AS statements FROM bulk_chunks JOIN bulk_jobs AS job ON job.id = job_id
     WHERE import_supplier_code = $1 AND job_id <> $2`,
    [code, again],
  );
  expect(rows).toEqual([{ statements: { count: 2, gross: '99.95' } }]);
});

test('4.6.6 2.4.9 a line that is moved again with the documents that its account lacks is updated with them', async () => {
  const code = await createSupplier();
  const [carrying, beside] = ['ACC-1', 'ACC-2'].map((number) => lineOf(code, number));
  const complete = ({ notes = [], statements = [] }: Partial<ReturnType<typeof lineOf>>) => ({
    notes: notes.map((note) => ({ ...note, document_paths: [{ document_path: 'a.pdf' }] })),
    statements: statements.map((statement) => ({ ...statement, statement_path: 'b.pdf' })),
  });
  await workOn(await startJob(code, { lines: [carrying ?? {}, beside ?? {}] }));
  const lines = [
    { ...carrying, ...complete(carrying ?? {}) },
    { external_account_number: 'ACC-2', ...complete(beside ?? {}) },
  ];
  const id = await startJob(code, { lines });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ updated: 2 });
  const filled = { added: 0, existing: 1, filled: 1 };
  for (const result of (await resultsOf(id)).values()) {
    expect(result).toMatchObject({ outcome: 'updated', steps: { notes: filled, statements: filled } });
  }
  const { rows } = await owner.pool.query(
    `SELECT document_paths, statement_path FROM account_imports
     JOIN notes ON notes.account_import_id = account_imports.id JOIN statements ON statements.account_import_id = account_imports.id
     WHERE import_supplier_code = $1`,
    [code],
  );
  expect(rows).toEqual(Array(2).fill({ document_paths: ['a.pdf'], statement_path: 'b.pdf' }));
  const again = await startJob(code, { lines });
  await workOn(again);
  expect(await countsOf(again)).toEqual({ unchanged: 2 });
});

test('2.5.10 21.5.1 transactions of zero are left out of lines and counted, where the import supplier omits them', async () => {
  const code = await createSupplier({ zero_amounts: 'OMIT' });
  const [first, second] = ['ACC-1', 'ACC-2'].map((number) => lineOf(code, number));
  const zero = { ...first?.transactions[0], transaction_id: 'T-0', amount: '0.00' };
  const lines = [
    { ...first, transactions: [zero, ...(first?.transactions ?? [])] },
    { ...second, account: { ...second?.account, transactions: [zero] }, transactions: undefined },
  ].map((line) => JSON.parse(JSON.stringify(line)));
  const id = await startJob(code, { lines });
  await workOn(id);
  const only = { external_account_number: 'ACC-1', transactions: [zero] };
  const later = await startJob(code, { lines: [only] });
  await workOn(later);
  expect([await countsOf(id), await countsOf(later)]).toEqual([{ created: 2 }, { unchanged: 1 }]);
  const results = await resultsOf(id);
  expect([results.get(1)?.steps, results.get(2)?.steps]).toMatchObject([
    { transactions: { added: 1, existing: 0, omitted: 1 } },
    { transactions: { added: 0, existing: 0, omitted: 1 } },
  ]);
  expect((await resultsOf(later)).get(1)).toMatchObject({ steps: { transactions: { omitted: 1 } } });
  const { rows } = await owner.pool.query(
    `SELECT (SELECT array_agg(amount::text) FROM transactions JOIN account_imports AS import ON import.id = account_import_id
         WHERE import_supplier_code = $1) AS amounts,
       array_agg(sums->'omitted_transactions' ORDER BY job_id = $2) AS omitted
     FROM bulk_chunks JOIN bulk_jobs AS job ON job.id = job_id WHERE import_supplier_code = $1`,
    [code, id],
  );
  expect(rows).toEqual([{ amounts: ['12.34'], omitted: [1, 2] }]);
});

test('21.8.2 audit events name the job, the run and the line', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: linesOf(code, 2) });
  await workOn(id);
  const { rows } = await owner.pool.query(
    `SELECT action, request_id FROM audit_events JOIN account_imports AS import ON import.id = subject_id
     WHERE import_supplier_code = $1 AND external_account_number = 'ACC-2' ORDER BY audit_events.id`,
    [code],
  );
  const request_id = `bulk:${id}/1/2`;
  const actions = ['staged', 'processed', 'notes_imported', 'transactions_imported', 'statements_imported'];
  expect(rows).toEqual(actions.map((action) => ({ action, request_id })));
});

test('21.8.4 a refused line is reported as the API refuses it, kept as it was sent, and remembered', async () => {
  const code = await createSupplier();
  const bad = lineOf(code, 'ACC-2', { account_type: 'CASTLE' });
  const id = await startJob(code, { lines: [lineOf(code, 'ACC-1'), bad, 'no JSON', lineOf(code, 'ACC-3')] });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ created: 2, refused: 2 });
  const results = await resultsOf(id);
  expect(results.get(2)).toMatchObject({
    external_account_number: 'ACC-2',
    outcome: 'refused',
    code: 'account_failed_validation',
    errors: [{ attr: 'account_type' }],
  });
  expect(results.get(3)).toMatchObject({ external_account_number: null, outcome: 'refused' });
  expect(await failedRowsOf(id)).toMatchObject([
    { line: 2, data: bad },
    { line: 3, data: 'no JSON' },
  ]);
  const { rows } = await owner.pool.query(
    'SELECT external_account_number, code, request_id FROM account_import_refusals WHERE import_supplier_code = $1',
    [code],
  );
  const remembered = { code: 'account_failed_validation', request_id: `bulk:${id}/1/2` };
  expect(rows).toEqual([{ external_account_number: 'ACC-2', ...remembered }]);
});

test("21.7.3 lines that name one account beside an empty account are one account's too", async () => {
  const codes = [await createSupplier(), await createSupplier({ empty_means_omitted: true })];
  for (const code of codes) {
    const [good] = linesOf(code, 1);
    const notes = (body: string) => ({ account: null, external_account_number: 'ACC-9', notes: [{ body }] });
    const id = await startJob(code, { lines: [notes('one'), notes('another'), good ?? ''], together: 3 });
    await workOn(id);
    expect(await countsOf(id)).toEqual({ created: 1, refused: 2 });
    expect((await resultsOf(id)).get(2)).toMatchObject({ code: 'duplicate_in_file' });
  }
});

test('21.7.3 of lines that name one account the first is moved, in whatever body the others are', async () => {
  const code = await createSupplier();
  const lines = [...linesOf(code, 6), lineOf(code, 'ACC-2'), lineOf(code, 'ACC-2'), lineOf(code, 'ACC-6')];
  const id = await startJob(code, { lines });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ created: 6, refused: 3 });
  const results = await resultsOf(id);
  for (const line of [7, 8, 9]) expect(results.get(line)).toMatchObject({ code: 'duplicate_in_file' });
  const refusals = await owner.pool.query('SELECT FROM account_import_refusals WHERE import_supplier_code = $1', [
    code,
  ]);
  expect(refusals.rowCount).toBe(0);
});

test.for([false, true])(
  '21.8.6 a line that was moved before is unchanged, another one for its account refused (payload removed: %s)',
  async (isRemoved) => {
    const code = await createSupplier();
    await workOn(await startJob(code, { lines: linesOf(code, 3) }));
    if (isRemoved) await removeStagedPayloads(dependencies.database, new Date('2100-01-01'), 0);
    const other = { ...lineOf(code, 'ACC-2'), notes: [{ body: 'Another note' }] };
    const id = await startJob(code, {
      lines: [lineOf(code, 'ACC-1'), other, lineOf(code, 'ACC-3', { transfer_balance: '1.00' }), lineOf(code, 'ACC-4')],
    });
    await workOn(id);
    expect(await countsOf(id)).toEqual({ created: 1, refused: 2, unchanged: 1 });
    const results = await resultsOf(id);
    expect(results.get(1)).toMatchObject({ outcome: 'unchanged', service_account_number: expect.any(String) });
    const refused = { step: 'stage', code: 'account_exists_with_other_data' };
    const balance = isRemoved ? 'account' : 'transfer_balance';
    for (const [line, attr] of [
      [2, 'notes'],
      [3, balance],
    ] as const) {
      expect(results.get(line)).toMatchObject({ ...refused, errors: [{ attr, code: 'differs_from_stored' }] });
    }
    const { rows } = await owner.pool.query(
      `SELECT count(*)::int AS notes FROM notes JOIN account_imports AS import ON import.id = account_import_id
       WHERE import_supplier_code = $1`,
      [code],
    );
    expect(rows).toEqual([{ notes: 4 }]);
  },
);

test('14.8.1 the digest of a payload is forgotten with an erasure, also by a version that does not know it', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, 1) }));
  await removeStagedPayloads(dependencies.database, new Date('2100-01-01'), 0);
  const digests = async () => {
    const text = 'SELECT payload_digest FROM account_imports WHERE import_supplier_code = $1';
    return (await owner.pool.query(text, [code])).rows.map(({ payload_digest }) => payload_digest);
  };
  expect(await digests()).toEqual([expect.any(Buffer)]);
  await owner.pool.query('UPDATE account_imports SET erased_at = now() WHERE import_supplier_code = $1', [code]);
  expect(await digests()).toEqual([null]);
});

test('21.8.6 a line is not unchanged if its balance or the period of a transaction is another', async () => {
  const code = await createSupplier();
  const [paid] = lineOf(code, 'ACC-1').transactions;
  const transaction = { ...paid, transaction_date: '2026-02-20' };
  const billed = { last_billed_to_date: '2026-03-01' };
  const ledger = (last_statement_balance: string | undefined, isClosed: boolean) => ({
    ...{ last_statement_balance, current_statement_transactions: isClosed ? [] : [transaction] },
    historical_statement_transactions: isClosed ? [transaction] : [],
  });
  const lineWith = (...[balance, isClosed]: Parameters<typeof ledger>) => ({
    account: lineOf(code, 'ACC-1', { ...billed, ledgers: [ledger(balance, isClosed)] }).account,
  });
  for (const [line, count] of [
    [lineWith('10.00', true), { created: 1 }],
    [lineWith('10.00', true), { unchanged: 1 }],
    [lineWith('999.99', true), { refused: 1 }],
    [lineWith(undefined, true), { refused: 1 }],
    [lineWith('10.00', false), { refused: 1 }],
  ] as const) {
    const id = await startJob(code, { lines: [line] });
    await workOn(id);
    expect(await countsOf(id)).toEqual(count);
  }
});

/** Of a closed period, where repeats are always skipped. */
const HISTORICAL = ['2026-02-20', '2026-02-20'].map((transaction_date) => ({
  ...{ transaction_id: 'CLOSED', type: 'PAYMENT', amount: '10.00', reason: 'IMPORTED_PAYMENT', transaction_date },
}));

test.each([
  ['where repeats count, one that repeats a transaction more often is refused', false, { refused: 1 }],
  ['where repeats are skipped, one that repeats a transaction is unchanged', true, { unchanged: 1 }],
])('21.8.6 a line that was moved, sent again: %s', async (_name, check_previously_added, again) => {
  const code = await createSupplier();
  const one = lineOf(code, 'ACC-1');
  const billed = { last_billed_to_date: '2026-03-01', historical_transactions: HISTORICAL };
  Object.assign(one.account, billed);
  const two = { ...one, transactions: [...one.transactions, ...one.transactions] };
  for (const [line, count] of [
    [one, { created: 1 }],
    [one, { unchanged: 1 }],
    [two, again],
  ] as const) {
    const id = await startJob(code, { lines: [line], options: { check_previously_added } });
    await workOn(id);
    expect(await countsOf(id)).toEqual(count);
  }
});

test('21.8.7 a line without an account adds its history to the one that exists, all or nothing', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, 1) }));
  const { notes, transactions } = lineOf(code, 'ACC-9');
  const id = await startJob(code, {
    lines: [
      { external_account_number: 'ACC-1', notes, transactions },
      { external_account_number: 'nobody', notes },
    ],
  });
  await workOn(id);
  const results = await resultsOf(id);
  expect(results.get(1)).toMatchObject({
    outcome: 'created',
    steps: { notes: { added: 1, existing: 0 }, transactions: { added: 1, existing: 0 } },
  });
  expect(results.get(2)).toMatchObject({ outcome: 'refused', step: 'notes', code: 'account_not_found' });
});

test('21.8.5 a line at which the service fails is tried five times and blamed alone; those beside it are moved', async () => {
  const code = await createSupplier();
  await owner.pool.query(`ALTER TABLE customers ADD CHECK (family_name <> 'BREAK')`);
  const broken = lineOf(code, 'ACC-3', { customers: [{ family_name: 'BREAK' }] });
  const lines = [...linesOf(code, 2), broken, lineOf(code, 'ACC-4'), lineOf(code, 'ACC-5')];
  const id = await startJob(code, { lines });
  await workOn(id, { dependencies: { ...books.dependencies, clock: books.quickClock() } });
  expect(await countsOf(id)).toEqual({ created: 4, failed: 1 });
  expect((await resultsOf(id)).get(3)).toMatchObject({ outcome: 'failed', code: 'internal_error' });
  expect(await failedRowsOf(id)).toMatchObject([{ line: 3, code: 'internal_error', data: broken }]);
});

test('21.8.5 a line at which the service fails beside one that has failed has five tries of its own', async () => {
  const code = await createSupplier();
  await owner.pool.query(`
    CREATE SEQUENCE tries_of_second;
    CREATE FUNCTION break_customer() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.family_name = 'SECOND' THEN PERFORM nextval('tries_of_second'); END IF;
        IF NEW.family_name IN ('FIRST', 'SECOND') THEN RAISE EXCEPTION 'broken'; END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER break_customer BEFORE INSERT ON customers FOR EACH ROW EXECUTE FUNCTION break_customer()`);
  const broken = ['FIRST', 'SECOND'].map((family_name) => lineOf(code, family_name, { customers: [{ family_name }] }));
  const id = await startJob(code, { lines: [...broken, ...linesOf(code, 38)], together: 40 });
  await workOn(id, { dependencies: { ...books.dependencies, clock: books.quickClock() }, lanes: 1 });
  expect(await countsOf(id)).toEqual({ created: 38, failed: 2 });
  const { rows } = await owner.pool.query('SELECT last_value::int AS tries FROM tries_of_second');
  expect(rows[0].tries).toBeGreaterThanOrEqual(5);
});

test('21.10.3 a job pauses if the service fails at each line of a chunk five times', async () => {
  const code = await createSupplier();
  await owner.pool.query(`ALTER TABLE customers ADD CHECK (family_name <> 'ALL')`);
  const lines = Array.from({ length: 40 }, (_, line) =>
    lineOf(code, `A-${line}`, { customers: [{ family_name: 'ALL' }] }),
  );
  const id = await startJob(code, { lines, together: 40 });
  await workOn(id, { dependencies: { ...books.dependencies, clock: books.quickClock() } });
  expect(await jobOf(id)).toMatchObject({ state: 'PAUSED', state_reason: 'chunk_keeps_failing' });
  expect(await countsOf(id)).toEqual({});
});

test('21.8.8 a job ends whose lines consist of byte order marks alone', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { lines: [lineOf(code, 'ACC-1'), '\uFEFF', lineOf(code, 'ACC-2')] });
  let looks = 0;
  await workOn(id, {}, async () => {
    looks += 1;
    if (looks > 100)
      await owner.pool.query(`UPDATE bulk_jobs SET state = 'CANCELLED', finished_at = now() WHERE id = $1`, [id]);
  });
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED' });
  expect(await countsOf(id)).toEqual({ created: 2, refused: 1 });
});
