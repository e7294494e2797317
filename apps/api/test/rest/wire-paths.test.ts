import { describe, expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { routesOf } from '../../src/rest/routes.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { send, sendRaw, type WireAnswer } from './wire-calls.ts';

const allRoutes = routesOf(appRouter);
const KNOWN = { import_supplier_code: 'x', external_account_number: 'x' };
/** What can be called with a supplier and an account alone, by one method. What has an id of its own has tests of its own. */
const routes = allRoutes.filter(
  ({ path, method, procedure }) =>
    Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).every((name) => name in KNOWN) &&
    allRoutes.filter((other) => other.path === path).length === 1 &&
    (method === 'POST' || procedure.input?.safeParse(KNOWN).success),
);

const service = await serviceOfFile();
const supplier = await service.createSupplier();

/** Each route's path with the names of an account that has a payment instruction. */
async function pathsOfAccount(): Promise<{ method: 'GET' | 'POST'; path: string }[]> {
  const { externalAccountNumber: number, reference } = await supplier.importAccount();
  const instruction = { ...reference, vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' };
  await supplier.post('payment-instruction/create/', instruction);
  return routes.map(({ method, path }) => ({
    method,
    path: path.replace('{import_supplier_code}', supplier.code).replace('{external_account_number}', number),
  }));
}

const paths = await pathsOfAccount();

function call(method: string, path: string, init: RequestInit = {}): Promise<WireAnswer> {
  const body = method === 'POST' ? '{}' : null;
  const headers = { Authorization: supplier.token, 'Content-Type': 'application/json', ...init.headers };
  return send(`${service.url}${path}`, { method, body, ...init, headers });
}

/** A GET of a target that fetch would tidy up first. */
function getRaw(target: string): Promise<WireAnswer> {
  return sendRaw(service.url, `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${supplier.token}\r\n\r\n`);
}

const codeOf = ({ status, body }: WireAnswer) => [status, (body.error?.data.error ?? body).code];

describe('paths', () => {
  test.concurrent('9 all carry the prefix /v1/ and end with a slash', () => {
    for (const { path } of allRoutes) expect(path).toMatch(/^\/v1\/data-import\/([a-z{}_-]+\/)+$/);
  });

  test.concurrent('10.1 answer alike with the trailing slash and without it', async () => {
    for (const { method, path } of paths) {
      const [long, short] = [await call(method, path), await call(method, path.slice(0, -1))];
      expect(long.status).toBe(method === 'GET' ? 200 : 400);
      expect([short.status, short.body]).toEqual([long.status, long.body]);
      expect(codeOf(await call(method, `${path}/`))).toEqual([404, 'not_found']);
    }
  });

  test.concurrent('10.1 are matched exactly, letter case included', async () => {
    for (const { method, path } of paths) {
      const fixed = path.split('/').filter((segment) => /^[a-z-]{4,}$/.test(segment));
      for (const segment of fixed) {
        const other = path.replace(segment, segment.toUpperCase());
        expect(codeOf(await call(method, other))).toEqual([404, 'not_found']);
      }
    }
    expect(codeOf(await call('POST', '/V1/data-import/validate-account/'))).toEqual([404, 'not_found']);
  });

  test.concurrent.each([
    '/',
    '/v1/',
    '/v1/data-import/',
    '/v1/data-import/nothing/',
    '/v1/data-import/notes/',
    '/v1/data-import/notes/create/more/',
    '/v1/data-import//notes/create/',
    '/v1/data-import/notes%2Fcreate/',
    '/v1/data-import/all-account-import-processes/',
    '/v1/data-import/account-transfer-status/ONE/',
    '/v1/data-import/{import_supplier_code}/',
    '/v1/data-import/constructor/',
    '/v1/data-import/__proto__/',
    '/robots.txt',
  ])('10.1 answer 404 where there is nothing: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(codeOf(await call(method, path))).toEqual([404, 'not_found']);
  });
});

