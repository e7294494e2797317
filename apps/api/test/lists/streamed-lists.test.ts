import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { beforeAll, describe, expect, test } from 'vitest';
import { serviceOfFile, type TestSupplier, until } from '../support/test-service.ts';
import { THREE_LISTS } from './three-lists.ts';

// The first page of a streamed list has 1,000 records.
const COUNT = 2_500;

const service = await serviceOfFile();
const supplier = await service.createSupplier();
beforeAll(() => insertAccounts(supplier, numbersOf(COUNT)));

const numbersOf = (count: number) => Array.from({ length: count }, (_, index) => `N-${(index * 7919) % count}`);

/** Accounts in the given order; of each three, the first is staged, the second failed, the third created. */
async function insertAccounts({ code, teamName }: TestSupplier, numbers: string[]): Promise<void> {
  const ids = numbers.map((number) => accountImportId(code, number));
  await service.database.pool.query(
    `WITH input AS (SELECT * FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS input (id, number, place)),
    import AS (
      INSERT INTO account_imports
        (id, import_supplier_code, external_account_number, state, staging_order, payload, staged_at, updated_at,
        attempts, completed_at, failed_at, last_error)
      SELECT id, $1, number, (ARRAY['COMPLETED', 'STAGED', 'FAILED'])[place % 3 + 1]::account_import_state,
        nextval('account_imports_staging_order_seq'), '{}', now(), now(), 1,
        CASE place % 3 WHEN 0 THEN now() END, CASE place % 3 WHEN 2 THEN now() END,
        CASE place % 3 WHEN 2 THEN '{}'::jsonb END
      FROM input ORDER BY place
    )
    INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, details,
      open_statement_from, created_at)
    SELECT id, 'A-' || lpad(nextval('account_imports_staging_order_seq')::text, 8, '0'),
      (SELECT id FROM operations_teams WHERE name = $4), 'DOMESTIC', '{}', now(), now()
    FROM input WHERE place % 3 = 0`,
    [code, ids, numbers, teamName],
  );
}

