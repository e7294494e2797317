import { expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { allRows } from '../support/all-rows.ts';
import { obtainToken, serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();
const staffToken = await obtainToken(service.url, service.staffApiKey);

const procedures = Object.entries<{ _def: { type: string; meta?: { openapi?: object } } }>(
  appRouter._def.procedures as never,
);
const isStaffs = ([path, { _def }]: (typeof procedures)[number]) =>
  _def.meta?.openapi === undefined && path !== 'session.whoAmI';
const staffProcedures = procedures.filter(isStaffs);
const suppliersProcedures = procedures.filter((one) => !isStaffs(one));

/** Calls a procedure with an input that names what exists, as far as it takes such a field. */
async function call(path: string, type: string, authorization?: string) {
  const { code, organisationId: organisation_id } = supplier;
  const external_account_number = 'ANY';
  const json = JSON.stringify({
    code,
    organisation_id,
    external_account_number,
    name: 'x',
    label: 'x',
    status: 'PAUSED',
  });
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  const response =
    type === 'query'
      ? await fetch(`${service.url}/trpc/${path}?input=${encodeURIComponent(json)}`, { headers })
      : await fetch(`${service.url}/trpc/${path}`, {
          method: 'POST',
          body: json,
          headers: { ...headers, 'Content-Type': 'application/json' },
        });
  return { status: response.status, text: await response.text() };
}

test.concurrent.each(procedures)('5.1 %s refuses a call without a token with 401', async (path, { _def }) => {
  const { status, text } = await call(path, _def.type);
  expect(status).toBe(401);
  expect(text).toContain('not_authenticated');
});

test.concurrent.each(suppliersProcedures)('14.1 %s is open to the service team too', async (path, { _def }) => {
  const { status } = await call(path, _def.type, `Token ${staffToken}`);
  expect([401, 403]).not.toContain(status);
});

// Not concurrent: it compares every table.
test('14.1 procedures of the service team refuse a supplier’s token with 403 permission_denied, and change nothing', async () => {
  const before = await allRows(service.database);
  for (const [path, { _def }] of staffProcedures) {
    const { status, text } = await call(path, _def.type, `Token ${supplier.token}`);
    expect([path, status]).toEqual([path, 403]);
    expect(JSON.parse(text).error.data.error).toEqual({
      detail: expect.any(String),
      code: 'permission_denied',
      errors: [],
      documentation_url: '/docs/errors#permission_denied',
    });
  }
  expect(await allRows(service.database)).toEqual(before);
});
