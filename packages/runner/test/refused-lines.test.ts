import { keepProblems } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { lineOf } from './lines.ts';
import { type SentLine, startBooks } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { dependencies, createSupplier, startJob, workOn } = books;

const asked = (vendor: string, type = 'CARD') => ({
  payment_instructions: [{ vendor, reference: `R-${type}`, type }],
});
const vendor = { name: 'FAKE', fetchInstruction: async () => ({ last4: '4242' }) };
const withVendor = { dependencies: { ...dependencies, paymentVendors: new Map([['FAKE', vendor]]) } };

async function work(code: string, kind: 'STAGE' | 'MOVE' | 'PROCESS', lines?: readonly SentLine[]): Promise<void> {
  await workOn(await startJob(code, { kind, ...(lines && { lines }) }), withVendor);
}

/** What is open of each account, with what it lacks. */
async function openOf(code: string): Promise<Record<string, unknown>> {
  const { rows } = await books.owner.pool.query(
    `SELECT external_account_number AS number, jsonb_object_agg(operation, coalesce(detail_of_line(lacking), detail, '{}')) AS open
     FROM account_import_refusals WHERE import_supplier_code = $1 AND resolved_at IS NULL GROUP BY 1 ORDER BY 1`,
    [code],
  );
  return Object.fromEntries(rows.map(({ number, open }) => [number, open]));
}

/** All that `lineOf` brings with an account, and its card. */
const ALL = { notes: 1, transactions: 1, statements: 1 };
const CARD = { CARD: 'refused' };
const OTHER = { account: 'refused' };

test('4.15.2 an account that is created from what was staged before a refused line lacks what the line was to bring', async () => {
  const code = await createSupplier();
  const numbers = ['ACC-1', 'ACC-2', 'ACC-3', 'ACC-4'];
  const alone = numbers.map((number) => ({ account: lineOf(code, number).account }));
  await work(code, 'STAGE', alone);
  const [first, second, third, fourth] = numbers.map((number) => lineOf(code, number));
  await work(code, 'MOVE', [
    { ...first, ...asked('NOPE') },
    { ...second, account: { ...second?.account, transfer_balance: 5 }, ...asked('NOPE') },
    { ...third, account: { ...third?.account, account_type: 'NO_SUCH_TYPE' } },
    // Nothing is lacking of it: what is staged is the same.
    { account: { ...fourth?.account, transfer_balance: '-48.20' }, control: { transactions: 5 } },
  ]);
  const refused = {
    'ACC-1': { line: { ...ALL, ...CARD } },
    'ACC-2': { line: { ...ALL, ...CARD, ...OTHER } },
    'ACC-3': { line: { ...ALL, ...OTHER } },
  };
  expect(await openOf(code)).toEqual({ ...refused, 'ACC-4': { line: {} } });
  await work(code, 'PROCESS');
  expect(await openOf(code)).toEqual(refused);
  await work(code, 'MOVE', [{ ...second, account: { ...second?.account, transfer_balance: 5 }, ...asked('NOPE') }]);
  expect(await openOf(code)).toEqual(refused);
  // The accounts are found as they were sent last, and bring nothing: what they lack they lack.
  await work(code, 'MOVE', alone);
  expect(await openOf(code)).toEqual({
    'ACC-1': { line: { ...ALL, ...CARD } },
    'ACC-2': { line: { ...ALL, ...CARD } },
    'ACC-3': { line: ALL },
  });
  const { account: _, ...history } = lineOf(code, 'ACC-1');
  await work(code, 'MOVE', [{ external_account_number: 'ACC-1', ...history }]);
  expect((await openOf(code))['ACC-1']).toEqual({ line: CARD });
  await work(code, 'MOVE', [{ external_account_number: 'ACC-1', ...asked('FAKE', 'DIRECT_DEBIT') }]);
  expect((await openOf(code))['ACC-1']).toEqual({ line: CARD });
  await work(code, 'MOVE', [{ external_account_number: 'ACC-1', ...asked('FAKE') }]);
  expect(Object.keys(await openOf(code))).toEqual(['ACC-2', 'ACC-3']);
});

test('4.15.2 what is staged or moved after a refused line takes its place', async () => {
  const code = await createSupplier();
  const [first, second] = [lineOf(code, 'ACC-1'), lineOf(code, 'ACC-2')];
  await work(code, 'STAGE', [{ account: first.account }, { account: second.account }]);
  await work(
    code,
    'MOVE',
    ['ACC-1', 'ACC-2'].map((number) => ({ external_account_number: number })),
  );
  await work(
    code,
    'MOVE',
    [first, second].map((line) => ({ ...line, ...asked('NOPE') })),
  );
  await work(code, 'STAGE', [{ account: first.account }]);
  await work(code, 'MOVE', [second]);
  await work(code, 'PROCESS');
  expect(await openOf(code)).toEqual({});
});

test('4.15.2 a line of an older book that is found unchanged resolves nothing that it does not bring', async () => {
  const code = await createSupplier();
  const { account, transactions } = lineOf(code, 'ACC-1');
  const older = { account, transactions };
  const more = [...transactions, { ...transactions[0], transaction_id: 'T-2' }];
  await work(code, 'STAGE', [older]);
  await work(code, 'MOVE', [{ account, transactions: more, ...asked('NOPE') }]);
  await work(code, 'PROCESS');
  await work(code, 'MOVE', [older]);
  expect(await openOf(code)).toEqual({ 'ACC-1': { line: { transactions: 1, ...CARD } } });
  // Refused again, it still lacks what it lacked.
  await work(code, 'MOVE', [{ account: { ...account, transfer_balance: 5 }, transactions: more, ...asked('NOPE') }]);
  expect(await openOf(code)).toEqual({ 'ACC-1': { line: { transactions: 1, ...CARD } } });
  await work(code, 'MOVE', [{ external_account_number: 'ACC-1', transactions: more, ...asked('FAKE') }]);
  expect(await openOf(code)).toEqual({});
});

