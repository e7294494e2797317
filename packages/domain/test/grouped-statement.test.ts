import { AccountPayload, CreateImportSupplierRequest } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  accountImportId,
  createImportSupplier,
  createOperationsTeam,
  createOrganisation,
  importNotes,
  processAccount,
  stageAccount,
} from '../src/index.ts';
import { staffContext } from './support/staff-context.ts';

const { database, drop } = await createTestDatabase({ poolSize: 10 });
afterAll(drop);

const context = staffContext(database);
const code = 'NORTHWIND';

beforeAll(async () => {
  const { id } = await createOrganisation(context, { name: 'Northwind' });
  const supplier = { code, name: 'Northwind', organisation_id: id };
  await createImportSupplier(context, CreateImportSupplierRequest.parse(supplier));
  await createOperationsTeam(context, { name: 'Migration' });
});

const customers = [{ family_name: 'Hartley' }];

function stage(external_account_number: string) {
  return stageAccount(context, AccountPayload.parse({ import_supplier: code, external_account_number, customers }));
}

async function importAccount(external_account_number: string) {
  await stage(external_account_number);
  const key = { import_supplier_code: code, external_account_number };
  await processAccount(context, { ...key, operations_team_name: 'Migration', dry_run: false });
  return { import_supplier: code, external_account_number };
}

/** Inserts the account import and keeps it uncommitted, so that whoever stages it too has to wait. */
async function holdImport(number: string) {
  const client = await database.pool.connect();
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
  const holds = [];
  const waiting = [];
  for (const number of ['held 1', 'held 2', 'held 3']) {
    const hold = await holdImport(number);
    waiting.push(stage(number));
    await hold.awaited();
    holds.push(hold);
  }
  expect(await stage('free')).toMatchObject({ timesStaged: 1 });
  await Promise.all(holds.map(({ release }) => release()));
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

test('4.4 gives each of the calls that come at the same time its own answer, and each account its own notes', async () => {
  const accounts = await Promise.all(Array.from({ length: 20 }, (_, index) => importAccount(`own ${index}`)));
  const answers = await Promise.all(
    accounts.map((account, index) => importNotes(context, { ...account, notes: [{ body: `Note ${index}` }] })),
  );
  expect(answers.map((results) => results.map(({ body }) => body))).toEqual(
    accounts.map((_, index) => [`Note ${index}`]),
  );
  for (const [index] of accounts.entries()) {
    const where = { account_import_id: accountImportId(code, `own ${index}`) };
    expect(await database.prisma.note.findMany({ where })).toMatchObject([{ body: `Note ${index}` }]);
    expect(await database.prisma.auditEvent.count({ where: { subject_id: where.account_import_id } })).toBe(3);
  }
});
