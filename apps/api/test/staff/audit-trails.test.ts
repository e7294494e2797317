import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { serviceOfFile } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier({ name: 'With a trail' });
const list = service.staff.audit.list.query;

const actions = async (request: Parameters<typeof list>[0]) => (await list(request)).map(({ action }) => action);

test('14.7 the trail of an import supplier, organisation, key, team and account can be read, oldest first', async () => {
  const { staff } = service;
  const { code } = supplier;
  await staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED', reason: 'Holiday' });
  await staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING' });
  const organisation = await staff.organisations.create.mutate({ name: `Trail ${randomUUID()}` });
  const key = await staff.apiKeys.issue.mutate({ organisation_id: organisation.id, label: 'second' });
  await staff.apiKeys.revoke.mutate({ id: key.id });
  const team = await staff.operationsTeams.create.mutate({ name: `Trail ${randomUUID()}` });
  const { externalAccountNumber: external_account_number } = await supplier.importAccount();

  const trail = await list({ subject: 'import_supplier', code });
  expect(trail.map(({ action }) => action)).toEqual(['created', 'status_set', 'status_set']);
  expect(trail[1]).toMatchObject({ actor: 'staff', detail: { status: 'PAUSED', reason: 'Holiday' } });
  expect(await actions({ subject: 'organisation', id: organisation.id })).toEqual(['created']);
  expect(await actions({ subject: 'api_key', id: key.id })).toEqual(['issued', 'revoked']);
  expect(await actions({ subject: 'operations_team', id: team.id })).toEqual(['created']);
  expect(await actions({ subject: 'account_import', code, external_account_number })).toEqual(['staged', 'processed']);
});

test('14.7 a trail is read in pages, each behind the last event received', async () => {
  const own = await service.createSupplier({ name: 'Own' });
  for (const name of ['A', 'B', 'C']) await service.staff.importSuppliers.update.mutate({ code: own.code, name });
  const whole = await list({ subject: 'import_supplier', code: own.code });
  expect(whole).toHaveLength(4);
  const pages = [];
  for (let after: string | undefined; ; ) {
    const page = await list({ subject: 'import_supplier', code: own.code, limit: 3, ...(after && { after }) });
    pages.push(...page);
    if (page.length === 0) break;
    after = page.at(-1)?.id;
  }
  expect(pages).toEqual(whole);
  for (const bad of [{ limit: 1_001 }, { limit: 0 }, { after: 'x' }, { after: '9'.repeat(30) }]) {
    expect(await refusal(list({ subject: 'import_supplier', code: own.code, ...bad }))).toMatchObject({ status: 400 });
  }
});

test('14.7 the trail of what was never created is refused, and so is a kind that there is not', async () => {
  const id = randomUUID();
  expect(await refusal(list({ subject: 'organisation', id }))).toMatchObject({ code: 'organisation_does_not_exist' });
  expect(await refusal(list({ subject: 'api_key', id }))).toMatchObject({ code: 'api_key_does_not_exist' });
  expect(await refusal(list({ subject: 'operations_team', id }))).toMatchObject({
    status: 404,
    code: 'operations_team_does_not_exist',
  });
  const one = { code: 'NONE', external_account_number: 'X' };
  expect(await refusal(list({ subject: 'import_supplier', code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
  });
  expect(await refusal(list({ subject: 'account_import', ...one }))).toMatchObject({ code: 'account_not_found' });
  expect(await refusal(list({ subject: 'service_secret', id } as never))).toMatchObject({ attrs: ['subject'] });
  // An id of one kind is not the id of another.
  const wrong = { subject: 'api_key', id: supplier.organisationId } as const;
  expect(await refusal(list(wrong))).toMatchObject({ code: 'api_key_does_not_exist' });
});

test('14.7 two requests under one X-Request-Id are two in the trail, which keeps the caller’s id beside ours', async () => {
  const headers = { 'X-Request-Id': 'always-the-same' };
  const account = supplier.account();
  const { external_account_number } = account;
  for (const status of [201, 200]) {
    const answer = await supplier.post('account-import-process/create-or-update/', account, headers);
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'always-the-same']);
  }
  const answer = await supplier.post('account-import-process/create-or-update/', account);
  const trail = await list({ subject: 'account_import', code: supplier.code, external_account_number });
  expect(trail.map(({ caller_request_id }) => caller_request_id)).toEqual(['always-the-same', 'always-the-same', null]);
  expect(new Set(trail.map(({ request_id }) => request_id)).size).toBe(3);
  expect(trail[0]?.request_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(trail[2]?.request_id).toBe(answer.headers.get('x-request-id'));
});

test('14.7 the event of a refresh token that two hold names the request of the second one', async () => {
  const own = await service.createSupplier();
  const obtain = async (input: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}/v1/graphql/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query: `mutation { obtainToken(input: { ${input} }) { refreshToken payload } }` }),
    });
    const { data } = (await response.json()) as {
      data: { obtainToken: { refreshToken: string; payload: { sub: string } } } | null;
    };
    return { data, requestId: response.headers.get('x-request-id') };
  };
  const reuse = async (headers: Record<string, string>) => {
    const { data } = await obtain(`APIKey: "${own.apiKey}"`);
    const input = `refreshToken: "${data?.obtainToken.refreshToken}"`;
    await obtain(input);
    await service.database.pool.query(`UPDATE refresh_tokens SET used_at = used_at - interval '11 minutes'`);
    const reused = await obtain(input, headers);
    expect(reused.data).toBeNull();
    return { id: data?.obtainToken.payload.sub ?? '', requestId: reused.requestId };
  };
  const { id, requestId } = await reuse({});
  await reuse({ 'X-Request-Id': 'of-a-thief' });
  const trail = await list({ subject: 'api_key', id });
  expect(trail.filter(({ action }) => action === 'refresh_token_reused')).toMatchObject([
    { actor: 'service', api_key_id: null, request_id: requestId, caller_request_id: null },
    { actor: 'service', request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), caller_request_id: 'of-a-thief' },
  ]);
});
