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

const limited = { ...staged, path: '/v1/data-import/account-import-process/process/', status: 429 };

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
