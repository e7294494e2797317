import { expect, test } from 'vitest';
import { assertDocumented, type WireAnswer } from '../support/assert-documented.ts';

const HEADERS = { 'x-request-id': 'r-1', 'content-type': 'application/json; charset=utf-8' };
const refusal = (code: string) => ({ detail: 'No.', code, errors: [], documentation_url: `/docs/errors#${code}` });

const staged: WireAnswer = {
  method: 'POST',
  path: '/v1/data-import/account-import-process/create-or-update/',
  status: 201,
  body: { import_supplier: 'NORTHWIND', external_account_number: '1' },
  headers: new Headers(HEADERS),
};

const outsidePeriod = {
  ...refusal('transaction_outside_open_statement_period'),
  transaction_data: { transaction_id: 'T-1' },
  error_detail: 'No.',
  status: 'TRANSACTION_IMPORT_ERROR',
};

const limited = { ...staged, path: '/v1/data-import/account-import-process/process/', status: 429 };

test.each<[string, Partial<WireAnswer>]>([
  ['a success', {}],
  ['the other success', { status: 200 }],
  ['a path without its trailing slash', { path: staged.path.slice(0, -1) }],
  ['a refusal', { status: 400, body: refusal('account_import_process_skipped') }],
  [
    "the transactions' own refusal",
    { path: '/v1/data-import/transactions/create/?x=1', status: 400, body: outsidePeriod },
  ],
  [
    'a path with parameters',
    { method: 'GET', path: '/v1/data-import/all-account-import-processes/A%2F1/?limit=1', status: 200, body: [] },
  ],
  ['an unknown path', { path: '/v1/data-import/nothing/', status: 404, body: refusal('not_found') }],
  ['HEAD', { method: 'HEAD', path: '/v1/data-import/all-account-import-processes/A/', status: 200, body: undefined }],
  ['OPTIONS', { method: 'OPTIONS', status: 204, body: undefined }],
])('7 an answer that is documented passes: %s', (_what, change) => {
  assertDocumented({ ...staged, ...change });
});

test('7 a method that the path does not take gets its documented 405', () => {
  const headers = new Headers({ ...HEADERS, allow: 'POST, OPTIONS' });
  assertDocumented({ ...staged, method: 'GET', status: 405, body: refusal('method_not_allowed'), headers });
  expect(() =>
    assertDocumented({ ...staged, method: 'GET', status: 405, body: refusal('method_not_allowed') }),
  ).toThrow('the header Allow is missing');
});

test.each<[string, Partial<WireAnswer>, string]>([
  ['a field too many', { body: { ...(staged.body as object), id: 1 } }, 'must NOT have additional properties'],
  ['a field too few', { body: { import_supplier: 'NORTHWIND' } }, 'must have required property'],
  ['a status that is not listed', { status: 202 }, 'the status is not among those'],
  [
    'a code that is not listed',
    { status: 400, body: refusal('dry_run_rolled_back') },
    'dry_run_rolled_back is not listed',
  ],
  [
    'a code that nobody knows',
    { status: 400, body: refusal('surprise') },
    'must be equal to one of the allowed values',
  ],
  ['a field too many in a refusal', { status: 400, body: { ...refusal('invalid_json'), stack: '' } }, 'additional'],
  [
    'the documentation of another code',
    { status: 400, body: { ...refusal('invalid_json'), documentation_url: '/docs/errors#too_deep' } },
    'the documentation of invalid_json is said to be at /docs/errors#too_deep',
  ],
  ['no request id', { headers: new Headers({ 'content-type': 'application/json' }) }, 'X-Request-Id is missing'],
  ['HTML', { headers: new Headers({ ...HEADERS, 'content-type': 'text/html' }) }, 'the content type is text/html'],
  ['no Retry-After', { ...limited, body: refusal('concurrency_limit_exceeded') }, 'Retry-After is missing'],
  ['no WWW-Authenticate', { status: 401, body: refusal('token_expired') }, 'WWW-Authenticate is missing'],
  ['an unknown path that answers', { path: '/v1/nothing/', status: 200 }, 'the status is not among those'],
  ['an unknown path with another body', { path: '/v1/nothing/', status: 404, body: {} }, 'required property'],
])('7 an answer that is not documented fails: %s', (_what, change, problem) => {
  expect(() => assertDocumented({ ...staged, ...change })).toThrow(problem);
});
