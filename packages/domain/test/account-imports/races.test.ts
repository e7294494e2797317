import { AccountPayload } from '@causeway/contracts';
import { type Database, openDatabase } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  accountImportId,
  accountStatus,
  type Context,
  processAccount,
  searchAccountImports,
  skipAccountImport,
  stageAccount,
  unskipAccountImport,
} from '../../src/index.ts';
import { processLockKey } from '../../src/shared/process-locks.ts';
import { createSupplier } from '../support/create-supplier.ts';
import { staffContext } from '../support/staff-context.ts';

// One connection, so that a call that needs a second one while it holds the first would never get it.
const { database, url, drop } = await createTestDatabase({ poolSize: 1, acquireTimeoutMs: 2_000 });
const another = openDatabase({ url, poolSize: 1 });
afterAll(async () => {
  await another.close();
  await drop();
});

const context = staffContext(database);
const code = 'NORTHWIND';
const team = 'Migration support';

await createSupplier(context, code, team);

let accounts = 0;

function payload(): AccountPayload {
  accounts += 1;
  return AccountPayload.parse({
    import_supplier: code,
    external_account_number: `ACC-${accounts}`,
    customers: [{ family_name: 'Hartley' }],
  });
}

async function stage(): Promise<string> {
  const account = payload();
  await stageAccount(context, account);
  return account.external_account_number;
}

function request(external_account_number: string, dry_run = false) {
  return { external_account_number, import_supplier_code: code, operations_team_name: team, dry_run };
}

/** The context of a call that is overtaken: `meanwhile` happens after its first statement of this name was answered. */
function overtaken(name: string, meanwhile: () => Promise<unknown>): Context {
  let happened = false;
  const query: Database['query'] = async (statement, values) => {
    const rows = await database.query(statement, values);
    if (statement.name.startsWith(`${name}_`) && !happened) {
      happened = true;
      await meanwhile();
    }
    return rows as never;
  };
  return { ...context, database: { ...database, query } };
}

