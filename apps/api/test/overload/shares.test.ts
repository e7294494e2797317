import { startFakeVendor } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, describe, expect, test } from 'vitest';
import { type Hold, holdAccounts, holdAccountsIn, UNGROUPED } from '../account-imports/held-accounts.ts';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { type RestCalls, restCalls, startTestService, type TestSupplier, until } from '../support/test-service.ts';

/** Two organisations: what the first does must not reach the second. */
let greedy: TestSupplier;
let other: TestSupplier;
const vendor = await startFakeVendor();
vendor.behave({ kind: 'silence' });
const service = await startTestService({
  PAYMENT_VENDORS: JSON.stringify([{ name: 'SLOW', kind: 'http', base_url: vendor.url, secret: 'slow-secret' }]),
});
[greedy, other] = [await service.createSupplier(UNGROUPED), await service.createSupplier()];
await holdAccountsIn(service.database);
afterAll(async () => {
  await vendor.close();
  await service.stop();
});

/** Both organisations' calls to an instance of its own, which knows their tokens. */
async function startInstance(variables: Record<string, string>) {
  const { url } = await service.startInstance(variables);
  const calls = [greedy, other].map(({ token }) => restCalls(url, token)) as [RestCalls, RestCalls];
  for (const [index, supplier] of [greedy, other].entries()) {
    expect((await calls[index]?.post('validate-account/', supplier.account()))?.status).toBe(200);
  }
  const metric = async (name: string) => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${RegExp.escape(name)} (.*)$`, 'm').exec(text)?.[1]);
  };
  return { url, calls, metric };
}

async function keepBusy({ post }: RestCalls, hold: Hold, count: number) {
  const numbers = await Promise.all(
    Array.from({ length: count }, () => greedy.stage({ customers: [{ family_name: hold.familyName }] })),
  );
  return numbers.map((number) => post(PROCESS, greedy.processRequest(number)));
}

describe('requests at work', () => {
  test('17.2 17.3 of one organisation leave places for the others, and where nobody looks at its token', async () => {
    const { url, calls, metric } = await startInstance({ MAX_REQUESTS_AT_WORK: '10', DATABASE_POOL_SIZE: '20' });
    using hold = await holdAccounts(service.database);
    const answers = await keepBusy(calls[0], hold, 8);
    await hold.waitFor(8);
    const refused = await calls[0].post(STAGE, greedy.account());
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await calls[1].post(STAGE, other.account())).toMatchObject({ status: 201 });
    const { status } = await fetch(`${url}/v1/graphql/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Token ${greedy.token}` },
      body: JSON.stringify({ query: 'mutation { obtainToken(input: {APIKey: "bad"}) { token } }' }),
    });
    expect(status).toBe(200);
    expect(await metric('causeway_requests_refused_total{limit="requests_at_work"}')).toBe(1);
    await hold.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(201));
  });
});

describe('the event loop', () => {
  // While the machine stands still, everybody keeps the loop: it is tried again.
  test('17.1.7 is kept by large bodies one after another: their party is refused, nobody else', {
    retry: 3,
  }, async () => {
    const { calls, metric } = await startInstance({ MAX_EVENT_LOOP_DELAY_MS: '20' });
    const heavy = { junk: Array.from({ length: 150_000 }, () => ({ a: 0 })) };
    const list = `all-account-import-processes/${other.code}/?limit=1`;
    const neighbour = new Set<number>();
    let isOver = false;
    const asking = until(async () => {
      neighbour.add((await calls[1].get(list)).status);
      return isOver;
    }, 10);
    await until(async () => (await calls[0].post('transactions/create/', heavy)).status === 503, 10);
    isOver = true;
    await asking;
    expect(neighbour).toEqual(new Set([200]));
    expect(await metric('causeway_requests_refused_total{limit="event_loop_delay"}')).toBe(1);
    await until(async () => (await calls[0].post(STAGE, greedy.account())).status === 201);
  });
});

describe('turns in company', () => {
  /** Eight calls of the greedy organisation at work, as many as it may have beside the other's one. */
  async function startInCompany(variables: Record<string, string> = {}) {
    const instance = await startInstance({ DATABASE_POOL_SIZE: '30', ...variables });
    const hold = await holdAccounts(service.database);
    const account = await other.stage({ customers: [{ family_name: hold.familyName }] });
    const company = instance.calls[1].post(PROCESS, other.processRequest(account));
    await hold.waitFor(1);
    const answers = await keepBusy(instance.calls[0], hold, 8);
    await hold.waitFor(9);
    const release = async () => {
      await hold.release();
      expect((await Promise.all([company, ...answers])).map(({ status }) => status)).toEqual(Array(9).fill(201));
    };
    return { ...instance, release, [Symbol.dispose]: hold[Symbol.dispose] };
  }

  test('17.4 that do not come in time are refused, and nothing was begun', async () => {
    using company = await startInCompany({ DATABASE_ACQUIRE_TIMEOUT_MS: '500' });
    const { calls, metric, release } = company;
    const account = greedy.account();
    const refused = await calls[0].post(STAGE, account);
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.body.detail).toContain('not processed');
    await until(async () => (await metric('causeway_requests_at_work')) === 9);
    await release();
    const where = { external_account_number: account.external_account_number };
    expect(await service.database.prisma.accountImport.count({ where })).toBe(0);
  });

  test('17.4 that are waited for by a client that has left are given up, and nothing was begun', async () => {
    using company = await startInCompany({ DATABASE_ACQUIRE_TIMEOUT_MS: '100000' });
    const { url, metric, release } = company;
    const account = greedy.account();
    const json = JSON.stringify(account);
    const type = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(json)) };
    const sockets = [await openSocket(url), await openSocket(url)];
    sockets[0]?.write(requestHead(`POST /v1/data-import/${STAGE}`, { Authorization: greedy.token, ...type }) + json);
    const list = `/v1/data-import/all-account-import-processes/${greedy.code}/`;
    sockets[1]?.write(requestHead(`GET ${list}`, { Authorization: greedy.token }));
    await until(async () => (await metric('causeway_requests_at_work')) >= 11);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await metric('causeway_requests_at_work')) <= 9);
    await release();
    const where = { external_account_number: account.external_account_number };
    expect(await service.database.prisma.accountImport.count({ where })).toBe(0);
  });
});

describe('database connections', () => {
  test('17.3 of one organisation leave some for the others, while its own calls wait for a lock', async () => {
    const { calls, metric } = await startInstance({ DATABASE_POOL_SIZE: '5' });
    const locked = await greedy.importAccount();
    using lock = await borrowConnection(service.database.pool);
    await lock.query('BEGIN');
    await lock.query('SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE', [locked.id]);
    const notes = Array.from({ length: 10 }, (_, index) =>
      calls[0].post('notes/create/', { ...locked.reference, notes: [{ body: `note ${index}` }] }),
    );
    // Four of the five connections wait for the lock, and the other calls for those.
    await until(async () => (await metric('causeway_database_pool_waiting_requests')) >= 6);
    for (let count = 0; count < 20; count += 1) {
      expect(await calls[1].post(STAGE, other.account())).toMatchObject({ status: 201 });
    }
    await lock.query('ROLLBACK');
    lock.release();
    expect((await Promise.all(notes)).map(({ status }) => status)).toEqual(Array(10).fill(201));
  });
});

describe('calls to a vendor', () => {
  test('17.3 that one organisation waits for are limited, and no work that keeps others out', async () => {
    const { calls, metric } = await startInstance({ MAX_REQUESTS_AT_WORK: '10' });
    const account = await greedy.importAccount();
    const ask = (index: number) =>
      calls[0].post('payment-instruction/create/', {
        ...{ ...account.reference, vendor: 'SLOW', type: 'CARD', reference: `pm_${index}` },
      });
    const answers = [];
    // Fewer at once than may be at work, and yet all before the time of the first is over.
    for (let index = 0; index < 100; index += 5) {
      for (const one of [0, 1, 2, 3, 4]) answers.push(ask(index + one));
      while (vendor.requestCount() < index + 5) await new Promise(setImmediate);
    }
    await until(async () => (await metric('causeway_requests_at_work')) === 0);
    const refused = await ask(100);
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.body.detail).toContain('SLOW');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(vendor.requestCount()).toBe(100);
    const others = await other.importAccount();
    const asked = calls[1].post('payment-instruction/create/', {
      ...{ ...others.reference, vendor: 'SLOW', type: 'CARD', reference: 'pm_other' },
    });
    await until(() => vendor.requestCount('pm_other') > 0);
    expect(await calls[0].post(STAGE, greedy.account())).toMatchObject({ status: 201 });
    await vendor.close();
    expect(new Set((await Promise.all([...answers, asked])).map(({ status }) => status))).toEqual(new Set([500]));
  });
});

describe('answers that are not read', () => {
  test('17.3 refuse their organisation what it asks next, and nobody else', async () => {
    const { url, calls, metric } = await startInstance({ MAX_UNREAD_BYTES: '20000000' });
    await insertLongNumbers(greedy, 10_000);
    const path = `all-account-import-processes/${greedy.code}/?limit=10000`;
    const asked = requestHead(`GET /v1/data-import/${path}`, { Authorization: greedy.token });
    const sockets = [];
    // What the kernel takes counts as read: how much that is nobody knows.
    let refused = await calls[0].post(STAGE, greedy.account());
    while (refused.status === 201) {
      const socket = await openSocket(url, { reads: false });
      socket.write(asked.repeat(5));
      sockets.push(socket);
      refused = await calls[0].post(STAGE, greedy.account());
    }
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await metric('causeway_requests_refused_total{limit="unread_answers"}')).toBeGreaterThan(0);
    expect(await calls[1].post(STAGE, other.account())).toMatchObject({ status: 201 });
    // Who lets more than twice as much pile up is cut off.
    expect(await metric('causeway_unread_answer_bytes')).toBeLessThan(60_000_000);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await calls[0].post(STAGE, greedy.account())).status === 201);
  });
});

async function insertLongNumbers({ code }: TestSupplier, count: number): Promise<void> {
  await service.database.pool.query(
    `INSERT INTO account_imports
      (id, import_supplier_code, external_account_number, state, staging_order, payload, staged_at, updated_at)
    SELECT account_import_id($1, repeat('"', 120) || number), $1, repeat('"', 120) || number, 'STAGED', nextval('account_imports_staging_order_seq'),
      '{}', now(), now()
    FROM generate_series(1, $2) AS number`,
    [code, count],
  );
}
