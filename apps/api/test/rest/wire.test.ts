import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { routesOf } from '../../src/rest/routes.ts';
import { allRows } from '../support/all-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { send, sendRaw } from './wire-calls.ts';

const MEGABYTE = 1024 * 1024;
const JSON_TYPE = 'application/json';

const posts = routesOf(appRouter).filter(({ method }) => method === 'POST');

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

type Body = string | Uint8Array | undefined;

function post(path: string, body: Body, contentType: string | null = JSON_TYPE) {
  const headers = { Authorization: supplier.token, ...(contentType === null ? {} : { 'Content-Type': contentType }) };
  return send(`${service.url}${path}`, { method: 'POST', body: body as NonNullable<RequestInit['body']>, headers });
}

const validate = (body: Body, contentType?: string | null) =>
  post('/v1/data-import/validate-account/', body, contentType);

/** The same over tRPC, as a mutation's body. */
const mutate = (procedure: string, body: Body, contentType?: string) =>
  post(`/trpc/dataImport.${procedure}`, body, contentType);

/** The same over tRPC, as a query's input. */
const query = (input: string) =>
  send(`${service.url}/trpc/dataImport.accountStatus?input=${input}`, { headers: { Authorization: supplier.token } });

const codeOf = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, (body.error?.data.error ?? body).code];
const attrsOf = ({ body }: Awaited<ReturnType<typeof send>>) =>
  (body.error?.data.error ?? body).errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);

describe('a body that is no sane JSON object', () => {
  const account = (fields: string) => `{"import_supplier": "X", "external_account_number": "Y", ${fields}}`;
  const faults: [string, Body, string][] = [
    ['an empty body', '', 'invalid_json'],
    ['white space', ' \n', 'invalid_json'],
    ['half an object', '{"import_supplier": "X"', 'invalid_json'],
    ['two objects', '{} {}', 'invalid_json'],
    ['a comma too many', '{"a": 1,}', 'invalid_json'],
    ['a comment', '{} // x', 'invalid_json'],
    ['a number that is none', '{"amount": NaN}', 'invalid_json'],
    ['form fields', 'import_supplier=X', 'invalid_json'],
    ['a byte order mark', '\ufeff{}', 'invalid_json'],
    ['an array', '[{}]', 'not_an_object'],
    ['a number', '7', 'not_an_object'],
    ['a text', '"x"', 'not_an_object'],
    ['null', 'null', 'not_an_object'],
    ['an escaped NUL', account('"billing_name": "a\\u0000b"'), 'nul_character'],
    ['a NUL in a key', account('"a\\u0000b": 1'), 'nul_character'],
    ['a NUL as it is', account('"billing_name": "a\0b"'), 'nul_character'],
    ['half a surrogate pair', account('"billing_name": "\\ud83d"'), 'lone_surrogate'],
    ['the other half', account('"billing_name": "\\ude00 x"'), 'lone_surrogate'],
    ['half a surrogate pair in a key', account('"\\ud83d": 1'), 'lone_surrogate'],
    ['invalid UTF-8', Buffer.from('{"billing_name": "\xff"}', 'latin1'), 'invalid_utf8'],
    ['a character in too many bytes', Buffer.from('{"billing_name": "\xc0\xaf"}', 'latin1'), 'invalid_utf8'],
    ['a surrogate in UTF-8', Buffer.from('{"billing_name": "\xed\xa0\x80"}', 'latin1'), 'invalid_utf8'],
    ['UTF-16', Buffer.from('{"a": 1}', 'utf16le'), 'nul_character'],
    ['a key given twice', account('"billing_name": "a", "billing_name": "b"'), 'duplicate_key'],
    ['a key given twice, once escaped', account('"billing_name": "a", "\\u0062illing_name": "b"'), 'duplicate_key'],
    ['a key given twice, deep inside', account('"customers": [{"a": [{"b": 1, "b": 1}]}]'), 'duplicate_key'],
    ['__proto__', account('"__proto__": {"x": 1}'), 'forbidden_key'],
    ['__proto__ in disguise', account('"\\u005f_proto__": {"x": 1}'), 'forbidden_key'],
    ['33 levels', `{"a": ${'['.repeat(32)}${']'.repeat(32)}}`, 'too_deep'],
    ['5,000 levels', `{"a": ${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'too_deep'],
    ['a million levels', '{"a":'.repeat(1_000_000), 'too_deep'],
  ];

  test.concurrent.each(faults)(
    '11.3 is refused with a code of its own, by every endpoint: %s',
    async (_name, body, code) => {
      const answers = await Promise.all(posts.map(({ path }) => post(path, body)));
      expect(answers.map(codeOf)).toEqual(posts.map(() => [400, code]));
    },
  );

  const notOverTrpc = ['an empty body', 'white space', 'not_an_object'];
  const faultsOverTrpc = faults.filter(([name, , code]) => !notOverTrpc.includes(name) && !notOverTrpc.includes(code));

  test.concurrent.each(faultsOverTrpc)('11.3 is refused over tRPC alike: %s', async (_name, body, code) => {
    expect(codeOf(await mutate('validateAccount', body))).toEqual([400, code]);
  });

  test.concurrent.each(faultsOverTrpc.filter(([, body]) => (body?.length ?? 0) < 20_000))(
    '11.3 is refused as the input of a query alike: %s',
    async (_name, body, code) => {
      const bytes = [...Buffer.from(body ?? '')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      if (bytes.length < 12_000) expect(codeOf(await query(bytes))).toEqual([400, code]);
    },
  );

  test.concurrent.each(['[]', '7', 'null', '"x"', ''])(
    '11.3 is no input of a procedure over tRPC: %s',
    async (body) => {
      const answer = await mutate('validateAccount', body);
      expect(codeOf(answer)).toEqual([400, 'account_failed_validation']);
      expect(codeOf(await query(encodeURIComponent(body)))).toEqual([400, 'request_failed_validation']);
    },
  );

  test.concurrent('11.3 takes 32 levels, escapes, and characters of every plane', async () => {
    const deep = JSON.stringify(supplier.account({ billing_name: 'Zoë 😀 日本 𠮷' }));
    const nested = `${'['.repeat(31)}${']'.repeat(31)}`;
    const answer = await validate(
      `${deep.slice(0, -1)}, "\\u0061": "\\ud83d\\ude00", "b": ${nested}, "constructor": {}}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.body.billing_name).toBe('Zoë 😀 日本 𠮷');
  });
});

