import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { routesOf } from '../../src/rest/routes.ts';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile, startTestService } from '../support/test-service.ts';
import { send, sendRaw } from './wire-calls.ts';

const MEGABYTE = 1024 * 1024;
const JSON_TYPE = 'application/json';

const posts = routesOf(appRouter).filter(({ method }) => method === 'POST');

const service = await serviceOfFile();
const supplier = await service.createSupplier();

type Body = string | Uint8Array | undefined;

function post(path: string, body: Body, contentType: string | null = JSON_TYPE) {
  const headers = { Authorization: supplier.token, ...(contentType === null ? {} : { 'Content-Type': contentType }) };
  return send(`${service.url}${path}`, { method: 'POST', body: body as NonNullable<RequestInit['body']>, headers });
}

const validate = (body: Body, contentType?: string | null) =>
  post('/v1/data-import/validate-account/', body, contentType);

/** The same over tRPC, as a mutation's body. */
const mutate = (procedure: string, body: Body, contentType?: string | null) =>
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
    ['half an object', '{"import_supplier": "X"', 'invalid_json'],
    ['an array', '[{}]', 'not_an_object'],
    ['invalid UTF-8', Buffer.from('{"billing_name": "\xff"}', 'latin1'), 'invalid_utf8'],
    ['a key given twice, once escaped', account('"billing_name": "a", "\\u0062illing_name": "b"'), 'duplicate_key'],
    ['a million levels', '{"a":'.repeat(1_000_000), 'too_deep'],
  ];

  test.concurrent.each(faults)('11.3 is refused with a code of its own: %s', async (_name, body, code) => {
    expect(codeOf(await validate(body))).toEqual([400, code]);
  });

  test.concurrent('11.1 11.3 is refused by every endpoint, and so is a content type of another kind', async () => {
    for (const { path } of posts) {
      expect(codeOf(await post(path, '{"import_supplier": "X"'))).toEqual([400, 'invalid_json']);
      expect(codeOf(await post(path, '{}', 'text/plain'))).toEqual([415, 'unsupported_media_type']);
    }
  });

  const overTrpc = faults.filter(([name, , code]) => name !== 'an empty body' && code !== 'not_an_object');

  test.concurrent.each(overTrpc)(
    '11.3 is refused over tRPC alike, in a body and in a query: %s',
    async (_name, body, code) => {
      expect(codeOf(await mutate('validateAccount', body))).toEqual([400, code]);
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

  test.concurrent('11.3 names the field to blame, over REST and over tRPC', async () => {
    const body = '{"a": {"b": 1, "b": 2}}';
    for (const answer of [await validate(body), await mutate('validateAccount', body)]) {
      expect(attrsOf(answer)).toEqual(['a.b: duplicate_key']);
    }
  });

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
    for (const send of [validate, (body: Body, type: string | null) => mutate('validateAccount', body, type)]) {
      expect(codeOf(await send(bytes, contentType))).toEqual([415, 'unsupported_media_type']);
    }
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

  test.concurrent.each(['', '1', 'ſalse', 'no', ' false'])(
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
