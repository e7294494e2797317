import { randomUUID } from 'node:crypto';
import { lodgeStored } from '@causeway/testing';
import { describe, expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { routesOf } from '../../src/rest/routes.ts';
import { statement } from '../bundles/support.ts';
import { obtainToken, restCalls, serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { marked, PROCESS, STAGE, seen } from './marked-calls.ts';

const service = await serviceOfFile();

const charge = { transaction_id: 'T-1', amount: 10.5, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };

const counted = { source_system: 'Harbour billing', as_of: '2026-04-16T22:00:00Z', totals: { accounts: 1 } };

/** Every POST of the data import that adds something: what it is sent, and the rows of the account that a second run would change. */
const endpoints = [
  [STAGE, (supplier: TestSupplier) => supplier.account()],
  [PROCESS, async (supplier: TestSupplier) => supplier.processRequest(await supplier.stage())],
  ['account-import-process/undo/', ofUndoableAccount],
  ['account-import-process/replace/', ofReplacedAccount],
  ['notes/create/', intoAccount({ notes: [{ body: 'Moved in' }] })],
  [
    'transactions/create/?check_previously_added=false',
    intoAccount({ transactions: [{ ...charge, transaction_date: '2020-01-01' }] }),
  ],
  ['historical-statements/create/', intoAccount({ statements: [statement('S-1')] })],
  ['payment-instruction/create/', intoAccount({ vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' })],
  ['bulk-jobs/', async ({ code }: TestSupplier) => ({ import_supplier: code, kind: 'STAGE' })],
  ['manifests/', async ({ code }: TestSupplier) => ({ import_supplier: code, ...counted })],
  ['reconciliations/', async ({ code }: TestSupplier) => ({ manifest_id: await lodgeStored(asRows, code) })],
] as const;

function intoAccount(content: object) {
  return async (supplier: TestSupplier) => ({ ...(await supplier.importAccount()).reference, ...content });
}

async function ofUndoableAccount({ code, importAccount }: TestSupplier) {
  await service.staff.importSuppliers.update.mutate({ code, undo_hours: 1, suppliers_may_undo: true });
  const { externalAccountNumber: external_account_number } = await importAccount();
  return { import_supplier_code: code, external_account_number };
}

async function ofReplacedAccount(supplier: TestSupplier) {
  const { code, teamName: operations_team_name } = supplier;
  await service.staff.importSuppliers.update.mutate({ code, undo_hours: 1, suppliers_may_undo: true });
  const { externalAccountNumber, serviceAccountNumber } = await supplier.importAccount();
  const account = supplier.account({ external_account_number: externalAccountNumber });
  return { ...account, operations_team_name, expected_service_account_number: serviceAccountNumber };
}

const asRows = async (text: string, values: unknown[]) => (await service.database.pool.query(text, values)).rows;

/** All that the supplier's calls left behind. */
async function traces({ code }: TestSupplier) {
  const imports = await service.database.prisma.accountImport.findMany({
    where: { import_supplier_code: code },
    include: { account: { include: { notes: true, transactions: true, statements: true, payment_instruction: true } } },
  });
  const subject_id = { in: imports.map(({ id }) => id) };
  const jobs = await service.database.prisma.bulkJob.findMany({ where: { import_supplier_code: code } });
  const manifests = await service.database.prisma.manifest.findMany({ where: { import_supplier_code: code } });
  const reconciliations = await service.database.prisma.reconciliation.findMany({
    where: { import_supplier_code: code },
  });
  return {
    imports,
    jobs,
    manifests,
    reconciliations,
    events: await service.database.prisma.auditEvent.count({ where: { subject_id } }),
  };
}

describe('the same request again', () => {
  test('12.1 every POST of the data import takes part, but those that ignore a key', () => {
    // What changes the state of what its path names does nothing the second time, or is refused; and what is done to a
    // webhook leaves nothing in an account.
    const adds = ({ path }: { path: string }) => !/\{(?:job|manifest|reconciliation|webhook_endpoint)_id\}/.test(path);
    const posts = routesOf(appRouter).filter(
      (one) => one.method === 'POST' && !one.meta.ignoresIdempotencyKey && adds(one),
    );
    const tested = endpoints.map(([path]) => `/v1/data-import/${path.split('?')[0]}`);
    expect(posts.map(({ path }) => path).sort()).toEqual(tested.sort());
  });

  test.concurrent.each(endpoints)(
    '12.1 replays the answer of %s, with its status, body and headers, and changes nothing',
    async (path, bodyFor) => {
      const supplier = await service.createSupplier();
      const body = { ...(await bodyFor(supplier)), not_documented: 1 };
      const call = marked(supplier, path, { body });
      const first = await call.send();
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
      expect(first.headers.get('undocumented-fields')).toBe('not_documented');
      const left = await traces(supplier);
      expect(seen(await call.send())).toEqual(seen(first));
      expect(await traces(supplier)).toEqual(left);
    },
  );

  test.concurrent.each(endpoints)(
    '12.4 answers a repeat of what is invalid at %s as before, with its status, body and headers, and keeps none of it',
    async (path, bodyFor) => {
      const supplier = await service.createSupplier();
      const call = marked(supplier, path, { body: { import_supplier: supplier.code, not_documented: 1 } });
      const first = await call.send();
      expect(first).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
      expect(first.headers.get('undocumented-fields')).toContain('not_documented');
      expect(seen(await call.send())).toEqual(seen(first));
      const fixed = marked(supplier, path, { body: await bodyFor(supplier), key: call.key });
      expect((await fixed.send()).status).toBeLessThan(300);
    },
  );

  test.concurrent('12.1 replays a refusal whose cause is gone, and another key tries anew', async () => {
    const supplier = await service.createSupplier();
    await service.staff.importSuppliers.setStatus.mutate({ code: supplier.code, status: 'PAUSED' });
    const body = supplier.account();
    const call = marked(supplier, STAGE, { body });
    const first = await call.send();
    expect(first).toMatchObject({ status: 400, body: { code: 'import_supplier_migration_not_ongoing' } });
    await service.staff.importSuppliers.setStatus.mutate({ code: supplier.code, status: 'ONGOING' });
    expect(seen(await call.send())).toEqual(seen(first));
    expect(await marked(supplier, STAGE, { body }).send()).toMatchObject({ status: 201 });
  });

  test.concurrent('12.2 does not mind the order of fields, at any depth', async () => {
    const supplier = await service.createSupplier();
    const body = { ...supplier.account(), not_documented: { one: 1, two: [{ a: 1, b: 2 }], 10: 'x' } };
    const call = marked(supplier, STAGE, { body });
    const first = await call.send();
    expect(first).toMatchObject({ status: 201 });
    expect(seen(await marked(supplier, STAGE, { body: backwards(body), key: call.key }).send())).toEqual(seen(first));
    const { two: _, ...others } = body.not_documented;
    const other = { ...body, not_documented: { ...others, two: [{ a: 2, b: 1 }] } };
    expect(await marked(supplier, STAGE, { body: other, key: call.key }).send()).toMatchObject({ status: 422 });
  });

  test.concurrent('12.2 does not mind how the path and the query are spelled', async () => {
    const supplier = await service.createSupplier();
    const body = supplier.account();
    const key = randomUUID();
    expect(await marked(supplier, STAGE, { body, key }).send()).toMatchObject({ status: 201 });
    expect(await marked(supplier, STAGE.replace(/\/$/, ''), { body, key }).send()).toMatchObject({ status: 201 });
  });
});

/** The same value, with the fields of every object in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, backwards(inner)] as const);
  return Object.fromEntries(fields.toReversed());
}

describe('another request', () => {
  test.concurrent('12.2 tells a request with undocumented parameters from one without', async () => {
    const supplier = await service.createSupplier({ reject_undocumented_fields: true });
    const { reference } = await supplier.importAccount();
    const body = { ...reference, notes: [{ body: 'x' }] };
    const call = marked(supplier, 'notes/create/', { body });
    expect(await call.send()).toMatchObject({ status: 201 });
    const other = { body, key: call.key };
    expect(await marked(supplier, 'notes/create/?x=1', other).send()).toMatchObject({ status: 422 });
    const lenient = await service.createSupplier();
    const twice = { body: lenient.account(), key: randomUUID() };
    expect(await marked(lenient, `${STAGE}?x=1&y=2`, twice).send()).toMatchObject({ status: 201 });
    expect(await marked(lenient, `${STAGE}?y=2&x=1`, twice).send()).toMatchObject({ status: 201 });
    expect(await marked(lenient, STAGE, twice).send()).toMatchObject({ status: 422 });
  });

  test.concurrent('12.2 refuses another body, path or parameter under the same key', async () => {
    const supplier = await service.createSupplier();
    const account = await supplier.importAccount();
    const body = { ...account.reference, transactions: [{ ...charge, transaction_date: '2020-01-01' }] };
    const path = 'transactions/create/';
    const call = marked(supplier, path, { body });
    const first = await call.send();
    expect(first.status).toBe(201);
    const others = [
      [path, { ...body, transactions: [{ ...body.transactions[0], amount: 10.51 }] }],
      ['notes/create/', body],
      [`${path}?check_previously_added=false`, body],
    ] as const;
    for (const [otherPath, otherBody] of others) {
      const answer = await marked(supplier, otherPath, { body: otherBody, key: call.key }).send();
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused', errors: [] } });
    }
    expect(seen(await call.send())).toEqual(seen(first));
    expect((await traces(supplier)).imports[0]?.account?.transactions).toHaveLength(1);
  });
});

describe('keys', () => {
  test.concurrent('12.2 keeps them per organisation, and the service team has its own', async () => {
    const [one, other] = [await service.createSupplier(), await service.createSupplier()];
    const sibling = await service.createSupplier({ of: one });
    const staff = restCalls(service.url, await obtainToken(service.url, service.staffApiKey));
    const key = randomUUID();
    const body = one.account();
    expect(await marked(one, STAGE, { body, key }).send()).toMatchObject({ status: 201 });
    expect(await marked(other, STAGE, { body: other.account(), key }).send()).toMatchObject({ status: 201 });
    expect(await marked(staff, STAGE, { body, key }).send()).toMatchObject({ status: 200 });
    expect(await marked(sibling, STAGE, { body, key }).send()).toMatchObject({ status: 201 });
    expect(await marked(sibling, STAGE, { body: sibling.account(), key }).send()).toMatchObject({ status: 422 });
  });

  test.concurrent('12.2 tells a foreign organisation nothing of an answer that is kept', async () => {
    const [owner, stranger] = [await service.createSupplier(), await service.createSupplier()];
    const { key, send } = marked(owner, STAGE, { body: owner.account() });
    expect(await send()).toMatchObject({ status: 201 });
    expect(await marked(stranger, STAGE, { body: owner.account(), key }).send()).toMatchObject({
      status: 400,
      body: { code: 'import_supplier_does_not_exist' },
    });
  });

  test.concurrent('12.2 are of 1 to 255 visible characters of ASCII', async () => {
    const supplier = await service.createSupplier();
    for (const key of ['', 'k'.repeat(256), 'one two', 'one\ttwo', 'clé']) {
      expect(await marked(supplier, STAGE, { body: supplier.account(), key }).send()).toMatchObject({
        status: 400,
        body: { code: 'request_failed_validation', errors: [{ code: 'invalid', attr: 'Idempotency-Key' }] },
      });
    }
    expect((await traces(supplier)).imports).toEqual([]);
    for (const key of ['k', 'k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '!~']) {
      const call = marked(supplier, STAGE, { body: supplier.account(), key });
      const first = await call.send();
      expect(first.status).toBe(201);
      expect(seen(await call.send())).toEqual(seen(first));
    }
  });
});
