import { obtainTokens } from '@causeway/rest-client';
import { expect, test } from 'vitest';
import { STAGE } from '../idempotency/marked-calls.ts';
import { allRows } from '../support/all-rows.ts';
import { type ExampleCall, exampleCalls } from '../support/example-calls.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { obtainToken, restCalls, serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();
/** Another organisation's, configured so that its own engineers would get other answers. */
const foreign = await service.createSupplier({ reject_undocumented_fields: true, country: 'SE', code: 'FOREIGN-1' });

const NAMES = ['import_supplier', 'import_supplier_code', 'organisation_id'];

/** The calls of an organisation that name something: a supplier, or what belongs to one, by `code`. */
function callsAbout(code: string, external_account_number = '', operations_team_name = ''): Map<string, ExampleCall> {
  const named = Object.fromEntries(NAMES.map((field) => [field, code]));
  const calls = exampleCalls({ fields: { ...named, external_account_number, operations_team_name }, id: code });
  return new Map(
    calls
      .filter(({ route, input }) => route !== undefined && Object.values(input).includes(code))
      .map((call) => [call.procedure, call]),
  );
}

/**
 * What depends on the supplier would show: the phone number is no possible one anywhere, a field is documented nowhere,
 * and a list continues after the account, if its places are accounts.
 */
function telling({ input, route, kind }: ExampleCall, number: string): Record<string, unknown> {
  const further = { ...input, after: number };
  const goesOn = route?.queryParameters.has('after') && route.procedure.input?.safeParse(further).success;
  return {
    ...(goesOn ? further : input),
    ...('customers' in input && { customers: [{ family_name: 'X', landline: '1' }] }),
    ...(kind === 'mutation' && { nickname: 'x' }),
  };
}

/** Everything a caller can see of an answer, the code it asked for replaced by the same word. */
function seen(answer: { status: number; body: unknown; headers: Headers }, code: string) {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return JSON.parse(JSON.stringify({ ...answer, headers }).replaceAll(code, 'CODE'));
}

/** Suppliers of other organisations, each with one account of this number. */
async function foreignSuppliers(external_account_number: string): Promise<string[]> {
  const configured = { reject_undocumented_fields: true, country: 'SE' };
  const imported = await service.createSupplier({ ...configured, code: 'FOREIGN-2' });
  await imported.importAccount({ external_account_number, billing_postcode: undefined, billing_name: 'Secret' });
  const paused = await service.createSupplier({ ...configured, code: 'FOREIGN-3' });
  for (const supplier of [foreign, paused]) await supplier.stage({ external_account_number });
  await service.staff.importSuppliers.setStatus.mutate({ code: paused.code, status: 'PAUSED' });
  return [imported.code, foreign.code, paused.code];
}

test('4.13 5.9 each call answers for another organisation’s supplier as for one that was never created, whatever is there', async () => {
  const number = 'OF-OTHERS-1';
  const codes = await foreignSuppliers(number);
  const before = await allRows(service.database, { refusals: true });
  const procedures = [...callsAbout('ANY').keys()];
  expect(procedures.length).toBeGreaterThan(20);
  for (const procedure of procedures) {
    const askAbout = (code: string) => {
      const call = callsAbout(code, number, supplier.teamName).get(procedure) as ExampleCall;
      return sameOverTrpc(supplier, procedure, { input: telling(call, number) });
    };
    const asAbsent = await askAbout('ABSENT--1');
    expect(asAbsent.status, procedure).toBeGreaterThanOrEqual(400);
    expect(asAbsent.status, procedure).toBeLessThan(500);
    for (const code of codes) {
      const asForeign = await askAbout(code);
      expect(seen(asForeign, code), `${procedure} of ${code}`).toEqual(seen(asAbsent, 'ABSENT--1'));
      expect(JSON.stringify(asForeign.body)).not.toContain('Secret');
    }
  }
  expect(await allRows(service.database, { refusals: true })).toEqual(before);
});

