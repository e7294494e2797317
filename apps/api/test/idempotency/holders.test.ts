import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Prisma } from '@causeway/db/prisma';
import { accountImportId } from '@causeway/domain';
import { startFaultProxy } from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BREAKING, type Hold, holdAccounts, holdAccountsIn, sessionsBehind } from '../account-imports/held-accounts.ts';
import { type RestAnswer, restCalls, startTestService, type TestSupplier } from '../support/test-service.ts';
import { marked, PROCESS, STAGE } from './marked-calls.ts';

/** What the account has of the answer to its creation. */
const numberIn = ({ service_account_number }: { service_account_number: string }) => ({ service_account_number });

const HELD = { status: 409, body: { code: 'idempotency_key_in_progress', errors: [] } };

/** Otherwise PostgreSQL notices within a second that the client of a blocked session has disconnected, and ends it. */
const KEEPS_LOST_SESSIONS = '-c client_connection_check_interval=0';

const vendor = await startPatientVendor();
const service = await startTestService({
  PAYMENT_VENDORS: JSON.stringify([{ name: 'ACME', kind: 'http', base_url: vendor.url, secret: 'secret' }]),
});
await holdAccountsIn(service.database);
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

/** A payment vendor that answers when the test says so. */
async function startPatientVendor() {
  let asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => asked.resolve(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until the vendor is asked; then answers with what `answerWith` says of this reference. */
    async whenAsked(answerWith: () => Promise<{ status: number; reference: string }>) {
      const response = await asked.promise;
      asked = Promise.withResolvers();
      const { status, reference } = await answerWith();
      const body = status === 200 ? { reference, type: 'CARD', status: 'ACTIVE' } : {};
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function stageHeld(supplier: TestSupplier, hold: Pick<Hold, 'familyName'>) {
  const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  return { number, body: supplier.processRequest(number) };
}

function importOf({ code }: TestSupplier, number: string) {
  return service.database.prisma.accountImport.findUniqueOrThrow({
    where: { id: accountImportId(code, number) },
    include: { account: true },
  });
}

/** Makes of a kept answer one that its holder died over, or still works at. */
async function unfinish(claimedUntil: Date) {
  const data = { status: null, headers: Prisma.DbNull, body: null, claimed_until: claimedUntil };
  await service.database.prisma.idempotencyKey.updateMany({ data });
}

const statuses = (answers: RestAnswer[]) => answers.map(({ status }) => status);

describe('while the first request runs', () => {
  test.concurrent('12.3 answers 409, and the first answer once there is one', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const { number, body } = await stageHeld(supplier, hold);
    const call = marked(supplier, PROCESS, { body });
    const first = call.send();
    await hold.waitFor(1);
    const held = await call.send();
    expect(held).toMatchObject(HELD);
    expect(held.headers.get('retry-after')).toBe('1');
    expect(await marked(supplier, STAGE, { body: supplier.account(), key: call.key }).send()).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    await hold.release();
    expect(await first).toMatchObject({ status: 201 });
    expect(await call.send()).toMatchObject({ status: 201, body: (await first).body });
    expect(await importOf(supplier, number)).toMatchObject({ attempts: 1, account: numberIn((await first).body) });
  });

  test.concurrent('12.1 has one effect of 20 requests at once over two instances', async () => {
    const other = await service.startInstance();
    const supplier = await service.createSupplier();
    const { id, reference } = await supplier.importAccount();
    const transaction = {
      transaction_id: 'T-1',
      transaction_date: '2020-01-01',
      amount: 1,
      type: 'CHARGE',
      reason: 'X',
    };
    const body = { ...reference, transactions: [transaction] };
    const path = 'transactions/create/?check_previously_added=false';
    const { key, send } = marked(supplier, path, { body });
    const onOther = marked(restCalls(other.url, supplier.token), path, { body, key });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? send() : onOther.send())));
    const [first] = answers.filter(({ status }) => status === 201);
    expect(first).toBeDefined();
    for (const answer of answers) {
      expect(answer).toMatchObject(answer.status === 201 ? { body: first?.body } : HELD);
    }
    expect(await send()).toMatchObject({ status: 201, body: first?.body });
    expect(await service.database.prisma.transaction.count({ where: { account_import_id: id } })).toBe(1);
  });
});

