import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { LIMITS } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { beforeEach, describe, expect, it } from 'vitest';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const service = await serviceOfFile();

const LOCK_KEYS = sql('lock_keys')`LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`;
const STAGE = '/v1/data-import/account-import-process/create-or-update/';
const TRANSACTIONS = '/v1/data-import/transactions/create/';
/** Characters of every width in UTF-8, so that pieces end inside them. */
const CUSTOMERS = ['Siân', '渡辺', 'Zoë 🏴'].map((given_name) => ({ given_name, family_name: 'Ó Dónaill' }));
const PIECES = [1, 20];

let supplier: TestSupplier;
beforeEach(async () => {
  supplier = await service.createSupplier();
});

interface Message {
  path: string;
  body: string;
  headers?: Record<string, string>;
  pieces: number;
  framing: 'Content-Length' | 'chunked';
}

/**
 * Sends a body so that the service reads each piece by itself. Resolves when all has arrived, with the answer to come.
 */
async function sendInPieces({ path, body, headers, pieces, framing }: Message) {
  const bytes = Buffer.from(body);
  const length = framing === 'Content-Length' ? { 'Content-Length': bytes.length } : {};
  const type = { 'Content-Type': 'application/json' };
  const request = httpRequest(`${service.url}${path}`, { method: 'POST', headers: { ...type, ...length, ...headers } });
  const answered = once(request, 'response').then(([response]) => readAnswer(response));
  request.flushHeaders();
  for (let piece = 0; piece < pieces; piece += 1) {
    await roundTrip();
    const start = Math.floor((bytes.length * piece) / pieces);
    request.write(bytes.subarray(start, Math.floor((bytes.length * (piece + 1)) / pieces)));
  }
  request.end();
  await roundTrip();
  return { answered };
}