describe('the content type', () => {
  const json = () => JSON.stringify(supplier.account());

  test.concurrent.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;',
  ])('11.1 may be %s, and the body is read', async (contentType) => {
    expect((await validate(json(), contentType)).status).toBe(200);
    expect((await mutate('validateAccount', json(), contentType)).status).toBe(200);
  });

  test.concurrent.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json; charset=iso-8859-1',
    'application/problem+json',
    '',
    null,
  ])('11.1 gets 415 if it is %s', async (contentType) => {
    const bytes = Buffer.from(json());
    for (const { path } of posts)
      expect(codeOf(await post(path, bytes, contentType))).toEqual([415, 'unsupported_media_type']);
    const overTrpc = await post('/trpc/dataImport.validateAccount', bytes, contentType);
    expect(codeOf(overTrpc)).toEqual([415, 'unsupported_media_type']);
  });

  test.concurrent('11.1.1 the refusal names the charset that was sent, or Content-Encoding, and what is accepted', async () => {
    const path = '/v1/data-import/validate-account/';
    const charset = await post(path, Buffer.from(json()), 'application/json; v=1; charset="ISO-8859-1"');
    expect(charset.body.detail).toBe(
      'The body was sent with the charset ISO-8859-1; only UTF-8 is accepted. Send it in UTF-8, with "Content-Type: application/json".',
    );
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', Authorization: supplier.token };
    const body = new Uint8Array(gzipSync(json()));
    const packed = await send(`${service.url}${path}`, { method: 'POST', body, headers });
    expect(codeOf(packed)).toEqual([415, 'unsupported_media_type']);
    expect(packed.body.detail).toMatch(/accepts no Content-Encoding but identity: send the body as it is, not packed/);
  });
});