describe('path parameters', () => {
  const status = (number: string) => `/v1/data-import/account-transfer-status/${supplier.code}/${number}/`;

  test.concurrent.each([
    ['Zoë 1', 'Zo%C3%AB%201'],
    ['a/b', 'a%2Fb'],
    ['a%2Fb', 'a%252Fb'],
    ['50%', '50%25'],
    ['a+b', 'a+b'],
    ['a?b#c', 'a%3Fb%23c'],
    ['😀', '%F0%9F%98%80'],
    ['{external_account_number}', '{external_account_number}'],
    ['a:b;c=d@e', 'a:b;c=d@e'],
  ])('10.1 are percent-decoded, once: %j is asked for as %s', async (external_account_number, segment) => {
    await supplier.stage({ external_account_number });
    const answer = await getRaw(status(segment));
    expect(answer).toMatchObject({ status: 200, body: { status: 'UNKNOWN', service_account_number: '' } });
  });

  test.concurrent.each(['%', '%2', '%ZZ', 'a%', '%C3', '%C3%28', '%ED%A0%80', '%FF', '%00', 'a%00b', '%0A', '%7F'])(
    '10.1 that are malformed or no text name nothing: %s',
    async (segment) => {
      expect(codeOf(await getRaw(status(segment)))).toEqual([404, 'not_found']);
      const list = `/v1/data-import/all-account-import-processes/${segment}/`;
      expect(codeOf(await getRaw(list))).toEqual([404, 'not_found']);
    },
  );

  test.concurrent('10.3 are compared exactly, and cannot be given in the query', async () => {
    const number = await supplier.stage({ external_account_number: 'Case-1' });
    expect((await getRaw(status('case-1'))).status).toBe(404);
    expect((await getRaw(status('CASE-1'))).status).toBe(404);
    const other = `${status(number)}?external_account_number=other&import_supplier_code=OTHER`;
    const answer = await getRaw(other);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('undocumented-fields')).toBe('external_account_number, import_supplier_code');
  });

  test.concurrent('10.1 leave the rest of a query alone that has a question mark in it', async () => {
    const [first, second] = ['a?b', 'c?d'];
    const other = await service.createSupplier();
    for (const external_account_number of [first, second]) await other.stage({ external_account_number });
    const list = `/v1/data-import/pending-account-import-processes/${other.code}/?after=a?b&limit=5`;
    const head = `GET ${list} HTTP/1.1\r\nHost: x\r\nAuthorization: ${other.token}\r\n\r\n`;
    const { status, body } = await sendRaw(service.url, head);
    expect([status, body]).toMatchObject([200, [{ external_account_number: second }]]);
  });
});

describe('methods', () => {
  test.concurrent('10.2 answer 405 with what a path allows', async () => {
    for (const { method, path } of paths) {
      const allowed = method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : ['POST', 'OPTIONS'];
      for (const wrong of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'].filter(
        (name) => !allowed.includes(name),
      )) {
        for (const spelling of [path, path.slice(0, -1)]) {
          const answer = await call(wrong, spelling);
          expect(codeOf(answer)).toEqual([405, 'method_not_allowed']);
          expect(answer.headers.get('allow')?.split(', ')).toEqual(allowed);
        }
      }
    }
  });

  test.concurrent('10.2 answer OPTIONS without a token, or with one that is not good', async () => {
    for (const { method, path } of paths) {
      for (const headers of [{}, { Authorization: 'Token x.y.z' }]) {
        const answer = await send(`${service.url}${path}`, { method: 'OPTIONS', headers });
        expect([answer.status, answer.body]).toEqual([204, undefined]);
        expect(answer.headers.get('allow')).toBe(method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS');
      }
    }
  });

  test.concurrent('10.2 answer HEAD like GET, without the body', async () => {
    for (const { method, path } of paths) {
      const [head, get] = [await call('HEAD', path), await call('GET', path)];
      expect(head.body).toBeUndefined();
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.get('allow')).toBe(get.headers.get('allow'));
      expect(head.status).toBe(method === 'GET' ? 200 : 405);
    }
    expect((await call('HEAD', '/v1/data-import/nothing/')).status).toBe(404);
  });

  test.concurrent('10.2 do not read the body of a GET', async () => {
    const path = `/v1/data-import/account-transfer-status/${supplier.code}/${await supplier.stage()}/`;
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${supplier.token}\r\nContent-Length: 9\r\n`;
    expect((await sendRaw(service.url, `${head}\r\n{"no json`)).status).toBe(200);
  });

  test.concurrent('10.5 answer in the error shape over tRPC too', async () => {
    expect(codeOf(await call('GET', '/trpc/dataImport.nothing'))).toEqual([404, 'not_found']);
    expect(codeOf(await call('GET', '/trpc/dataImport.stageAccount'))).toEqual([405, 'method_not_allowed']);
    expect(codeOf(await call('PUT', '/trpc/dataImport.stageAccount'))).toEqual([405, 'method_not_allowed']);
    expect(codeOf(await call('POST', '/trpc/organisations.list'))).toEqual([405, 'method_not_allowed']);
  });
});