async function readAnswer(response: IncomingMessage) {
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

/** What was written to the service's sockets before has been read when this is answered. */
async function roundTrip(): Promise<void> {
  await fetch(`${service.url}/healthz`);
}

let time = Date.now();

/** What the service remembers of keys is too old from here on, and while this runs no look-up of a key ends. */
function withKeysLocked<T>(work: () => Promise<T>): Promise<T> {
  time += 60_000;
  service.setTime(new Date(time).toISOString());
  return service.database.transaction(async (transaction) => {
    await transaction.query(LOCK_KEYS, {});
    return work();
  });
}

const authorization = () => ({ Authorization: `Token ${supplier.token}` });

async function send(message: Message, key: 'cold' | 'warm') {
  const request = { ...message, headers: { ...authorization(), ...message.headers } };
  if (key === 'warm') await supplier.get(`account-transfer-status/${supplier.code}/none/`);
  const { answered } = await (key === 'cold' ? withKeysLocked(() => sendInPieces(request)) : sendInPieces(request));
  return answered;
}

async function storedPayload(externalAccountNumber: string): Promise<unknown> {
  const row = await service.database.prisma.accountImport.findFirst({
    where: { import_supplier_code: supplier.code, external_account_number: externalAccountNumber },
  });
  return row?.payload;
}

const cases = (['cold', 'warm'] as const).flatMap((key) =>
  (['Content-Length', 'chunked'] as const).flatMap((framing) => PIECES.map((pieces) => ({ key, framing, pieces }))),
);

describe('a body is read to its end', () => {
  it.each(cases)('11.2 over REST and tRPC: a $key key, $framing, $pieces pieces', async ({ key, ...sent }) => {
    for (const [path, status] of [
      [STAGE, 201],
      ['/trpc/dataImport.stageAccount', 200],
    ] as const) {
      const account = supplier.account({ customers: CUSTOMERS });
      const answer = await send({ ...sent, path, body: JSON.stringify(account) }, key);
      const { external_account_number } = account;
      expect(answer.status).toBe(status);
      expect(path === STAGE ? answer.body : answer.body.result.data).toMatchObject({ external_account_number });
      expect(await storedPayload(external_account_number)).toMatchObject(account);
    }
  });

  it.each(cases.filter(({ key }) => key === 'cold'))('11.2 for ObtainToken: $framing, $pieces pieces', async (sent) => {
    const query = 'mutation ($key: String!) { obtainToken(input: { APIKey: $key }) { token } }';
    const body = JSON.stringify({ query, variables: { key: supplier.apiKey } });
    const { answered } = await sendInPieces({ ...sent, path: '/v1/graphql/', body });
    expect(await answered).toMatchObject({
      status: 200,
      body: { data: { obtainToken: { token: expect.any(String) } } },
    });
  });

  it.each(['cold', 'warm'] as const)('11.2 a %s key and 92 kB in 50 pieces', async (key) => {
    const addresses = Array.from({ length: 400 }, (_, index) => ({
      supply_address1: `${index} ${'Long Lane '.repeat(15)}`,
      supply_postcode: 'LS1 4AP',
      customer_at_supply_address_from_date: '2020-01-01',
    }));
    const account = supplier.account({ supply_addresses: addresses });
    const body = JSON.stringify(account);
    expect(body.length).toBeGreaterThan(92_000);
    expect((await send({ path: STAGE, body, framing: 'Content-Length', pieces: 50 }, key)).status).toBe(201);
    expect(await storedPayload(account.external_account_number)).toMatchObject(account);
  });
});

describe('what follows the JSON of a body is never dropped', () => {
  it.each([
    ['a', 'invalid_json'],
    ['{"a": 1}', 'invalid_json'],
    ['\u0000', 'nul_character'],
  ])('11.2 %j behind it: refused, and no money is added', async (tail, code) => {
    const { id, reference } = await supplier.importAccount();
    const charge = { transaction_id: 'T-1', transaction_date: '2026-01-05', amount: 10, type: 'CHARGE' };
    const json = JSON.stringify({ ...reference, transactions: [{ ...charge, reason: 'IMPORTED_CHARGE' }] });
    // The JSON is one piece, what follows it the other.
    const body = `${json}${tail.padEnd(Buffer.byteLength(json), ' ')}`;
    for (const framing of ['Content-Length', 'chunked'] as const) {
      const answer = await send({ path: TRANSACTIONS, body, framing, pieces: 2 }, 'cold');
      expect(answer).toMatchObject({ status: 400, body: { code } });
    }
    expect(await service.database.prisma.transaction.count({ where: { account_import_id: id } })).toBe(0);
  });
});

const keys = (count: number, name = 'k') =>
  Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join(',');

/** Each took the event loop seconds, though it is shorter than the longest body. */
const EXCESSIVE: [string, string, string][] = [
  ['800,000 keys', `{${keys(800_000)}}`, 'too_many_keys'],
  ['one key too many', `{${keys(LIMITS.json_keys + 1)}}`, 'too_many_keys'],
  ['keys written with escapes', `{${keys(LIMITS.json_keys + 1, '\\u006b')}}`, 'too_many_keys'],
  [
    'different keys over many objects',
    `{"customers":[${Array.from({ length: 300 }, (_, index) => `{${keys(80, `${index}_`)}}`).join(',')}]}`,
    'too_many_keys',
  ],
  ['escaped keys in many objects', `{"a":[${Array(200_000).fill('{"\\u0061":1}').join(',')}]}`, 'too_many_values'],
  ['a million strings', `{"customers":[${Array(1_000_000).fill('""').join(',')}]}`, 'too_many_values'],
];

describe('a body that would take seconds to parse', () => {
  it.each(EXCESSIVE)('11.3 is refused over REST before it is parsed: %s', async (_name, body, code) => {
    expect(await supplier.post('validate-account/', body)).toMatchObject({ status: 400, body: { code } });
  });

  it.each(EXCESSIVE.slice(-1))('11.3 is refused over tRPC before it is parsed: %s', async (_name, body, code) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Token ${supplier.token}` };
    const response = await fetch(`${service.url}/trpc/dataImport.validateAccount`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { data: { error: { code } } } });
  });
});

describe('a large body of the documented kind', () => {
  it('11.3 may have as many keys as the limit, and reports what is undocumented', async () => {
    const account = JSON.stringify(supplier.account());
    const more = LIMITS.json_keys - 1_000;
    const { status, headers } = await supplier.post('validate-account/', `${account.slice(0, -1)},${keys(more)}}`);
    expect(status).toBe(200);
    expect(headers.get('Undocumented-Fields')).toContain('k0, k1, ');
  });
});
