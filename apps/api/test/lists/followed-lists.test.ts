import { createRandom } from '@causeway/testing';
import { afterAll, afterEach, expect, test } from 'vitest';
import { holdWriters } from '../support/hold-writers.ts';
import { type RestAnswer, startTestService, type TestSupplier } from '../support/test-service.ts';

const ALL = 'all-account-import-processes';
const PENDING = 'pending-account-import-processes';
const IMPORTED = 'imported-account-import-processes';

const service = await startTestService();
const writers = await holdWriters(service.database);
afterEach(() => writers.releaseAll());
afterAll(async () => {
  await writers?.end();
  await service?.stop();
});

const numbersOf = (body: { external_account_number: string }[]) => body.map((record) => record.external_account_number);
/** The address of the next page, as `TestSupplier.get` takes it. */
const nextOf = ({ headers }: Pick<RestAnswer, 'headers'>) =>
  /^<\/v1\/data-import\/([^>]+)>; rel="next"$/.exec(headers.get('Link') ?? '')?.[1];

const stage = (supplier: TestSupplier, external_account_number: string) => supplier.stage({ external_account_number });

/** Begins to stage an account, and waits until it has its number. */
async function stageAndHold(supplier: TestSupplier, external_account_number: string) {
  await writers.hold(external_account_number);
  const staging = stage(supplier, external_account_number);
  await writers.held(external_account_number);
  return {
    async commit() {
      await writers.release(external_account_number);
      await staging;
    },
  };
}

async function process(supplier: TestSupplier, number: string): Promise<void> {
  const { status } = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(status).toBe(201);
}

test.each([
  [ALL, 5],
  [PENDING, 5],
  [ALL, 5_000],
])(
  '4.12.7 a page ends before a staging that is not committed, and the next one continues there: %s, %i',
  async (path, limit) => {
    const supplier = await service.createSupplier();
    await stage(supplier, 'A');
    const writer = await stageAndHold(supplier, 'B');
    await stage(supplier, 'C');
    const first = await supplier.get(`${path}/${supplier.code}/?limit=${limit}`);
    expect([numbersOf(first.body), nextOf(first)]).toEqual([['A'], `${path}/${supplier.code}/?limit=${limit}&after=A`]);
    expect(first.headers.get('Retry-After')).toBeNull();
    const empty = await supplier.get(String(nextOf(first)));
    expect([empty.status, empty.body, nextOf(empty)]).toEqual([200, [], nextOf(first)]);
    expect(empty.headers.get('Retry-After')).toBe('1');
    await writer.commit();
    const last = await supplier.get(String(nextOf(empty)));
    expect([numbersOf(last.body), nextOf(last)]).toEqual([['B', 'C'], undefined]);
  },
);

test('4.12.7 the first page of all may be empty, and its next one begins where it did', async () => {
  const supplier = await service.createSupplier();
  const writer = await stageAndHold(supplier, 'A');
  await stage(supplier, 'B');
  for (const limit of [1, 5_000]) {
    const empty = await supplier.get(`${ALL}/${supplier.code}/?limit=${limit}`);
    expect([empty.body, nextOf(empty)]).toEqual([[], `${ALL}/${supplier.code}/?limit=${limit}`]);
  }
  await writer.commit();
  for (const limit of [2, 5_000]) {
    const page = await supplier.get(`${ALL}/${supplier.code}/?limit=${limit}`);
    expect([numbersOf(page.body), nextOf(page)]).toEqual([['A', 'B'], undefined]);
  }
});

test('4.12.7 the list is at its end where nothing behind the open staging is committed, and resumes from there later', async () => {
  const supplier = await service.createSupplier();
  await stage(supplier, 'A');
  const writer = await stageAndHold(supplier, 'B');
  const page = await supplier.get(`${ALL}/${supplier.code}/?limit=5`);
  expect([numbersOf(page.body), nextOf(page)]).toEqual([['A'], undefined]);
  await writer.commit();
  const later = await supplier.get(`${ALL}/${supplier.code}/?limit=5&after=A`);
  expect([numbersOf(later.body), nextOf(later)]).toEqual([['B'], undefined]);
});