/** The bytes of an answer, as far as they came, and whether it ended as it should. */
function read(
  path: string,
  from: TestSupplier,
  accept = '*/*',
): Promise<{ status: number; type: string | undefined; text: string; complete: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Token ${from.token}`, Accept: accept };
    const call = request(`${service.url}/v1/data-import/${path}`, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        const type = response.headers['content-type'];
        resolve({ status: response.statusCode ?? 0, type, text, complete: response.complete });
      });
    });
    call.once('error', reject).end();
  });
}

describe.each(THREE_LISTS)('$procedure', ({ path, procedure }) => {
  const isShown = {
    listAccountImports: () => true,
    listPendingImports: (place: number) => place % 3 !== 0,
    listImportedAccounts: (place: number) => place % 3 === 0,
  }[procedure];
  const expected = numbersOf(COUNT).filter((_, index) => isShown(index + 1));

  test('4.12 without limit everything is streamed, page after page, as one array', async () => {
    const { status, body, headers } = await supplier.get(`${path}/${supplier.code}/`);
    expect([status, headers.get('Link')]).toEqual([200, null]);
    expect(body.map((record: { external_account_number: string }) => record.external_account_number)).toEqual(expected);
  });

  test('4.12 a stream can begin after an account', async () => {
    const { body } = await supplier.get(`${path}/${supplier.code}/?after=${expected[9]}`);
    expect(body.map((record: { external_account_number: string }) => record.external_account_number)).toEqual(
      expected.slice(10),
    );
  });

  test('4.12 over tRPC limit is 1,000 unless given, and 10,000 at most', async () => {
    const list = supplier.trpc.dataImport[procedure].query;
    const import_supplier_code = supplier.code;
    const first = await list({ import_supplier_code });
    expect(first).toHaveLength(Math.min(1_000, expected.length));
    expect(await list({ import_supplier_code, limit: 10_000 })).toHaveLength(expected.length);
    await expect(list({ import_supplier_code, limit: 10_001 })).rejects.toMatchObject({ data: { httpStatus: 400 } });
  });
});

test('4.12 4.12.2 exactly one page is a whole list', async () => {
  const own = await service.createSupplier();
  await insertAccounts(own, numbersOf(1_000));
  const { body } = await own.get(`all-account-import-processes/${own.code}/`);
  expect(body).toHaveLength(1_000);
  const page = await own.get(`all-account-import-processes/${own.code}/?limit=1000`);
  expect([page.body, page.headers.get('Link')]).toEqual([body, null]);
});

/**
 * Makes the database fail, as a broken page on its disk would, for anyone who reads this account; returns what fixes it.
 */
async function breakAccount({ code }: TestSupplier, number: string): Promise<() => Promise<void>> {
  const query = (text: string) => service.database.pool.query(text);
  await query(`CREATE FUNCTION broken() RETURNS text STABLE LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`);
  await query('ALTER TABLE account_imports RENAME TO imports_table');
  await query(`CREATE VIEW account_imports AS
    SELECT id, import_supplier_code, external_account_number, state, staging_order, completion_order, completed_at,
      CASE id WHEN '${accountImportId(code, number)}' THEN broken() ELSE service_account_number END AS service_account_number
    FROM imports_table`);
  return async () => {
    await query('DROP VIEW account_imports');
    await query('ALTER TABLE imports_table RENAME TO account_imports');
    await query('DROP FUNCTION broken');
  };
}

describe.each(THREE_LISTS.filter(({ procedure }) => procedure !== 'listPendingImports'))('$procedure', ({ path }) => {
  test('4.12 a later page that fails cuts the connection: the list does not look whole', async () => {
    const own = await service.createSupplier();
    await insertAccounts(own, numbersOf(3_900));
    const fix = await breakAccount(own, numbersOf(3_900)[3_899] ?? '');
    const { status, text, complete } = await read(`${path}/${own.code}/`, own).finally(fix);
    expect([status, complete]).toEqual([200, false]);
    expect(text.startsWith('[{"external_account_number":"N-')).toBe(true);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect((await read(`${path}/${own.code}/`, own)).complete).toBe(true);
  });

  test('4.12 a first page that fails is an error as any other', async () => {
    const own = await service.createSupplier();
    await insertAccounts(own, ['A', 'B', 'C']);
    const fix = await breakAccount(own, 'C');
    const { status, text, complete } = await read(`${path}/${own.code}/`, own).finally(fix);
    expect([status, complete]).toEqual([500, true]);
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', errors: [] });
  });
});

/** Every character that JSON writes in another way than it is, and more, in numbers of at most 128 characters. */
function nastyNumbers(): string[] {
  const codes = [...Array.from({ length: 0x2ff }, (_, index) => index + 1), 0x2028, 0x2029, 0xd7ff, 0xe000, 0xfeff];
  const characters = String.fromCodePoint(...codes, 0xfffd, 0xffff, 0x1f642, 0x10ffff);
  const runs = Array.from({ length: 13 }, (_, index) => [...characters].slice(index * 60, index * 60 + 60).join(''));
  return [...runs, '"', '\\', '\\"', '\\u0041', '\\n', ' ', '%s $1 {}', '</script>', "'; --", '","x":"', '日本 🙂'];
}

/** Accounts with numbers and times of every kind; returns what tRPC answers of the list. */
async function insertNastyAccounts(own: TestSupplier, { procedure }: (typeof THREE_LISTS)[number]) {
  // The first page is the procedure's own.
  await insertAccounts(own, [
    ...numbersOf(3_000),
    ...nastyNumbers().flatMap((number) => [number, `${number}-`, `${number}+`]),
  ]);
  await service.database.pool.query(
    `WITH created AS (
      UPDATE accounts SET created_at = '2026-02-28T23:59:59.999Z'::timestamptz - staging_order * interval '7919001 ms'
      FROM account_imports WHERE import_supplier_code = $1 AND id = account_import_id
      RETURNING account_import_id, accounts.service_account_number, accounts.created_at
    )
    UPDATE account_imports SET service_account_number = created.service_account_number, completed_at = created.created_at
    FROM created WHERE account_import_id = id`,
    [own.code],
  );
  const page = await own.trpc.dataImport[procedure].query({ import_supplier_code: own.code, limit: 10_000 });
  expect(page.length).toBeGreaterThan(1_000);
  return page;
}

test.each(THREE_LISTS)(
  '4.9 4.10 4.11 4.12.10 a list is streamed byte for byte as its pages are, and is NDJSON or CSV if Accept says so: $path',
  async (list) => {
    const own = await service.createSupplier();
    const page = await insertNastyAccounts(own, list);
    const path = `${list.path}/${own.code}/`;
    expect((await read(path, own)).text).toBe(JSON.stringify(page));

    const lines = await read(path, own, 'application/x-ndjson');
    expect(lines.type).toBe('application/x-ndjson');
    expect(lines.text).toBe(page.map((record) => `${JSON.stringify(record)}\n`).join(''));

    const csv = await read(path, own, 'text/csv, application/json;q=0.5');
    expect(csv.type).toBe('text/csv; charset=utf-8; header=present');
    expect(csv.text.endsWith('\n')).toBe(true);
    const [header, ...records] = readCsv(csv.text);
    expect(header).toEqual(['external_account_number', 'service_account_number', 'account_created_at']);
    expect(records).toEqual(page.map((record) => Object.values(record).map((value) => value ?? '')));
  },
);

test('4.12.10 a page, and what nobody offers, is JSON', async () => {
  const path = `imported-account-import-processes/${supplier.code}/`;
  const page = await read(`${path}?limit=2`, supplier, 'text/csv');
  const other = await read(path, supplier, 'image/png');
  expect([page.type, other.type]).toEqual(Array(2).fill('application/json; charset=utf-8'));
});

test('4.12.10 an empty list in CSV has the names of its columns, in NDJSON nothing', async () => {
  const own = await service.createSupplier();
  const path = `imported-account-import-processes/${own.code}/`;
  expect((await read(path, own, 'application/x-ndjson')).text).toBe('');
  expect((await read(path, own, 'text/csv')).text).toBe(
    'external_account_number,service_account_number,account_created_at\n',
  );
});

/** Reads CSV as RFC 4180 has it, with line feeds. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\n') records.push([]);
  }
  return records.slice(0, -1);
}

test('4.12 a client that leaves in the middle does not disturb the service', async () => {
  const controller = new AbortController();
  const headers = { Authorization: `Token ${supplier.token}` };
  const target = `${service.url}/v1/data-import/all-account-import-processes/${supplier.code}/`;
  const response = await fetch(target, { headers, signal: controller.signal });
  controller.abort();
  await expect(response.text()).rejects.toThrow();
  expect((await supplier.get(`all-account-import-processes/${supplier.code}/?limit=1`)).status).toBe(200);
});

/** The address of the notes of a new account. */
async function accountWithNotes(count: number, characters: number): Promise<string> {
  const { id, externalAccountNumber } = await supplier.importAccount();
  await service.database.pool.query(
    `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
    SELECT $1, repeat('x', $2), '{}', now(), false FROM generate_series(1, $3)`,
    [id, characters, count],
  );
  return `accounts/${supplier.code}/${externalAccountNumber}/notes/`;
}

async function requestsAtWork(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^causeway_requests_at_work (.*)$/m.exec(text)?.[1]);
}

test('4.12.9 any number of lists of one page are read at once', async () => {
  const path = await accountWithNotes(3, 10);
  using lock = await borrowConnection(service.database.pool);
  await lock.query('BEGIN; LOCK TABLE notes');
  const lists = Array.from({ length: 16 }, () => supplier.get(path));
  await until(async () => (await requestsAtWork()) === 16).finally(async () => {
    await lock.query('ROLLBACK');
    lock.release();
  });
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(16).fill(200));
});

test('4.12.9 more than ten lists of more than a page are refused, and pages are not', async () => {
  // Larger than all buffers between the service and a client that does not read.
  const path = await accountWithNotes(300, 60_000);
  const headers = { Authorization: `Token ${supplier.token}` };
  const reading: IncomingMessage[] = [];
  for (let count = 0; count < 10; count += 1) {
    const [response] = await once(request(`${service.url}/v1/data-import/${path}`, { headers }).end(), 'response');
    reading.push(response);
  }
  const refused = await supplier.get(path);
  expect(refused).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await supplier.get(`${path}?limit=1`)).status).toBe(200);
  expect((await supplier.get(await accountWithNotes(3, 10))).status).toBe(200);
  for (const response of reading) response.destroy();
  await until(async () => (await supplier.get(path)).status === 200);
});