test('1.4 5.9 a list has nothing of another supplier, of the same organisation or another', async () => {
  const sibling = await service.createSupplier({ of: supplier });
  const own = await service.createSupplier({ of: supplier });
  const number = await own.stage();
  await Promise.all([foreign.stage({ external_account_number: number }), sibling.stage()]);
  const { body } = await own.get(`all-account-import-processes/${own.code}/`);
  expect(body.map((record: { external_account_number: string }) => record.external_account_number)).toEqual([number]);
});

test('4.2 5.9 keeps the accounts of two suppliers apart that have the same number', async () => {
  const external_account_number = 'SHARED-1';
  const mine = await supplier.importAccount({ external_account_number });
  const theirs = await foreign.importAccount({ external_account_number });
  expect(mine.serviceAccountNumber).not.toBe(theirs.serviceAccountNumber);
  await supplier.post('notes/create/', { ...mine.reference, notes: [{ body: 'Mine' }] });
  expect(await service.database.prisma.note.count({ where: { account_import_id: theirs.id } })).toBe(0);
});

test('5.5 a revoked key stops at once on the instance that revoked it, within 5 seconds on every other', async () => {
  service.setTime('2026-04-20T11:30:00Z');
  const own = await service.createSupplier();
  const other = await service.startInstance();
  const path = `all-account-import-processes/${own.code}/`;
  const here = restCalls(service.url, own.token);
  const there = restCalls(other.url, own.token);
  expect([(await here.get(path)).status, (await there.get(path)).status]).toEqual([200, 200]);
  const [key] = await service.staff.apiKeys.list.query({ organisation_id: own.organisationId });
  await service.staff.apiKeys.revoke.mutate({ id: String(key?.id) });
  const refused = await here.get(path);
  expect([refused.status, refused.body.code]).toEqual([401, 'authentication_failed']);
  service.setTime('2026-04-20T11:30:05Z');
  const later = await there.get(path);
  expect([later.status, later.body.code]).toEqual([401, 'authentication_failed']);
  service.setTime(undefined);
});

test('14.4 what staff change of a supplier counts on another instance within 5 seconds', async () => {
  service.setTime('2026-04-20T11:30:00Z');
  const own = await service.createSupplier();
  const other = await service.startInstance();
  const there = restCalls(other.url, own.token);
  const account = { ...own.account(), nickname: 'x' };
  expect((await there.post('validate-account/', account)).status).toBe(200);
  const { code } = own;
  await service.staff.importSuppliers.update.mutate({ code, reject_undocumented_fields: true });
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  // Its status is checked inside each statement: that counts everywhere at once.
  const { nickname: _nickname, ...documented } = account;
  const paused = await there.post('account-import-process/create-or-update/', documented);
  expect([paused.status, paused.body.code]).toEqual([400, 'import_supplier_migration_not_ongoing']);
  service.setTime('2026-04-20T11:30:05Z');
  const refused = await there.post('validate-account/', account);
  expect([refused.status, refused.body.errors]).toMatchObject([400, [{ code: 'undocumented_field' }]]);
  service.setTime(undefined);
});

test('16.4 a token of one instance is good on the other, and so is its refresh token', async () => {
  const { url: otherUrl } = await service.startInstance();
  expect(await restCalls(otherUrl, supplier.token).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  const token = await obtainToken(otherUrl, supplier.apiKey);
  expect(await restCalls(service.url, token).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
  const { refreshToken } = await obtainTokens(service.url, supplier);
  const refreshed = await obtainTokens(otherUrl, { refreshToken });
  expect(await restCalls(service.url, refreshed.token).post(STAGE, supplier.account())).toMatchObject({ status: 201 });
});

test('16.4 what is staged on one instance is processed on the other', async () => {
  const { url: otherUrl } = await service.startInstance();
  const number = await supplier.stage();
  const processed = await restCalls(otherUrl, supplier.token).post(
    'account-import-process/process/',
    supplier.processRequest(number),
  );
  expect(processed).toMatchObject({ status: 201 });
  const status = await supplier.get(`account-transfer-status/${supplier.code}/${number}/`);
  const { service_account_number } = processed.body;
  expect(status.body).toEqual({ status: 'COMPLETED', service_account_number });
});
