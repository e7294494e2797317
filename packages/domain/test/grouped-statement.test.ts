import { AccountPayload, ImportStatementsRequest, ImportTransactionsRequest } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test, vi } from 'vitest';
import {
  accountImportId,
  importNotes,
  importStatements,
  importTransactions,
  processAccount,
  stageAccount,
} from '../src/index.ts';
import { createSupplier } from './support/create-supplier.ts';
import { staffContext } from './support/staff-context.ts';

const { database, drop } = await createTestDatabase({ poolSize: 10 });
afterAll(drop);

const context = staffContext(database);
const code = 'NORTHWIND';

await createSupplier(context, code, 'Migration');

interface ImportedAccount {
  import_supplier: string;
  external_account_number: string;
}

const customers = [{ family_name: 'Hartley' }];

function stage(external_account_number: string) {
  return stageAccount(context, AccountPayload.parse({ import_supplier: code, external_account_number, customers }));
}

async function importAccount(external_account_number: string): Promise<ImportedAccount> {
  await stage(external_account_number);
  const key = { import_supplier_code: code, external_account_number };
  await processAccount(context, { ...key, operations_team_name: 'Migration', dry_run: false });
  return { import_supplier: code, external_account_number };
}

/** Inserts the account import and keeps it uncommitted, so that anyone who stages it too has to wait. */
async function holdImport(number: string) {
  const client = await borrowConnection(database.pool);
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
    VALUES ($1, $2, $3, 'STAGED', '{}', now(), now())`,
    [accountImportId(code, number), code, number],
  );
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const isAwaited = async () => {
    const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return (await database.pool.query(waiting, [rows[0]?.pid])).rowCount === 1;
  };
  return {
    [Symbol.dispose]: client[Symbol.dispose],
    async awaited() {
      await vi.waitUntil(isAwaited, { interval: 10, timeout: 600_000 });
    },
    async release() {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

test('4.2 stages accounts while calls before them wait for somebody else', async () => {
  using holds = new DisposableStack();
  const releases = [];
  const waiting = [];
  for (const number of ['held 1', 'held 2', 'held 3']) {
    const hold = holds.use(await holdImport(number));
    waiting.push(stage(number));
    await hold.awaited();
    releases.push(hold.release);
  }
  expect(await stage('free')).toMatchObject({ timesStaged: 1 });
  await Promise.all(releases.map((release) => release()));
  expect(await Promise.all(waiting)).toHaveLength(3);
});

test('4.4 adds the notes of a call although the call beside it fails', async () => {
  const [broken, whole] = [await importAccount('broken'), await importAccount('whole')];
  const answers = await Promise.allSettled([
    importNotes(context, { ...broken, notes: [{ body: 'One', created_at: 'never' }] }),
    importNotes(context, { ...whole, notes: [{ body: 'One' }, { body: 'Two' }] }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  const stored = await database.prisma.note.findMany({ orderBy: { id: 'asc' } });
  expect(stored.map(({ account_import_id, body }) => [account_import_id, body])).toEqual([
    [accountImportId(code, 'whole'), 'One'],
    [accountImportId(code, 'whole'), 'Two'],
  ]);
});

const [DAY, AMOUNT] = ['2026-03-02', '12.50'];

/** How each import sends records with these names, what it answers for each, and the names that an account has. */
const IMPORTS = {
  notes: {
    async send(account: ImportedAccount, names: string[]) {
      const results = await importNotes(context, { ...account, notes: names.map((body) => ({ body })) });
      return results.map(({ body, status }) => `${body}: ${status}`);
    },
    added: 'NOTE_CREATION_SUCCESS',
    repeated: 'NOTE_ALREADY_EXISTS',
    async stored(account_import_id: string) {
      const rows = await database.prisma.note.findMany({ where: { account_import_id }, orderBy: { id: 'asc' } });
      return rows.map(({ body }) => body);
    },
  },
  transactions: {
    async send(account: ImportedAccount, names: string[]) {
      const transactions = names.map((transaction_id) => ({
        ...{ transaction_id, transaction_date: DAY, amount: AMOUNT },
        ...{ type: 'PAYMENT', reason: 'CARD_PAYMENT', payment_type: 'CARD' },
      }));
      const request = ImportTransactionsRequest.parse({ ...account, transactions });
      const { results } = await importTransactions(context, request);
      return results.map(({ transaction_data, status }) => `${transaction_data.transaction_id}: ${status}`);
    },
    added: 'TRANSACTION_ADDED_TO_ACCOUNT',
    repeated: 'TRANSACTION_ALREADY_EXISTS',
    async stored(account_import_id: string) {
      const rows = await database.prisma.transaction.findMany({ where: { account_import_id }, orderBy: { id: 'asc' } });
      return rows.map(({ transaction_id }) => transaction_id);
    },
  },
  statements: {
    async send(account: ImportedAccount, names: string[]) {
      const period = { bill_period_from_date: DAY, bill_period_to_date: DAY, issued_date: DAY };
      const statements = names.map((statement_id) => ({
        ...{ ...period, statement_id, number: statement_id, gross_amount: AMOUNT },
      }));
      const request = ImportStatementsRequest.parse({ ...account, statements });
      const answer = await importStatements(context, request);
      return answer.statements.map(({ statement_id }) => `${statement_id}: imported`);
    },
    added: 'imported',
    repeated: 'imported',
    async stored(account_import_id: string) {
      const where = { account_import_id };
      const rows = await database.prisma.statement.findMany({ where, orderBy: { statement_id: 'asc' } });
      return rows.map(({ statement_id }) => statement_id);
    },
  },
};

test.for(Object.entries(IMPORTS))(
  '4.4 4.5 4.6 gives each of the calls that come at the same time its own answer, and each account its own %s, once',
  async ([name, { send, added, repeated, stored }]) => {
    const numbers = Array.from({ length: 20 }, (_, index) => `${name} ${index}`);
    const accounts = await Promise.all(numbers.map(importAccount));
    const names = numbers.map((number, index) =>
      Array.from({ length: 1 + (index % 6) }, (_, place) => `${place} of ${number}`),
    );
    const answers = (status: string) => names.map((all) => all.map((one) => `${one}: ${status}`));
    const sendAll = () => Promise.all(accounts.map((account, index) => send(account, names[index] ?? [])));
    const storedOfAll = () => Promise.all(numbers.map((number) => stored(accountImportId(code, number))));
    expect(await sendAll()).toEqual(answers(added));
    expect(await storedOfAll()).toEqual(names);
    expect(await sendAll()).toEqual(answers(repeated));
    expect(await storedOfAll()).toEqual(names);
    for (const number of numbers) {
      expect(await database.prisma.auditEvent.count({ where: { subject_id: accountImportId(code, number) } })).toBe(3);
    }
  },
);