describe('X-Request-Id', () => {
  const idOf = async (sent: string | undefined, path = '/v1/data-import/validate-account/') => {
    const { headers } = await call('POST', path, { headers: sent === undefined ? {} : { 'X-Request-Id': sent } });
    return headers.get('x-request-id');
  };

  test.concurrent.each(['a', 'Trace_1.2-3', '7b1f3f9e-2a43-4d3e-9a53-0d6f5f1f0001', 'x'.repeat(128)])(
    '7.4 is echoed if it is sane: %s',
    async (id) => {
      expect(await idOf(id)).toBe(id);
      expect(await idOf(id, '/nothing')).toBe(id);
      expect(await idOf(id, '/trpc/dataImport.validateAccount')).toBe(id);
    },
  );

  test.concurrent.each([undefined, '', 'x'.repeat(129), 'two words', 'a,b', '<script>', 'é', 'a/b'])(
    '7.4 is generated otherwise: %j',
    async (id) => {
      const generated = await idOf(id);
      expect(generated).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(await idOf(id)).not.toBe(generated);
    },
  );
});

describe('a request without a good token', () => {
  const targets = ['/v1/data-import/validate-account/', '/v1/data-import/nothing/', '/trpc/dataImport.validateAccount'];

  test.concurrent.each(targets)('5.1 gets its 401 before a byte of the body is read: %s', async (target) => {
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const bodies = ['Content-Length: 1000\r\n', 'Content-Length: 99999999\r\n', 'Transfer-Encoding: chunked\r\n'];
    for (const length of bodies) {
      const unknown = await sendRaw(service.url, `${head}${length}\r\n`);
      expect(codeOf(unknown)).toEqual([401, 'not_authenticated']);
      expect(unknown.headers.get('www-authenticate')).toBe('Token');
      const wrong = await sendRaw(service.url, `${head}${length}Authorization: Token x.y.z\r\n\r\n`);
      expect(codeOf(wrong)).toEqual([401, 'authentication_failed']);
    }
  });

  test.concurrent('5.1 gets a 401 for each endpoint, whatever else is wrong with it', async () => {
    const anonymous = (method: string, path: string, init: RequestInit = {}) =>
      send(`${service.url}${path}`, { method, ...init });
    for (const { method, path } of paths) {
      expect(codeOf(await anonymous(method, path))).toEqual([401, 'not_authenticated']);
    }
    for (const [method, target] of [
      ['POST', targets[0]],
      ['PATCH', targets[0]],
      ['GET', targets[1]],
    ] as const) {
      expect(codeOf(await anonymous(method, target ?? ''))).toEqual([401, 'not_authenticated']);
    }
    const body = '{"a": 1, "a": 2}';
    expect(codeOf(await anonymous('POST', targets[2] ?? '', { body }))).toEqual([401, 'not_authenticated']);
    expect((await anonymous('HEAD', targets[0] ?? '')).status).toBe(401);
  });

  test.concurrent('5.1 can be followed by a good one on the same connection', async () => {
    const refused = `POST ${targets[0]} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n`;
    const answer = await sendRaw(service.url, refused);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('connection')).not.toBe('close');
  });
});

describe('what is no request at all', () => {
  test.concurrent.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, 'request_failed_validation'],
    [
      'a target that is not ASCII',
      Buffer.from('GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
      400,
      'request_failed_validation',
    ],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\0b\r\n\r\n', 400, 'request_failed_validation'],
    [
      'two lengths',
      'POST /v1/data-import/notes/create/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
      'request_failed_validation',
    ],
    ['an endless address', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'payload_too_large'],
  ])('7.2 gets the same error body: %s', async (_name, bytes, status, code) => {
    const answer = await sendRaw(service.url, bytes);
    const documentation_url = `/docs/errors#${code}`;
    const body = { detail: expect.any(String), code, errors: [], documentation_url };
    expect([answer.status, answer.body]).toEqual([status, body]);
  });
});