test('4.12.7 the lists of another supplier do not end there', async () => {
  const [held, other] = [await service.createSupplier(), await service.createSupplier()];
  const writer = await stageAndHold(held, 'A');
  await stage(other, 'B');
  const page = await other.get(`${ALL}/${other.code}/?limit=5`);
  expect([numbersOf(page.body), nextOf(page)]).toEqual([['B'], undefined]);
  await writer.commit();
});

test('4.12.7 a call that dies before its commit is waited for no longer', async () => {
  const supplier = await service.createSupplier();
  await writers.hold('A');
  const dying = supplier.post('account-import-process/create-or-update/', {
    ...supplier.account({ external_account_number: 'A' }),
  });
  await writers.held('A');
  await stage(supplier, 'B');
  expect((await supplier.get(`${ALL}/${supplier.code}/?limit=5`)).body).toEqual([]);
  await service.database.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711 AND NOT granted`,
  );
  expect((await dying).status).toBe(503);
  await writers.release('A');
  const page = await supplier.get(`${ALL}/${supplier.code}/?limit=5`);
  expect([numbersOf(page.body), nextOf(page)]).toEqual([['B'], undefined]);
});

test('4.12.4 a stream has everything that was committed when it began, also behind a staging that is not', async () => {
  const supplier = await service.createSupplier();
  await stage(supplier, 'A');
  const writer = await stageAndHold(supplier, 'B');
  await stage(supplier, 'C');
  await stage(supplier, 'D');
  const streamed = async (query: string) => numbersOf((await supplier.get(`${ALL}/${supplier.code}/${query}`)).body);
  expect(await streamed('')).toEqual(['A', 'C', 'D']);
  expect(await streamed('?after=A')).toEqual(['C', 'D']);
  await writer.commit();
  expect(await streamed('')).toEqual(['A', 'B', 'C', 'D']);
});

test('4.12.8 over tRPC a call on its own gets the address of the next page in the same header', async () => {
  const supplier = await service.createSupplier();
  for (const number of ['A', 'B', 'C']) await stage(supplier, number);
  const headers = { Authorization: `Token ${supplier.token}` };
  const walked: string[] = [];
  const input = { import_supplier_code: supplier.code, limit: 2 };
  let target: string | undefined =
    `/trpc/dataImport.listAccountImports?input=${encodeURIComponent(JSON.stringify(input))}`;
  while (target !== undefined) {
    const response: Response = await fetch(service.url + target, { headers });
    const { result } = (await response.json()) as { result: { data: { external_account_number: string }[] } };
    walked.push(...numbersOf(result.data));
    target = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  expect(walked).toEqual(['A', 'B', 'C']);
});

test('4.11.2 imported accounts come in the order of their completion, and a page after one begins behind it', async () => {
  const supplier = await service.createSupplier();
  for (const number of ['A', 'B', 'C']) await stage(supplier, number);
  for (const number of ['C', 'A', 'B']) await process(supplier, number);
  const list = async (query = '') => numbersOf((await supplier.get(`${IMPORTED}/${supplier.code}/${query}`)).body);
  for (const query of ['', '?limit=3', '?limit=5000']) expect(await list(query)).toEqual(['C', 'A', 'B']);
  expect([await list('?after=C'), await list('?after=A&limit=5'), await list('?after=B')]).toEqual([
    ['A', 'B'],
    ['B'],
    [],
  ]);
});

test('4.11.2 accounts completed before completions were numbered come first, in the order of their staging', async () => {
  const supplier = await service.createSupplier();
  for (const number of ['A', 'B', 'C', 'D']) await stage(supplier, number);
  for (const number of ['C', 'B']) await process(supplier, number);
  await service.database.pool.query(
    'UPDATE account_imports SET completion_order = NULL WHERE import_supplier_code = $1',
    [supplier.code],
  );
  for (const number of ['D', 'A']) await process(supplier, number);
  const list = async (query: string) => numbersOf((await supplier.get(`${IMPORTED}/${supplier.code}/${query}`)).body);
  for (const query of ['', '?limit=4', '?limit=5000']) expect(await list(query)).toEqual(['B', 'C', 'D', 'A']);
  expect([await list('?after=B&limit=5'), await list('?after=C')]).toEqual([
    ['C', 'D', 'A'],
    ['D', 'A'],
  ]);
});

test('4.11.2 a page of imported accounts ends before a completion that is not committed', async () => {
  const supplier = await service.createSupplier();
  for (const number of ['A', 'B']) await stage(supplier, number);
  await writers.hold('A');
  const processing = process(supplier, 'A');
  await writers.held('A');
  await process(supplier, 'B');
  const page = await supplier.get(`${IMPORTED}/${supplier.code}/?limit=5`);
  expect([page.body, nextOf(page)]).toEqual([[], `${IMPORTED}/${supplier.code}/?limit=5`]);
  await writers.release('A');
  await processing;
  const later = await supplier.get(String(nextOf(page)));
  expect([numbersOf(later.body), nextOf(later)]).toEqual([['A', 'B'], undefined]);
});

/** Follows a list to its end, again and again, until `isOver` before a pass: every record, as it came. */
async function follow(supplier: TestSupplier, path: string, isOver: () => boolean): Promise<string[]> {
  const seen: string[] = [];
  for (;;) {
    const isLast = isOver();
    let target: string | undefined = `${path}/${supplier.code}/?limit=7`;
    if (seen.length > 0) target += `&after=${seen.at(-1)}`;
    while (target !== undefined) {
      const page: RestAnswer = await supplier.get(target);
      seen.push(...numbersOf(page.body));
      target = nextOf(page);
    }
    if (isLast) return seen;
  }
}

test('4.12.7 a reader who follows Link misses none of what 16 writers on three instances commit in any order', async () => {
  const random = createRandom(Number(globalThis.process.env.SEED ?? 14));
  const supplier = await service.createSupplier();
  // The statements of writers are held for as long as a busy machine takes for the others.
  const patient = { DATABASE_STATEMENT_TIMEOUT_MS: '600000', DATABASE_LOCK_TIMEOUT_MS: '500000' };
  const instances = await Promise.all([service.startInstance(patient), service.startInstance(patient)]);
  const stageOn = async (url: string, external_account_number: string) => {
    const response = await fetch(`${url}/v1/data-import/account-import-process/create-or-update/`, {
      method: 'POST',
      headers: { Authorization: `Token ${supplier.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(supplier.account({ external_account_number })),
    });
    expect(response.status).toBe(201);
  };
  let isOver = false;
  const followed = follow(supplier, ALL, () => isOver);
  const staged: string[] = [];
  const held: { number: string; staging: Promise<void> }[] = [];
  for (let writer = 0; writer < 16; writer += 1) {
    const number = `HELD-${writer}`;
    await writers.hold(number);
    held.push({ number, staging: stageOn(instances[writer % 2]?.url ?? '', number) });
    await writers.held(number);
    const others = Array.from({ length: 10 }, (_, index) => `FREE-${writer}-${index}`);
    await Promise.all(others.map((other) => stageOn(service.url, other)));
    staged.push(number, ...others);
  }
  while (held.length > 0) {
    const [writer] = held.splice(random.integer(0, held.length - 1), 1);
    await writers.release(writer?.number ?? '');
    await writer?.staging;
  }
  isOver = true;
  const seen = await followed;
  expect(staged.filter((number) => !seen.includes(number))).toEqual([]);
  expect(seen.length).toBe(staged.length);
});