describe('the size of a body', () => {
  const padded = (bytes: number) => {
    const json = JSON.stringify(supplier.account({ undocumented: '' }));
    return json.replace('"undocumented":""', `"undocumented":"${'x'.repeat(bytes - Buffer.byteLength(json))}"`);
  };

  test.concurrent('11.2 may be 10 MB, and is refused with 413 from the next byte on', async () => {
    expect((await validate(padded(10 * MEGABYTE))).status).toBe(200);
    expect(codeOf(await validate(padded(10 * MEGABYTE + 1)))).toEqual([413, 'payload_too_large']);
    expect(codeOf(await validate(padded(12_000_000)))).toEqual([413, 'payload_too_large']);
    expect(codeOf(await mutate('validateAccount', padded(12_000_000)))).toEqual([413, 'payload_too_large']);
  });

  test.concurrent.each(['/v1/data-import/validate-account/', '/trpc/dataImport.validateAccount'])(
    '11.2 counts a body that comes in chunks: %s',
    async (path) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${supplier.token}\r\nContent-Type: ${JSON_TYPE}\r\n`;
      const chunk = `100000\r\n${'x'.repeat(MEGABYTE)}\r\n`;
      const answer = await sendRaw(service.url, `${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array(11).fill(chunk));
      expect(codeOf(answer)).toEqual([413, 'payload_too_large']);
      // A length that is declared is refused before anything of the body has come.
      const declared = await sendRaw(service.url, `${head}Content-Length: ${10 * MEGABYTE + 1}\r\n\r\n`);
      expect(codeOf(declared)).toEqual([413, 'payload_too_large']);
    },
  );

  test.concurrent('11.2 is configurable', async () => {
    const small = await startTestService({ MAX_BODY_BYTES: '2000' });
    const other = await small.createSupplier();
    const answer = await other.post('validate-account/', other.account({ undocumented: 'x'.repeat(2_000) }));
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large', errors: [] } });
    await small.stop();
  });
});

describe('the types of a body', () => {
  const schedule = (fields: object) => supplier.account({ payment_schedules: [fields] });

  test.concurrent('11.4 takes no text for a boolean, so that "false" is no dry run and no true one either', async () => {
    const number = await supplier.stage();
    for (const dry_run of ['false', 'true', 0, 1, '', null, []]) {
      const request = JSON.stringify({ ...supplier.processRequest(number), dry_run });
      const answers = [
        await post('/v1/data-import/account-import-process/process/', request),
        await mutate('processAccount', request),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect(attrsOf(answer)).toEqual([`dry_run: ${dry_run === null ? 'null' : 'invalid'}`]);
      }
    }
    expect(
      await service.database.prisma.account.count({ where: { account_import: { external_account_number: number } } }),
    ).toBe(0);
  });

  test.concurrent.each([
    ['null', { amount: null }, 'amount: null'],
    ['text that is no decimal number', { amount: '10.50 GBP' }, 'amount: invalid'],
    ['an empty text', { amount: '' }, 'amount: invalid'],
    ['a boolean', { day_of_month: true }, 'day_of_month: invalid'],
    ['text', { day_of_month: '12' }, 'day_of_month: invalid'],
    ['a number for a date', { start_date: 0 }, 'start_date: invalid'],
  ])('11.4 takes no %s for a number: %j', async (_name, fields, problem) => {
    const body = JSON.stringify(schedule(fields));
    const problems = [`payment_schedules.0.${problem}`];
    expect(attrsOf(await validate(body))).toEqual(problems);
    expect(attrsOf(await mutate('validateAccount', body))).toEqual(problems);
  });

  test.concurrent('11.4 takes a number beyond all bounds for what it is', async () => {
    const body = JSON.stringify(schedule({ amount: 1 })).replace('"amount":1', '"amount":1e999');
    expect(attrsOf(await validate(body))).toEqual([expect.stringMatching(/^payment_schedules\.0\.amount: /)]);
  });

  test.concurrent('11.4 takes no null for an amount of money inside a list either', async () => {
    const { reference } = await supplier.importAccount();
    const transaction = {
      transaction_id: 'T',
      transaction_date: '2026-04-05',
      type: 'CHARGE',
      reason: 'IMPORTED_CHARGE',
    };
    for (const amount of [null, '12.30 GBP', true, [12.3]]) {
      const body = JSON.stringify({ ...reference, transactions: [{ ...transaction, amount }] });
      const problems = [`transactions.0.amount: ${amount === null ? 'null' : 'invalid'}`];
      expect(attrsOf(await post('/v1/data-import/transactions/create/', body))).toEqual(problems);
      expect(attrsOf(await mutate('importTransactions', body))).toEqual(problems);
    }
    expect(await service.database.prisma.transaction.count()).toBe(0);
  });

  test.concurrent('11.4 leaves the schemas as they are, whatever REST was sent before', async () => {
    const good = JSON.stringify({ ...schedule({ amount: 1, day_of_month: 1 }), unknown_occupier: false });
    const bad = good
      .replace('"amount":1', '"amount":"one"')
      .replace('"unknown_occupier":false', '"unknown_occupier":"false"');
    const problems = ['unknown_occupier: invalid', 'payment_schedules.0.amount: invalid'];
    for (let round = 0; round < 2; round += 1) {
      expect((await validate(good)).status).toBe(200);
      expect(attrsOf(await validate(bad))).toEqual(problems);
      expect((await mutate('validateAccount', good)).status).toBe(200);
      expect(attrsOf(await mutate('validateAccount', bad))).toEqual(problems);
    }
  });

  test.concurrent('11.4 answers with the numbers and texts that were sent', async () => {
    const account = schedule({ amount: 99999999999.99 });
    const { body } = await validate(JSON.stringify(account));
    expect(body).toEqual(account);
  });
});

