import { beforeAll, describe, expect, test } from 'vitest';
import { type Hold, holdAccounts, holdAccountsIn, UNGROUPED } from '../account-imports/held-accounts.ts';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { restCalls, serviceOfFile, type TestSupplier, until } from '../support/test-service.ts';
import { openSocket, requestHead } from './raw-sockets.ts';

const DATA_IMPORT = '/v1/data-import/';

const service = await serviceOfFile();
const supplier = await service.createSupplier(UNGROUPED);
await holdAccountsIn(service.database);

/** The supplier's calls to an instance of its own, with these limits. */
async function startLimited(variables: Record<string, string>) {
  const instance = await service.startInstance(variables);
  const metric = async (name: string) => {
    const text = await (await fetch(`${instance.url}/metrics`)).text();
    return Number(new RegExp(`^${RegExp.escape(name)} (.*)$`, 'm').exec(text)?.[1]);
  };
  return { instance, url: instance.url, metric, ...restCalls(instance.url, supplier.token) };
}

/** As many process calls as asked for, at work until the hold is released. */
async function keepBusy({ post }: Pick<TestSupplier, 'post'>, calls: number) {
  const hold = await holdAccounts(service.database);
  const numbers = await Promise.all(Array.from({ length: calls }, () => stageHeld(hold)));
  // On a busy machine an instance with a low limit refuses some of them at first.
  const process = async (number: string) => {
    for (;;) {
      const answer = await post(PROCESS, supplier.processRequest(number));
      if (answer.status !== 503) return answer;
    }
  };
  const answers = numbers.map(process);
  await hold.waitFor(calls);
  return {
    ...hold,
    async release() {
      await hold.release();
      return (await Promise.all(answers)).map(({ status }) => status);
    },
  };
}

function stageHeld({ familyName }: Hold): Promise<string> {
  return supplier.stage({ customers: [{ family_name: familyName }] });
}

const JSONL = { 'trpc-accept': 'application/jsonl' };
const TWO_LISTS = 'dataImport.listPendingImports,dataImport.listImportedAccounts';
const listInput = () => ({ import_supplier_code: supplier.code });
const inputsOf = () => encodeURIComponent(JSON.stringify({ 0: listInput(), 1: listInput() }));

function get(path: string, headers: Record<string, string> = {}): string {
  return requestHead(`GET ${path}`, { Authorization: supplier.token, ...headers });
}

function post(path: string, body: string): string {
  const type = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
  return requestHead(`POST ${path}`, { Authorization: supplier.token, ...type }) + body;
}

/** Sends only the head of a POST, to learn what is answered without the body. */
async function answerToHead(url: string, path: string): Promise<string> {
  const socket = await openSocket(url);
  const headers = {
    Authorization: `Token ${supplier.token}`,
    'Content-Type': 'application/json',
    'Content-Length': '100000',
  };
  socket.write(requestHead(`POST ${path}`, headers));
  const answer = await socket.read(/\r\n\r\n.*\}$/s);
  socket.destroy();
  return answer;
}

/** Between two turns of the event loop that are to look like overload. */
const LITTLE_REST_MS = 10;