describe('a call that is overtaken', () => {
  test('3.1 tells of an account that was created while it asked, and never that nothing was continuing', async () => {
    const number = await stage();
    const asking = overtaken('account-status', () => processAccount(context, request(number)));
    const status = await accountStatus(asking, { import_supplier_code: code, external_account_number: number });
    expect(status).toEqual({ status: 'COMPLETED', service_account_number: expect.stringMatching(/^A-/) });
  });

  test('3.1 does not take another caller who asks for a process call', async () => {
    const number = await stage();
    using asking = await borrowConnection(another.pool);
    const lock = processLockKey(accountImportId(code, number));
    await asking.query('SELECT pg_advisory_lock_shared($1)', [lock]);
    const status = await accountStatus(context, { import_supplier_code: code, external_account_number: number });
    expect(status).toEqual({ status: 'UNKNOWN', service_account_number: '' });
    await asking.query('SELECT pg_advisory_unlock_shared($1)', [lock]);
    asking.release();
  });

  test('4.2 stages an account that was skipped when it looked and no longer is', async () => {
    const account = payload();
    await stageAccount(context, account);
    const key = { code, external_account_number: account.external_account_number };
    await skipAccountImport(context, { ...key, reason: 'Test' });
    const staging = overtaken('stage-accounts', () => unskipAccountImport(context, key));
    expect(await stageAccount(staging, account)).toMatchObject({ timesStaged: 2 });
  });

  test('4.3 creates an account that was skipped when it looked and no longer is', async () => {
    const number = await stage();
    const key = { code, external_account_number: number };
    await skipAccountImport(context, { ...key, reason: 'Test' });
    const processing = overtaken('process-accounts', () => unskipAccountImport(context, key));
    expect(await processAccount(processing, request(number))).toEqual({
      service_account_number: expect.stringMatching(/^A-/),
      external_account_number: number,
    });
  });

  test('3.1 leaves an account COMPLETED that another call created while this one failed', async () => {
    const number = await stage();
    const failing = overtaken('process-accounts', () => processAccount(context, request(number)));
    const call = processAccount(failing, { ...request(number), operations_team_name: 'none' });
    await expect(call).rejects.toMatchObject({ code: 'operations_team_name_does_not_exist' });
    const where = { id: accountImportId(code, number) };
    expect(await database.prisma.accountImport.findUnique({ where })).toMatchObject({
      state: 'COMPLETED',
      attempts: 1,
      last_error: null,
    });
  });

  test('4.3 creates an account whose mark to be skipped is being taken away while it asks', async () => {
    const number = await stage();
    await skipAccountImport(context, { code, external_account_number: number, reason: 'Test' });
    using holder = await borrowConnection(another.pool);
    await holder.query('BEGIN');
    await holder.query(
      `UPDATE account_imports SET state = 'STAGED', skipped_at = NULL, skip_reason = NULL WHERE id = $1`,
      [accountImportId(code, number)],
    );
    const processing = processAccount(context, request(number));
    const isWaiting = async () => (await holder.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount !== 0;
    await vi.waitUntil(isWaiting, { interval: 10, timeout: 600_000 });
    await holder.query('COMMIT');
    holder.release();
    expect(await processing).toEqual({
      service_account_number: expect.stringMatching(/^A-/),
      external_account_number: number,
    });
  });

  test('4.3 creates an account that was staged just after it looked', async () => {
    const account = payload();
    const processing = overtaken('process-accounts', () => stageAccount(context, account));
    await processAccount(processing, request(account.external_account_number));
    const id = accountImportId(code, account.external_account_number);
    expect(await database.prisma.account.count({ where: { account_import_id: id } })).toBe(1);
  });
});

describe('a list of the service team', () => {
  test('14.6 has an account once that is created while the list is read', async () => {
    const number = await stage();
    // Every query of the only connection: after the first answer about account imports the account is created
    // elsewhere.
    let created: Promise<unknown> | undefined;
    using client = await borrowConnection(database.pool);
    const query = client.query.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    const elsewhere = { ...context, database: another };
    const overtakenQuery = (config: { text?: string }, values: unknown, callback?: (...answer: unknown[]) => void) => {
      const answer = query(config, values).then(async (result) => {
        if (config.text?.includes('account_imports')) {
          created ??= processAccount(elsewhere, request(number));
          await created;
        }
        return result;
      });
      return callback === undefined ? answer : answer.then((result) => callback(undefined, result), callback);
    };
    client.query = overtakenQuery as typeof client.query;
    client.release();
    const records = await searchAccountImports(context, { code, search: number });
    client.query = query as typeof client.query;
    expect(records.map(({ external_account_number }) => external_account_number)).toEqual([number]);
    expect(await created).toBeDefined();
  });
});

describe('marking an account to be skipped', () => {
  test('14.6 reads the record alone, however large the payload and long the trail', async () => {
    const key = { code, external_account_number: await stage() };
    const read: string[] = [];
    const query: Database['query'] = (statement, values) => {
      read.push(...Object.keys(statement.columns));
      return database.query(statement, values);
    };
    const reading = { ...context, database: { ...database, query } };
    await skipAccountImport(reading, { ...key, reason: 'Test' });
    await unskipAccountImport(reading, key);
    expect(read.filter((column) => column === 'skip_reason')).toHaveLength(2);
    expect(read).not.toContain('payload');
  });
});

describe('a dry run', () => {
  test('4.3 needs one connection only, whatever its answer', async () => {
    const [staged, imported, skipped] = [await stage(), await stage(), await stage()];
    await processAccount(context, request(imported));
    await skipAccountImport(context, { code, external_account_number: skipped, reason: 'Test' });
    const codeOf = (number: string, overrides = {}) =>
      processAccount(context, { ...request(number, true), ...overrides }).catch((error) => error.code);
    expect(await codeOf(staged)).toBe('dry_run_rolled_back');
    expect(await codeOf(imported)).toBe('account_import_process_already_imported');
    expect(await codeOf(skipped)).toBe('account_import_process_skipped');
    expect(await codeOf('never staged')).toBe('import_process_does_not_exist');
    expect(await codeOf(staged, { operations_team_name: 'none' })).toBe('operations_team_name_does_not_exist');
  });
});