describe('an answer that is not kept', () => {
  test.concurrent('12.4 tries again after 429', async () => {
    using hold = await holdAccounts(service.database);
    const supplier = await service.createSupplier({ process_concurrency_limit: 1 });
    const held = await stageHeld(supplier, hold);
    const first = supplier.post(PROCESS, held.body);
    await hold.waitFor(1);
    const call = marked(supplier, PROCESS, { body: supplier.processRequest(await supplier.stage()) });
    const refused = await call.send();
    expect(refused).toMatchObject({ status: 429, body: { code: 'concurrency_limit_exceeded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    await hold.release();
    expect(await first).toMatchObject({ status: 201 });
    expect(await call.send()).toMatchObject({ status: 201 });
  });

  test.concurrent('12.4 tries again after 503, and holds nothing against the account', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const { number, body } = await stageHeld(supplier, hold);
    const hasty = await service.startInstance({ DATABASE_LOCK_TIMEOUT_MS: '100' });
    const call = marked(restCalls(hasty.url, supplier.token), PROCESS, { body });
    const refused = await call.send();
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await importOf(supplier, number)).toMatchObject({ state: 'STAGED', attempts: 0, account: null });
    await hold.release();
    expect(await call.send()).toMatchObject({ status: 201 });
  });

  test.concurrent('12.4 tries again after 500, and the failed attempt is on record as without a key', async () => {
    const supplier = await service.createSupplier();
    const number = await supplier.stage({ customers: [BREAKING] });
    const call = marked(supplier, PROCESS, { body: supplier.processRequest(number) });
    expect(await call.send()).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    const failed = { state: 'FAILED', attempts: 1, last_error: { code: 'internal_error' }, account: null };
    expect(await importOf(supplier, number)).toMatchObject(failed);
    await supplier.post(STAGE, supplier.account({ external_account_number: number }));
    expect(await call.send()).toMatchObject({ status: 201 });
    expect(await importOf(supplier, number)).toMatchObject({ state: 'COMPLETED', attempts: 2 });
  });

  test.concurrent('12.4 keeps the refusal of an attempt together with its record', async () => {
    const supplier = await service.createSupplier();
    const number = await supplier.stage();
    const body = { ...supplier.processRequest(number), operations_team_name: 'Nobody' };
    const call = marked(supplier, PROCESS, { body });
    for (const answer of [await call.send(), await call.send()]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'operations_team_name_does_not_exist' } });
    }
    expect(await importOf(supplier, number)).toMatchObject({ state: 'FAILED', attempts: 1 });
  });
});

describe('a payment instruction', () => {
  test('4.7 has no transaction open while the vendor is asked, with a key neither', async () => {
    const supplier = await service.createSupplier();
    const { id, reference: account } = await supplier.importAccount();
    const reference = 'pm_1';
    const body = { ...account, vendor: 'ACME', reference, type: 'CARD' };
    const withoutKey = supplier.post('payment-instruction/create/', body);
    await vendor.whenAsked(async () => {
      expect(await openTransactions()).toBe(0);
      return { status: 500, reference };
    });
    expect(await withoutKey).toMatchObject({ status: 500, body: { code: 'payment_vendor_unavailable' } });
    const call = marked(supplier, 'payment-instruction/create/', { body });
    const unavailable = call.send();
    await vendor.whenAsked(async () => {
      expect(await openTransactions()).toBe(0);
      expect(await call.send()).toMatchObject(HELD);
      return { status: 500, reference };
    });
    expect(await unavailable).toMatchObject({ status: 500, body: { code: 'payment_vendor_unavailable' } });
    const stored = call.send();
    await vendor.whenAsked(async () => ({ status: 200, reference }));
    expect(await stored).toMatchObject({ status: 201 });
    expect(await call.send()).toMatchObject({ status: 201, body: (await stored).body });
    expect(await service.database.prisma.paymentInstruction.count({ where: { account_import_id: id } })).toBe(1);
  });

  async function openTransactions() {
    const { rows } = await service.database.pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    return rows[0]?.open;
  }
});

describe('a holder that died or was given up', () => {
  test('12.3 gives its key to the same request once its time is over, and to no other', async () => {
    const supplier = await service.createSupplier();
    const body = supplier.account();
    const call = marked(supplier, STAGE, { body });
    expect(await call.send()).toMatchObject({ status: 201 });
    await unfinish(new Date(Date.now() + 1_000_000));
    expect(await call.send()).toMatchObject(HELD);
    await unfinish(new Date(Date.now() - 1));
    const other = marked(supplier, STAGE, { body: supplier.account(), key: call.key });
    expect(await other.send()).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    // It runs again, so that it finds the account staged.
    expect(await call.send()).toMatchObject({ status: 200 });
    expect(await call.send()).toMatchObject({ status: 200 });
    expect(await importOf(supplier, body.external_account_number)).toMatchObject({ times_staged: 2 });
  });

  test('12.3 lets a holder whose key was taken over have no effect', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const { number, body } = await stageHeld(supplier, hold);
    const call = marked(supplier, PROCESS, { body });
    const slow = call.send();
    const [holder] = await hold.waitFor(1);
    service.setTime(new Date(Date.now() + 31_000).toISOString());
    const next = call.send();
    await sessionsBehind(service.database, Number(holder), 1);
    await hold.release();
    expect(await slow).toMatchObject(HELD);
    expect(await next).toMatchObject({ status: 201 });
    service.setTime(undefined);
    expect(await call.send()).toMatchObject({ status: 201, body: (await next).body });
    expect(await importOf(supplier, number)).toMatchObject({ attempts: 1, account: numberIn((await next).body) });
    const processed = { subject_id: accountImportId(supplier.code, number), action: 'processed' };
    expect(await service.database.prisma.auditEvent.count({ where: processed })).toBe(1);
  });
});