test('4.15.2 a creation with all that a refused line was to bring resolves it', async () => {
  const code = await createSupplier();
  const line = lineOf(code, 'ACC-1');
  await work(code, 'STAGE', [line]);
  await work(code, 'MOVE', [{ ...line, control: { transactions: 5 } }]);
  expect(await openOf(code)).toEqual({ 'ACC-1': { line: ALL } });
  await work(code, 'PROCESS');
  expect(await openOf(code)).toEqual({});
});

test('4.15.2 what a line was to bring counts in whatever form it was sent', async () => {
  const code = await createSupplier();
  const { transactions } = lineOf(code, 'ACC-1');
  const ledgers = [{ current_statement_transactions: transactions, historical_statement_transactions: [] }];
  const instruction = { vendor: 'FAKE', reference: 'R-1', type: 'CARD' };
  const forms: [object, object][] = [
    [{ payment_instructions: instruction }, CARD],
    [{ payment_instruction: { ...instruction, type: 'card' } }, { payment_instruction: 'refused' }],
    [
      { historical_transactions: transactions, notes: 'x' },
      { transactions: 1, notes: 1 },
    ],
    [{ ledgers, transactions }, { transactions: 1 }],
    [{ statements: {}, notes: [], transactions: null }, {}],
    [{ ledgers: { 0: ledgers[0] }, import_supplier: code }, { transactions: 1 }],
    [{ ledgers: [{ transactions }] }, { transactions: 1 }],
    [
      { ledgers: [ledgers], notes: [{ body: '' }] },
      { transactions: 1, notes: 1 },
    ],
  ];
  const lines = forms.map(([form], index) => ({ account: lineOf(code, `ACC-${index}`).account, ...form, control: 1 }));
  const text = { external_account_number: 'ACC-9', account: JSON.stringify(lines[0]?.account), transactions };
  await work(
    code,
    'STAGE',
    lines.map(({ account }) => ({ account })),
  );
  await work(code, 'MOVE', [...lines, text]);
  const open = await openOf(code);
  expect(Object.values(open)).toEqual(
    [...forms.map(([, lacking]) => lacking), { transactions: 1, ...OTHER }].map((lacking) => ({ line: lacking })),
  );
});

test('4.15.5 a refused line of an account that exists lacks what the account has less of', async () => {
  const code = await createSupplier();
  const [first, second] = [lineOf(code, 'ACC-1'), lineOf(code, 'ACC-2')];
  await work(code, 'MOVE', [first, { account: second.account, notes: second.notes }]);
  await work(
    code,
    'MOVE',
    [first, second].map((line) => ({ ...line, control: { transactions: 5 } })),
  );
  expect(await openOf(code)).toEqual({ 'ACC-2': { line: { transactions: 1, statements: 1 } } });
  const { account: _, ...history } = second;
  await work(code, 'MOVE', [{ external_account_number: 'ACC-2', ...history }]);
  expect(await openOf(code)).toEqual({});
});

test('4.15.5 an account that exists lacks nothing because of a book of another supplier, or of what nothing identifies', async () => {
  const code = await createSupplier();
  const line = lineOf(code, 'ACC-1');
  await work(code, 'MOVE', [line]);
  const { account, transactions } = lineOf('ANOTHER', 'ACC-1');
  await work(code, 'MOVE', [{ account, transactions: [{ ...transactions[0], transaction_id: 'OTHER' }] }]);
  await work(code, 'MOVE', [{ ...line, notes: [{ body: '' }] }]);
  await work(code, 'MOVE', [{ ...line, transactions: { 0: transactions } }]);
  expect(await openOf(code)).toEqual({});
});

test('4.15.5 what was stored of a refused line by somebody who was killed then is settled later', async () => {
  const code = await createSupplier();
  const line = lineOf(code, 'ACC-1');
  await work(code, 'MOVE', [line]);
  const { rows } = await books.owner.pool.query(
    `INSERT INTO account_import_refusals (account_import_id, operation, import_supplier_code, external_account_number, code,
       errors, problems, lacking, is_unsettled, is_staged, is_created, request_id, first_seen_at, last_seen_at)
     SELECT id, 'line', import_supplier_code, external_account_number, 'account_failed_validation', '[]', '{x}',
       jsonb_build_object('t:' || short_digest('T-ACC-1'), 1), true, true, true, 'r', '2026-01-01', '2026-01-01'
     FROM account_imports WHERE import_supplier_code = $1 RETURNING lacking`,
    [code],
  );
  expect(rows).toHaveLength(1);
  await keepProblems(books.database, books.staff.clock());
  expect(await openOf(code)).toEqual({});
});

test('4.15.1 a line with history beside an empty account leaves a refusal of its history', async () => {
  const code = await createSupplier();
  const { account, ...history } = lineOf(code, 'ACC-1');
  await work(code, 'MOVE', [{ account }]);
  await work(code, 'MOVE', [{ account: null, external_account_number: 'ACC-1', ...history }]);
  expect(await openOf(code)).toEqual({ 'ACC-1': { notes: {} } });
});
