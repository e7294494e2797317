import { VendorUnavailable } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks, type TestJob } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { dependencies, createSupplier, startJob, workOn, countsOf, resultsOf } = books;

const asked = (vendor: string, reference: string) => ({ payment_instruction: { vendor, reference, type: 'CARD' } });
const vendor = { name: 'FAKE', fetchInstruction: async () => ({ last4: '4242' }) };
const withVendor = { dependencies: { ...dependencies, paymentVendors: new Map([['FAKE', vendor]]) } };

test('21.8.6 a line whose payment instruction its account does not have is refused, not unchanged', async () => {
  const code = await createSupplier();
  const sent = (number: string, reference: string) => ({ ...lineOf(code, number), ...asked('FAKE', reference) });
  const lines = [lineOf(code, 'ACC-1'), sent('ACC-2', 'R-2'), sent('ACC-3', 'R-3')];
  await workOn(await startJob(code, { lines }), withVendor);
  const again = [sent('ACC-1', 'R-1'), sent('ACC-2', 'R-2'), sent('ACC-3', 'R-9')];
  for (const run_mode of ['REHEARSAL', 'REAL'] as const) {
    const id = await startJob(code, { lines: again, run_mode });
    await workOn(id, withVendor);
    expect(await countsOf(id)).toEqual({ refused: 2, unchanged: 1 });
    expect((await resultsOf(id)).get(2)).toMatchObject({ outcome: 'unchanged' });
  }
});

test('21.8.6 a line that was moved before is unchanged, whatever its vendor or the rules of today would say', async () => {
  const code = await createSupplier();
  const lines = ['ACC-1', 'ACC-2'].map((number) => ({ ...lineOf(code, number), ...asked('FAKE', `R-${number}`) }));
  const options = { force_add_to_current_statement: false };
  await workOn(await startJob(code, { lines, options }), withVendor);
  const fetchInstruction = async () => {
    throw new VendorUnavailable('The vendor is away', 'away');
  };
  const clock = () => new Date('2026-06-02T08:00:00Z');
  for (const each of [lines, lines.slice(1)]) {
    const id = await startJob(code, { lines: each, options });
    const paymentVendors = new Map([['FAKE', { ...vendor, fetchInstruction }]]);
    await workOn(id, { dependencies: { ...dependencies, clock, paymentVendors } });
    expect(await countsOf(id)).toEqual({ unchanged: each.length });
  }
});

test('21.8.7 a line that adds nothing but a payment instruction has added it, and a rehearsal says so', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, 1) }));
  const lines = ['ACC-1', 'nobody'].map((number) => ({ external_account_number: number, ...asked('FAKE', 'R-1') }));
  const results = [];
  for (const run_mode of ['REHEARSAL', 'REAL', 'REAL'] as const) {
    const id = await startJob(code, { lines, run_mode });
    await workOn(id, withVendor);
    results.push(await resultsOf(id));
  }
  const steps = (added: number) => ({ payment_instruction: { added, existing: 1 - added } });
  const expected = [
    { outcome: 'created', steps: steps(1) },
    { outcome: 'created', steps: steps(1) },
  ];
  expect(results.map((each) => each.get(1))).toMatchObject([...expected, { outcome: 'unchanged', steps: steps(0) }]);
  for (const each of results) expect(each.get(2)).toMatchObject({ outcome: 'refused', code: 'account_not_found' });
});

test('21.8.7 a line brings instructions of two types, for a new account and for one that exists', async () => {
  const code = await createSupplier();
  const both = [
    { vendor: 'FAKE', reference: 'R-1', type: 'CARD' },
    { vendor: 'FAKE', reference: 'R-2', type: 'DIRECT_DEBIT' },
  ];
  await workOn(await startJob(code, { lines: [lineOf(code, 'ACC-1')] }));
  const lines = [
    { external_account_number: 'ACC-1', payment_instructions: both },
    lineOf(code, 'ACC-2', { payment_instructions: both }),
    { ...lineOf(code, 'ACC-3'), payment_instructions: both },
  ];
  const results: Awaited<ReturnType<typeof resultsOf>>[] = [];
  for (const run_mode of ['REHEARSAL', 'REAL', 'REAL'] as const) {
    const id = await startJob(code, { lines, run_mode });
    await workOn(id, withVendor);
    results.push(await resultsOf(id));
  }
  const steps = (added: number) => ({ payment_instruction: { added, existing: 2 - added } });
  const of = (number: number) => results.map((each) => each.get(number));
  const created = { outcome: 'created' };
  expect(of(1)).toMatchObject([
    { ...created, steps: steps(2) },
    { ...created, steps: steps(2) },
    { outcome: 'unchanged', steps: steps(0) },
  ]);
  for (const number of [2, 3]) expect(of(number)).toMatchObject([created, created, { outcome: 'unchanged' }]);
  const more = [both[1], { vendor: 'FAKE', reference: 'R-3', type: 'CASH' }];
  const other = [both[0], { vendor: 'FAKE', reference: 'R-4', type: 'DIRECT_DEBIT' }];
  const id = await startJob(code, {
    lines: [
      { external_account_number: 'ACC-1', payment_instructions: more },
      { ...lineOf(code, 'ACC-3'), payment_instructions: more },
      { external_account_number: 'ACC-2', payment_instructions: other },
    ],
  });
  await workOn(id, withVendor);
  expect([...(await resultsOf(id)).values()]).toMatchObject([
    { ...created, steps: { payment_instruction: { added: 1, existing: 1 } } },
    { outcome: 'refused' },
    { outcome: 'refused', errors: [{ attr: 'payment_instructions.1.reference' }] },
  ]);
  const { rows } = await books.owner.pool.query(
    `SELECT external_account_number, array_agg(type ORDER BY type) AS types
     FROM payment_instructions JOIN account_imports ON id = account_import_id
     WHERE import_supplier_code = $1 GROUP BY 1 ORDER BY 1`,
    [code],
  );
  expect(rows.map(({ types }) => types)).toEqual([
    ['CARD', 'CASH', 'DIRECT_DEBIT'],
    ['CARD', 'DIRECT_DEBIT'],
    ['CARD', 'DIRECT_DEBIT'],
  ]);
});