describe('a connection that breaks', () => {
  let faulty: Awaited<ReturnType<typeof startFaultyInstance>>;
  beforeAll(async () => {
    faulty = await startFaultyInstance();
  });
  afterAll(() => faulty.proxy.close());

  test('12.1 repeats what was cut before COMMIT, and has one effect', async () => {
    using hold = await holdAccounts(service.database);
    const { number, body } = await stageHeld(faulty.supplier, hold);
    const call = marked(faulty.supplier, PROCESS, { body });
    const first = call.send();
    const [lost] = await hold.waitFor(1);
    expect(faulty.proxy.cutAll()).toBeGreaterThan(0);
    await sessionsBehind(service.database, Number(lost), 1);
    await hold.release();
    expect(await first).toMatchObject({ status: 201 });
    expect(await call.send()).toMatchObject({ status: 201, body: (await first).body });
    expect(await importOf(faulty.supplier, number)).toMatchObject({
      attempts: 1,
      account: numberIn((await first).body),
    });
  });

  test('12.3 has its key back at once where the answer to claiming it was lost', async () => {
    const { supplier, proxy } = faulty;
    const loseAnswer = async () => {
      // What is remembered of token and supplier needs no query any more: claiming the key is the first one.
      await supplier.post('validate-account/', supplier.account());
      const call = marked(supplier, STAGE, { body: supplier.account() });
      proxy.arm({ direction: 'to-client', at: { bytes: 0 }, does: 'cut' });
      return { call, answer: await call.send() };
    };
    let { call, answer } = await loseAnswer();
    // Now and then it is a query of the service's own that is cut.
    while (answer.status === 201) ({ call, answer } = await loseAnswer());
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await call.send()).toMatchObject({ status: 201 });
  });

  test('12.3 gives the first answer where COMMIT was sent and its answer lost', async () => {
    await faulty.database.pool.query(`
      CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(substring(NEW.family_name FROM 8)::bigint); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON customers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.family_name LIKE 'COMMIT %') EXECUTE FUNCTION hold_commit();
    `);
    using hold = await holdAccounts(service.database);
    const familyName = hold.familyName.replace('HOLD', 'COMMIT');
    const { number, body } = await stageHeld(faulty.supplier, { familyName });
    const call = marked(faulty.supplier, PROCESS, { body });
    const lost = call.send();
    const [committing] = await hold.waitFor(1);
    expect(faulty.proxy.cutAll()).toBeGreaterThan(0);
    // The instance wants its key back, which has to wait for the COMMIT that it gave up.
    await sessionsBehind(service.database, Number(committing), 1);
    await hold.release();
    expect(await lost).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    const { account } = await importOf(faulty.supplier, number);
    const { service_account_number } = account ?? {};
    expect(service_account_number).toMatch(/^A-/);
    expect(await call.send()).toMatchObject({ status: 201, body: { service_account_number } });
  });

  /** An instance whose way to the database can be cut. */
  async function startFaultyInstance() {
    const { database } = service;
    const url = new URL(service.databaseUrl);
    const proxy = await startFaultProxy({ port: Number(url.port), protocol: 'postgres' });
    url.port = String(proxy.port);
    url.searchParams.set('options', KEEPS_LOST_SESSIONS);
    const instance = await service.startInstance({ DATABASE_URL: url.href });
    const home = await service.createSupplier();
    const supplier = { ...home, ...restCalls(instance.url, home.token) };
    return { proxy, database, supplier };
  }
});

test('12.1 takes one connection a request, so that many at once do not wait for each other', async () => {
  const small = await service.startInstance({ DATABASE_POOL_SIZE: '2' });
  const suppliers = await Promise.all(Array.from({ length: 8 }, () => service.createSupplier()));
  const answers = await Promise.all(
    suppliers.map((supplier) =>
      marked(restCalls(small.url, supplier.token), STAGE, { body: supplier.account() }).send(),
    ),
  );
  expect(statuses(answers)).toEqual(Array(8).fill(201));
});
