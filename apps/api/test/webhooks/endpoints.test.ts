import { LIMITS } from '@causeway/contracts';
import { createSecretBox, sealSecretsAgain } from '@causeway/domain';
import { TOKEN_SECRET } from '@causeway/testing';
import { expect, test } from 'vitest';
import { restCalls, serviceOfFile, until } from '../support/test-service.ts';
import { startLanes } from './start-lanes.ts';

let urls = 0;

const service = await serviceOfFile();
const supplier = await service.createSupplier();
const other = await service.createSupplier();

const newUrl = () => {
  urls += 1;
  return `https://hooks.example/${urls}`;
};

async function create(of = supplier): Promise<{ id: string; url: string; secret: string }> {
  const { status, body } = await of.post('webhook-endpoints/', { url: newUrl() });
  if (status !== 201) throw new Error(`Creating an endpoint answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

const storedOf = async (id: string) =>
  (await service.database.pool.query('SELECT * FROM webhook_endpoints WHERE id = $1', [id])).rows[0];

test('28.1.1 28.1.3 a supplier creates, lists, reads, changes and deletes endpoints of its organisation alone', async () => {
  const mine = await service.createSupplier();
  const { id, url, secret: _secret, ...created } = await create(mine);
  expect(created).toMatchObject({ state: 'ENABLED', event_types: [], failures: 0, waiting: 0 });
  expect((await mine.post('webhook-endpoints/', { url })).body.code).toBe('webhook_endpoint_already_exists');
  const change = { description: 'Orders', event_types: ['account.refused', 'account.created', 'account.created'] };
  const { body: changed } = await mine.post(`webhook-endpoints/${id}/update/`, change);
  expect(changed).toMatchObject({ url, description: 'Orders', event_types: ['account.created', 'account.refused'] });
  expect((await mine.get('webhook-endpoints/')).body).toEqual([changed]);
  expect((await mine.get(`webhook-endpoints/${id}/`)).body).toEqual(changed);
  expect((await other.get(`webhook-endpoints/${id}/`)).status).toBe(404);
  expect((await other.post(`webhook-endpoints/${id}/delete/`, {})).status).toBe(404);
  expect((await mine.post(`webhook-endpoints/${id}/delete/`, {})).status).toBe(200);
  expect((await mine.get(`webhook-endpoints/${id}/`)).body.code).toBe('webhook_endpoint_does_not_exist');
  expect((await mine.post('webhook-endpoints/', { url })).status).toBe(201);
});

test('28.1.8 a description is one line without control or invisible characters, or empty', async () => {
  const { id } = await create();
  for (const description of ['a\nb', 'a\u0007b', 'a\u202eb', 'a\u200bb']) {
    for (const [path, fields] of [
      ['webhook-endpoints/', { url: newUrl() }],
      [`webhook-endpoints/${id}/update/`, {}],
    ] as const) {
      const { status, body } = await supplier.post(path, { ...fields, description });
      expect([status, body.errors]).toMatchObject([400, [{ code: 'invalid_characters', attr: 'description' }]]);
    }
  }
  const tooLong = { description: 'x'.repeat(LIMITS.name + 1) };
  expect((await supplier.post(`webhook-endpoints/${id}/update/`, tooLong)).status).toBe(400);
  for (const description of ['Order desk, live', '']) {
    const { status, body } = await supplier.post(`webhook-endpoints/${id}/update/`, { description });
    expect([status, body.description]).toEqual([200, description]);
  }
});

test('28.1.3 an organisation has at most so many endpoints, however many are created at once', async () => {
  const mine = await service.createSupplier();
  const made = await Promise.all(
    Array.from({ length: LIMITS.webhook_endpoints + 3 }, () => mine.post('webhook-endpoints/', { url: newUrl() })),
  );
  const refused = made.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body.code)).toEqual(Array(3).fill('too_many_webhook_endpoints'));
});

test('28.1.1 the service team creates and lists endpoints of an organisation, and changes them by their ids', async () => {
  const { organisationId: organisation_id } = await service.createSupplier();
  const { id, secret, ...created } = await service.staff.dataImport.createWebhookEndpoint.mutate({
    organisation_id,
    url: newUrl(),
  });
  expect(secret).toMatch(/^whsec_/);
  expect(await service.staff.dataImport.listWebhookEndpoints.query({ organisation_id })).toEqual([{ id, ...created }]);
  const disabled = await service.staff.dataImport.updateWebhookEndpoint.mutate({
    webhook_endpoint_id: id,
    enabled: false,
  });
  expect(disabled).toMatchObject({ state: 'DISABLED', disabled_reason: 'asked' });
  await expect(service.staff.dataImport.testWebhookEndpoint.mutate({ webhook_endpoint_id: id })).rejects.toThrow(
    'The webhook endpoint is disabled',
  );
  await expect(service.staff.dataImport.listWebhookEndpoints.query({})).rejects.toThrow('organisation_id');
});

test('28.3.2 28.1.5 28.1.6 a secret is stored encrypted, shown once, in no audit event, and removed with the endpoint', async () => {
  const { id, secret, url } = await create();
  const { body: rotated } = await supplier.post(`webhook-endpoints/${id}/rotate-secret/`, {});
  const box = createSecretBox(TOKEN_SECRET);
  const stored = await storedOf(id);
  expect(box.open(stored.secret)?.text).toBe(rotated.secret);
  expect(box.open(stored.previous_secret)?.text).toBe(secret);
  expect(createSecretBox('another secret that signs tokens').open(stored.secret)).toBeUndefined();
  expect(JSON.stringify((await supplier.get(`webhook-endpoints/${id}/`)).body)).not.toContain('whsec_');
  await supplier.post(`webhook-endpoints/${id}/delete/`, {});
  expect(await storedOf(id)).toMatchObject({ secret: null, previous_secret: null });
  const trail = await service.staff.audit.list.query({ subject: 'webhook_endpoint', id });
  expect(trail.map(({ action }) => action)).toEqual(['created', 'secret_rotated', 'deleted']);
  expect(JSON.stringify(trail)).not.toMatch(new RegExp(`whsec_|${new URL(url).pathname}`));
});

test('28.3.4 a start encrypts anew what only the former secret of the service reads', async () => {
  const { id, secret } = await create();
  const next = createSecretBox('the next secret that signs tokens', TOKEN_SECRET);
  await sealSecretsAgain(service.database, next);
  expect(next.open((await storedOf(id)).secret)).toEqual({ text: secret, isOld: false });
});

const REFUSED = [
  'http://hooks.example/',
  'https://hooks.example:22/',
  'https://someone@hooks.example/',
  'https://hooks.example/#part',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::10.0.0.1]/',
  'https://0.0.0.0/',
  'https://100.64.0.1/',
  'https://[2002:a00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'ftp://hooks.example/',
  'not a URL',
];

test.each(REFUSED)('28.5.1 28.5.2 an endpoint is not created at %s', async (url) => {
  const { status, body } = await supplier.post('webhook-endpoints/', { url });
  expect({ status, attr: body.errors?.[0]?.attr }).toEqual({ status: 400, attr: 'url' });
});

test('28.5.3 in networks of the operator any port is allowed, and http, elsewhere neither', async () => {
  const instance = await service.startInstance({ WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16' });
  const mine = await service.createSupplier();
  const statusOf = async (url: string) =>
    (await restCalls(instance.url, mine.token).post('webhook-endpoints/', { url })).status;
  expect(await statusOf('http://10.20.3.4:3000/hooks')).toBe(201);
  expect(await statusOf('http://10.21.3.4:3000/hooks')).toBe(400);
});

test('28.1.7 without events there is nothing to send: no endpoint is created, until they are recorded again', async () => {
  const mine = await service.createSupplier();
  await service.startInstance({ EVENT_DAYS: '0' });
  const { status, body } = await mine.post('webhook-endpoints/', { url: newUrl() });
  expect([status, body.code]).toEqual([409, 'webhooks_not_possible']);
  expect((await mine.get('webhook-endpoints/')).body).toEqual([]);
  await service.startInstance();
  await create(mine);
});

test('28.5.2 where a name leads to an address that is not public, nothing is sent', async () => {
  const mine = await service.createSupplier();
  const { body } = await mine.post('webhook-endpoints/', { url: 'https://localhost:8443/' });
  await mine.post(`webhook-endpoints/${body.id}/test/`, {});
  const lanes = startLanes(service, { allowedNetworks: [] });
  const deliveries = async () => (await mine.get(`webhook-endpoints/${body.id}/deliveries/`)).body;
  await until(async () => (await deliveries())[0].attempts === 1);
  expect((await deliveries())[0]).toMatchObject({ state: 'WAITING', failure: 'name_not_found', status: null });
  await lanes.stop();
});