test('4.7.9 21.8.7 a line supersedes an instruction of an account that exists, once, and a rehearsal says so', async () => {
  const code = await createSupplier();
  const run = async (lines: NonNullable<TestJob['lines']>, run_mode: 'REHEARSAL' | 'REAL' = 'REAL') => {
    const id = await startJob(code, { lines, run_mode });
    await workOn(id, withVendor);
    return [...(await resultsOf(id)).values()];
  };
  const former = { vendor: 'FAKE', reference: 'R-1', type: 'CARD' };
  const next = { ...former, reference: 'R-2', supersedes: 'R-1' };
  const moved = ['ACC-1', 'ACC-2'].map((number) => ({ ...lineOf(code, number), payment_instruction: former }));
  await run(moved);
  const lines = [
    { external_account_number: 'ACC-1', payment_instruction: next },
    { external_account_number: 'ACC-2', payment_instruction: { ...next, supersedes: 'R-9' } },
    { ...lineOf(code, 'ACC-3'), payment_instruction: next },
  ];
  const refused = (attr: string, of: string) => ({ outcome: 'refused', errors: [{ attr, code: of }] });
  const others = [
    refused('supersedes', 'supersedes_no_active_instruction'),
    refused('payment_instruction.supersedes', 'supersedes_no_active_instruction'),
  ];
  const steps = (added: number) => ({ payment_instruction: { added, existing: 1 - added } });
  for (const mode of ['REHEARSAL', 'REAL'] as const) {
    expect(await run(lines, mode)).toMatchObject([{ outcome: 'created', steps: steps(1) }, ...others]);
  }
  expect(await run(lines)).toMatchObject([{ outcome: 'unchanged', steps: steps(0) }, ...others]);
  const late = refused('reference', 'payment_instruction_superseded');
  expect(await run([{ external_account_number: 'ACC-1', payment_instruction: former }])).toMatchObject([late]);
  expect(await run(moved)).toMatchObject([late, { outcome: 'unchanged' }]);
  const { rows } = await books.owner.pool.query(
    `SELECT former.reference AS former, active.reference AS active
     FROM payment_instructions AS active JOIN account_imports ON id = account_import_id
     JOIN superseded_payment_instructions AS former USING (account_import_id, type)
     WHERE import_supplier_code = $1`,
    [code],
  );
  expect(rows).toEqual([{ former: 'R-1', active: 'R-2' }]);
});

test('21.8.7 a line with a vendor that is not configured is refused, and keeps no other line waiting', async () => {
  const code = await createSupplier();
  const [first, second, third] = [lineOf(code, 'ACC-1'), lineOf(code, 'ACC-2'), lineOf(code, 'ACC-3')];
  const id = await startJob(code, { lines: [first, { ...second, ...asked('NOPE', 'R-1') }, third], together: 3 });
  await workOn(id, { dependencies });
  const history = { external_account_number: 'ACC-1', ...asked('NOPE', 'R-1') };
  const later = await startJob(code, { lines: [history] });
  await workOn(later, { dependencies });
  const refused = { outcome: 'refused', errors: [{ attr: 'vendor', code: 'invalid_choice' }] };
  expect([...(await resultsOf(id)).values()].map(({ outcome }) => outcome)).toEqual(['created', 'refused', 'created']);
  expect([...(await resultsOf(later)).values()]).toMatchObject([refused]);
});

test('21.10.6 lines before one whose vendor does not answer are done, and those behind are not asked about', async () => {
  const code = await createSupplier();
  const asks = new Map<string, number>();
  let createdMeanwhile = 0;
  const unreliable = {
    name: 'FAKE',
    async fetchInstruction(reference: string) {
      asks.set(reference, (asks.get(reference) ?? 0) + 1);
      const isFirst = reference === 'R-1' || reference === 'R-2';
      if (isFirst || createdMeanwhile === 2 || (asks.get('R-3') ?? 0) > 5) return { last4: '4242' };
      createdMeanwhile = (await countsOf(id)).created ?? 0;
      throw new VendorUnavailable('The vendor does not answer.', 'time-out');
    },
  };
  const lines = linesOf(code, 20).map((line, index) => ({ ...line, ...asked('FAKE', `R-${index + 1}`) }));
  const id = await startJob(code, { lines, together: 20 });
  const paymentVendors = new Map([['FAKE', unreliable]]);
  await workOn(id, { dependencies: { ...dependencies, clock: books.quickClock(), paymentVendors }, lanes: 1 });
  expect(createdMeanwhile).toBe(2);
  expect(await countsOf(id)).toEqual({ created: 20 });
  expect(asks.get('R-20')).toBe(1);
});