describe('with as many requests at work as allowed', () => {
  let limited: Awaited<ReturnType<typeof startLimited>>;
  beforeAll(async () => {
    limited = await startLimited({ MAX_REQUESTS_AT_WORK: '2' });
  });

  test.each([`${DATA_IMPORT}${STAGE}`, '/trpc/dataImport.stageAccount'])(
    '17.1 overload refuses a POST to %s before its body is read, with Retry-After',
    async (path) => {
      using busy = await keepBusy(limited, 2);
      const answer = await answerToHead(limited.url, path);
      expect(answer).toMatch(/^HTTP\/1\.1 503 /);
      expect(answer).toMatch(/^Retry-After: 5\r$/im);
      expect(answer).toMatch(/^X-Request-Id: /im);
      expect(answer).toContain('"service_unavailable"');
      expect(await busy.release()).toEqual([201, 201]);
    },
  );

  test('17.1 overload refuses the data import only, in the published shape, and is over when the work is done', async () => {
    using busy = await keepBusy(limited, 2);
    const answer = await limited.get(`all-account-import-processes/${supplier.code}/`);
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable', errors: [] } });
    expect(answer.headers.get('retry-after')).toBe('5');
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json']) {
      expect((await fetch(`${limited.url}${path}`)).status, path).toBe(200);
    }
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 503 });
    expect(await busy.release()).toEqual([201, 201]);
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
    using one = await keepBusy(limited, 1);
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
    expect(await one.release()).toEqual([201]);
  });

  test('17.1 overload gets the places of clients that left back', async () => {
    using hold = await holdAccounts(service.database);
    const left = await Promise.all(
      [1, 2].map(async () => {
        const body = JSON.stringify(supplier.processRequest(await stageHeld(hold)));
        const socket = await openSocket(limited.url);
        const type = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
        socket.write(requestHead(`POST ${DATA_IMPORT}${PROCESS}`, { Authorization: supplier.token, ...type }) + body);
        return socket;
      }),
    );
    await hold.waitFor(2);
    for (const socket of left) socket.destroy();
    const gone = `causeway_requests_total{operation="dataImport.processAccount",status="499",import_supplier="${supplier.code}"}`;
    await until(async () => (await limited.metric(gone)) === 2);
    // What they began continues, and leaves no more room than before.
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 503 });
    await hold.release();
    await until(async () => (await limited.post(STAGE, supplier.account())).status === 201);
  });

  test('17.1 overload is not what clients leave behind, whatever they have sent after a call that waits', async () => {
    const instance = await startLimited({});
    const body = JSON.stringify(supplier.account());
    for (const sent of [
      get(`/v1/data-import/all-account-import-processes/${supplier.code}/`),
      post('/trpc/dataImport.validateAccount', body),
      get(`/trpc/${TWO_LISTS}?batch=1&input=${inputsOf()}`, JSONL),
      post('/v1/graphql/', '{"query":"{ serviceVersion }"}'),
    ]) {
      using hold = await holdAccounts(service.database);
      const process = JSON.stringify(supplier.processRequest(await stageHeld(hold)));
      const sockets = [];
      for (const count of [1, 2, 3]) {
        const socket = await openSocket(instance.url);
        if (count === 3) socket.write(post(`${DATA_IMPORT}${PROCESS}`, process));
        socket.write(sent.repeat(count));
        sockets.push(socket);
      }
      await hold.waitFor(1);
      for (const socket of sockets) socket.destroy();
      await hold.release();
      await until(async () => (await instance.metric('causeway_requests_at_work')) === 0);
    }
  });

  test('17.1 overload is not caused by 300 bodies that never come', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = await openSocket(limited.url);
        const headers = { 'Content-Type': 'application/json', 'Content-Length': '100', Expect: '100-continue' };
        socket.write(requestHead(`POST ${DATA_IMPORT}${STAGE}`, { Authorization: supplier.token, ...headers }));
        // The service says so when it has read the head and waits for the body.
        await socket.read(/^HTTP\/1\.1 100 Continue/);
        socket.write('{"a');
        return socket;
      }),
    );
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
    for (const socket of sockets) socket.destroy();
  });
});

/** Sent again while work of the service itself has the one place to wait in. */
async function untilAdmitted(send: () => ReturnType<TestSupplier['post']>) {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

describe('with as many requests waiting for the database as allowed', () => {
  test('17.1 overload refuses the next one', async () => {
    const limited = await startLimited({ DATABASE_POOL_SIZE: '2', MAX_DATABASE_WAITERS: '1' });
    await limited.post('validate-account/', supplier.account());
    // A scrape asks the database now, and not again soon.
    await limited.metric('causeway_database_pool_waiting_requests');
    using busy = await keepBusy(limited, 2);
    const waiting = untilAdmitted(() => limited.post(STAGE, supplier.account()));
    await until(async () => (await limited.metric('causeway_database_pool_waiting_requests')) >= 1);
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 503 });
    expect(await busy.release()).toEqual([201, 201]);
    expect(await waiting).toMatchObject({ status: 201 });
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  });
});