describe('the query of a POST', () => {
  const create = (search: string, request: object) =>
    post(`/v1/data-import/transactions/create/${search}`, JSON.stringify(request));
  const charge = (transaction_id: string, transaction_date: string) => ({
    transaction_id,
    transaction_date,
    amount: 1,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
  });

  test.concurrent('10.3 is read: true and false are what they say', async () => {
    const { reference } = await supplier.importAccount();
    const request = { ...reference, transactions: [charge('Q-1', '2001-01-01')] };
    const refused = await create('?force_add_to_current_statement=false', request);
    expect(codeOf(refused)).toEqual([400, 'transaction_outside_open_statement_period']);
    expect((await create('?force_add_to_current_statement=true', request)).status).toBe(201);
    const again = await create('?check_previously_added=true', request);
    expect(again.body.results[0].status).toBe('TRANSACTION_ALREADY_EXISTS');
    const added = await create('?force_add_to_current_statement=true&check_previously_added=false', request);
    expect(added.body.results[0].status).toBe('TRANSACTION_ADDED_TO_ACCOUNT');
  });

  test.concurrent.each(['', '0', '1', 'F', 'ſalse', 'no', 'null', ' false', 'false%20', 'falsefalse'])(
    '10.3 is read strictly: %j is neither true nor false',
    async (value) => {
      const { reference } = await supplier.importAccount();
      const request = { ...reference, transactions: [charge('Q-2', '2001-01-01')] };
      for (const name of ['check_previously_added', 'force_add_to_current_statement']) {
        const answer = await create(`?${name}=${value}`, request);
        expect(answer.status).toBe(400);
        expect(answer.body.errors).toMatchObject([{ attr: name }]);
      }
    },
  );

  test.concurrent.each(['false', 'FALSE', 'False', 'fALSE'])('10.3 is read in any case: %s', async (value) => {
    const { reference } = await supplier.importAccount();
    const request = { ...reference, transactions: [charge('Q-5', '2001-01-01')] };
    const refused = await create(`?force_add_to_current_statement=${value}`, request);
    expect(codeOf(refused)).toEqual([400, 'transaction_outside_open_statement_period']);
    expect((await create(`?force_add_to_current_statement=${value.replace(/false/i, 'TrUe')}`, request)).status).toBe(
      201,
    );
  });

  test.concurrent('10.3 names a parameter once', async () => {
    const { reference } = await supplier.importAccount();
    const search = '?check_previously_added=false&check_previously_added=true';
    const answer = await create(search, { ...reference, transactions: [charge('Q-3', '2001-01-01')] });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ attr: 'check_previously_added' }]);
  });

  test.concurrent('10.3 does not stand for a field of the body, nor the other way round', async () => {
    const answer = await create('?import_supplier=X&external_account_number=Y', {
      transactions: [charge('Q', '2001-01-01')],
    });
    expect(attrsOf(answer)).toEqual(['import_supplier: required', 'external_account_number: required']);
    const { reference } = await supplier.importAccount();
    const request = {
      ...reference,
      force_add_to_current_statement: false,
      transactions: [charge('Q-4', '2001-01-01')],
    };
    const forced = await create('', request);
    expect(forced.status).toBe(201);
    expect(forced.headers.get('undocumented-fields')).toBe('force_add_to_current_statement');
  });
});

// Not concurrent: it compares every table.
test('11.4 changes nothing where a body is refused', async () => {
  const number = await supplier.stage();
  const good = JSON.stringify(supplier.account({ external_account_number: number, billing_name: 'Changed' }));
  const before = await allRows(service.database);
  for (const body of [
    good.slice(0, -1),
    `[${good}]`,
    good.replace('{', '{"__proto__":1,'),
    good.replace('Changed', '\\u0000'),
  ]) {
    expect((await post('/v1/data-import/account-import-process/create-or-update/', body)).status).toBe(400);
    expect((await mutate('stageAccount', body)).status).toBe(400);
  }
  expect((await post('/v1/data-import/account-import-process/create-or-update/', good, 'text/plain')).status).toBe(415);
  expect(await allRows(service.database)).toEqual(before);
});