describe('with as many bytes of bodies held as allowed', () => {
  test('17.3 overload refuses the next body of the same organisation, and of nobody else', async () => {
    const limited = await startLimited({ MAX_HELD_BYTES: '10240' });
    const other = await service.createSupplier();
    // From here on the instance knows the token, and reads a body at once.
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
    const socket = await openSocket(limited.url);
    const headers = { Authorization: supplier.token, 'Content-Type': 'application/json', 'Content-Length': '100000' };
    socket.write(requestHead(`POST ${DATA_IMPORT}${STAGE}`, { ...headers, Expect: '100-continue' }));
    await socket.read(/^HTTP\/1\.1 100 Continue/);
    socket.write(' '.repeat(8_000));
    // Written later than the body's part, and so read later.
    await fetch(`${limited.url}/healthz`);
    const refused = await limited.post(STAGE, supplier.account());
    expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    const short = { import_supplier: other.code, external_account_number: '1', unknown_occupier: true };
    expect(await restCalls(limited.url, other.token).post(STAGE, short)).toMatchObject({ status: 201 });
    expect((await askVersion(limited.url)).status).toBe(200);
    socket.destroy();
    await until(async () => (await limited.post(STAGE, supplier.account())).status === 201);
  });

  test('17.3 overload by bodies of many callers who are not known refuses no short one', async () => {
    const bytes = 20_000;
    const limited = await startLimited({ MAX_HELD_BYTES_OF_UNKNOWN: String(bytes) });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(bytes) };
    const sockets = [];
    // Each leaves a quarter of what it finds.
    for (let free = bytes, caller = 1; free > 1; free /= 4, caller += 1) {
      const socket = await openSocket(limited.url, { from: `127.0.1.${caller}` });
      socket.write(requestHead('POST /v1/graphql/', headers) + ' '.repeat(Math.floor(0.75 * free)));
      sockets.push(socket);
    }
    await fetch(`${limited.url}/healthz`);
    expect((await askVersion(limited.url)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('17.3 overload by bodies of callers who are not known refuses no others', async () => {
    const limited = await startLimited({ MAX_HELD_BYTES_OF_UNKNOWN: '2048' });
    const socket = await openSocket(limited.url);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '10000' };
    socket.write(requestHead('POST /v1/graphql/', { ...headers, Expect: '100-continue' }));
    await socket.read(/^HTTP\/1\.1 100 Continue/);
    socket.write(' '.repeat(1_600));
    await fetch(`${limited.url}/healthz`);
    const refused = await askVersion(limited.url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.text()).toContain('CW-1007');
    expect(await limited.post(STAGE, supplier.account())).toMatchObject({ status: 201 });
    socket.destroy();
    await until(async () => (await askVersion(limited.url)).status === 200);
  });
});

function askVersion(url: string): Promise<Response> {
  const body = JSON.stringify({ query: '{ serviceVersion }', variables: { padding: ' '.repeat(400) } });
  return fetch(`${url}/v1/graphql/`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

describe('with more at work than can be answered in time', () => {
  test.each([
    ['what requests have cost', { MAX_EXPECTED_WAIT_MS: '1' }, 'expected_wait'],
    ['how late the event loop is', { MAX_EVENT_LOOP_DELAY_MS: '10' }, 'event_loop_delay'],
  ])('17.1 overload refuses by %s, says so in the metrics, and ends with the work', async (_by, variables, limit) => {
    const limited = await startLimited(variables);
    using busy = await keepBusy(limited, 10);
    const statusNow = async () => (await limited.post('validate-account/', supplier.account())).status;
    await until(async () => {
      blockFor(60);
      return (await statusNow()) === 503;
    }, LITTLE_REST_MS);
    const metrics = await (await fetch(`${limited.url}/metrics`)).text();
    expect(metrics).toMatch(new RegExp(`^causeway_requests_refused_total\\{limit="${limit}"\\} [1-9]`, 'm'));
    expect(await busy.release()).toEqual(Array.from({ length: 10 }, () => 201));
    expect(await statusNow()).toBe(200);
  });
});

function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
