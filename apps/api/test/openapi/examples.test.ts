import type { ErrorBody } from '@causeway/contracts';
import { startFakeVendor } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import type { oas31 } from 'zod-openapi';
import { assertDocumented } from '../support/assert-documented.ts';
import { publishedOperations, publishedResponse, resolve } from '../support/published-document.ts';
import { type RestAnswer, restCalls, startTestService, type TestSupplier } from '../support/test-service.ts';

// The story of the examples, told to the service in its order: each answer must be the documented one, to the letter.

const NOW = '2026-04-17T09:30:12Z';
const EXAMPLE_NUMBER = 'A-7K3M9QXT';

let serviceAccountNumber = EXAMPLE_NUMBER;

const vendor = await startFakeVendor();
const card = { last4: '4242', exp_month: 8, exp_year: 2030, brand: 'visa' };
const paymentMethod = { id: 'pm_1NqkLXJ2eZvKYlo2', object: 'payment_method', type: 'card', card };
vendor.behaveFor(paymentMethod.id, { kind: 'answer', body: paymentMethod });
vendor.behaveFor('pm_down', { kind: 'answer', status: 503 });
const stripe = { name: 'STRIPE', kind: 'stripe', base_url: vendor.url, secret: 'sk_test' };
const service = await startTestService({ PAYMENT_VENDORS: JSON.stringify([stripe]) });
service.setTime(NOW);
const supplier = await service.createSupplier({ code: 'NORTHWIND-2026' });
await service.staff.operationsTeams.create.mutate({ name: 'Migration support' });
const other = {
  paused: await anotherSupplier('PAUSED'),
  skipping: await anotherSupplier('ONGOING'),
};

afterAll(async () => {
  await service.stop();
  await vendor.close();
});

async function anotherSupplier(status: 'ONGOING' | 'PAUSED'): Promise<TestSupplier> {
  const created = await service.createSupplier({ of: supplier });
  if (status !== 'ONGOING') {
    await service.staff.importSuppliers.setStatus.mutate({ code: created.code, status, reason: 'Test' });
  }
  return created;
}

interface TokenAnswer {
  data: { obtainToken: { payload: object; refreshToken: string } };
}

interface Documented {
  path: string;
  /** Without a name, its first one. */
  request(name?: string): Record<string, unknown>;
  answer(status: number, name: string): unknown;
}

/** The examples of an operation. */
function documented(operationId: string): Documented {
  const found = publishedOperations().find(({ operation }) => operation.operationId === operationId);
  if (found === undefined) {
    throw new Error(`Nothing is documented as ${operationId}`);
  }
  const { path, method, operation } = found;
  const requestBody = operation.requestBody as oas31.RequestBodyObject | undefined;
  const exampleOf = (content: oas31.ContentObject | undefined, name?: string) => {
    const examples = content?.['application/json']?.examples ?? {};
    const example = examples[name ?? Object.keys(examples)[0] ?? ''];
    if (example === undefined) {
      throw new Error(`${operationId} has no example ${name}`);
    }
    return resolve<oas31.ExampleObject>(example).value;
  };
  return {
    path: path.replace('/v1/data-import/', ''),
    request: (name) => exampleOf(requestBody?.content, name),
    answer: (status, name) => exampleOf(publishedResponse(path, method, status)?.content, name),
  };
}

function withExampleNumber(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(serviceAccountNumber, EXAMPLE_NUMBER));
}

/** Sends a documented request, changed or not, and expects a documented answer. */
async function expectExample(
  operationId: string,
  [request, change = {}, query = '']: [name: string, change?: Record<string, unknown>, query?: string],
  [status, answer]: [status: number, name: string],
): Promise<void> {
  const example = documented(operationId);
  const response = await supplier.post(example.path + query, { ...example.request(request), ...change });
  if (operationId === 'processAccount' && response.status === 201) {
    serviceAccountNumber = response.body.service_account_number;
  }
  expectAnswer(response, example, [status, answer]);
}

function expectAnswer({ status, body }: RestAnswer, example: Documented, [expected, name]: [number, string]): void {
  expect([status, withExampleNumber(body)]).toEqual([expected, example.answer(expected, name)]);
}

async function expectRead(
  operationId: string,
  values: Record<string, string>,
  answer: [number, string],
): Promise<void> {
  const example = documented(operationId);
  const path = example.path.replace(/\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '');
  expectAnswer(await supplier.get(path + (values.query ?? '')), example, answer);
}

const CODE = { import_supplier_code: 'NORTHWIND-2026' };
const ACCOUNT = { ...CODE, external_account_number: 'NW-0001482' };
const UNKNOWN = { external_account_number: 'NW-0009999' };

test('4.1 validate answers as documented: 200 with the validated data, defaults filled in', async () => {
  for (const name of ['household', 'smallest', 'unknown_occupier', 'with_history']) {
    await expectExample('validateAccount', [name], [200, name]);
  }
  const [customer] = documented('validateAccount').request('household').customers as object[];
  const customers = [{ ...customer, date_of_birth: '1984-02-30', landline: '0113' }];
  await expectExample('validateAccount', ['household', { customers }], [400, 'account_failed_validation']);
});

test('4.2 stage answers as documented', async () => {
  await expectExample('stageAccount', ['household'], [201, 'household']);
  await expectExample('stageAccount', ['household'], [200, 'household']);
  const paused = { import_supplier: other.paused.code };
  await expectExample('stageAccount', ['household', paused], [400, 'import_supplier_migration_not_ongoing']);
  const skipped = { code: other.skipping.code, external_account_number: 'NW-0001482' };
  await expectExample('stageAccount', ['smallest'], [201, 'smallest']);
  await other.skipping.stage({ external_account_number: 'NW-0001482' });
  await service.staff.accountImports.skip.mutate({ ...skipped, reason: 'Moved out' });
  const again = { import_supplier: other.skipping.code };
  await expectExample('stageAccount', ['household', again], [400, 'account_import_process_skipped']);
});

test('4.8 status of a staged account answers as documented', async () => {
  await expectRead('accountStatus', ACCOUNT, [200, 'unknown']);
});

test('4.2 4.3 process answers as documented, also with both numbers; staging refuses an account that is imported', async () => {
  await expectExample('processAccount', ['create', UNKNOWN], [400, 'import_process_does_not_exist']);
  const skipped = { import_supplier_code: other.skipping.code };
  await expectExample('processAccount', ['create', skipped], [400, 'account_import_process_skipped']);
  const team = { operations_team_name: 'Night shift' };
  await expectExample('processAccount', ['create', team], [400, 'operations_team_name_does_not_exist']);
  const paused = { import_supplier_code: other.paused.code };
  await expectExample('processAccount', ['create', paused], [400, 'import_supplier_migration_not_ongoing']);
  await expectExample('processAccount', ['dry_run'], [400, 'dry_run_rolled_back']);
  await expectExample('processAccount', ['create'], [201, 'create']);
  await expectExample('processAccount', ['create'], [400, 'account_import_process_already_imported']);
  await expectExample('stageAccount', ['household'], [400, 'account_import_process_already_imported']);
});

test('4.4 notes answer as documented', async () => {
  await expectExample('importNotes', ['notes', UNKNOWN], [404, 'account_not_found']);
  await expectExample('importNotes', ['notes'], [201, 'notes']);
  await expectExample('importNotes', ['notes'], [201, 'sent_again']);
});

test('4.5 transactions answer as documented', async () => {
  const strict = '?force_add_to_current_statement=false';
  const outside = 'transaction_outside_open_statement_period';
  await expectExample('importTransactions', ['outside_open_period', {}, strict], [400, outside]);
  await expectExample('importTransactions', ['charge_and_payment', UNKNOWN], [400, 'account_not_found']);
  for (const name of ['charge_and_payment', 'supply_charge', 'outside_open_period']) {
    await expectExample('importTransactions', [name], [201, name]);
  }
  await expectExample('importTransactions', ['charge_and_payment'], [201, 'sent_again']);
});

test('4.6 statements answer as documented', async () => {
  await expectExample('importStatements', ['example'], [201, 'example']);
  await expectExample('importStatements', ['example'], [201, 'example']);
  const [statement] = documented('importStatements').request('example').statements as object[];
  const dearer = { statements: [{ ...statement, gross_amount: 112.08 }] };
  await expectExample('importStatements', ['example', dearer], [400, 'historical_statement_already_exists']);
  await expectExample('importStatements', ['example', UNKNOWN], [400, 'account_not_found']);
});

test('4.7 payment instruction answers as documented', async () => {
  const unknown = { reference: 'pm_unknown' };
  await expectExample('importPaymentInstruction', ['example', unknown], [400, 'payment_vendor_rejected']);
  const down = { reference: 'pm_down' };
  await expectExample('importPaymentInstruction', ['example', down], [500, 'payment_vendor_unavailable']);
  await expectExample('importPaymentInstruction', ['example', UNKNOWN], [400, 'account_not_found']);
  await expectExample('importPaymentInstruction', ['example'], [201, 'example']);
  await expectExample('importPaymentInstruction', ['example'], [201, 'example']);
  await expectExample('importPaymentInstruction', ['example', unknown], [400, 'payment_instruction_already_active']);
});

test('4.8 to 4.11 status and lists answer as documented', async () => {
  await expectRead('accountStatus', ACCOUNT, [200, 'completed']);
  await expectRead('accountStatus', { ...ACCOUNT, ...UNKNOWN }, [404, 'account_not_found']);
  await expectRead('accountStatus', { ...ACCOUNT, external_account_number: '%C3' }, [404, 'not_found']);
  for (const list of ['listAccountImports', 'listPendingImports', 'listImportedAccounts']) {
    await expectRead(list, CODE, [200, 'example']);
    await expectRead(list, { import_supplier_code: 'NOBODY' }, [404, 'import_supplier_does_not_exist']);
  }
  await expectRead('accountStatus', { ...ACCOUNT, import_supplier_code: 'NOBODY' }, [
    404,
    'import_supplier_does_not_exist',
  ]);
});

test('4.16 what is stored is read back as documented', async () => {
  // The examples above were refused what the documented account was not.
  await service.database.prisma.accountImportRefusal.deleteMany();
  await expectRead('getAccount', ACCOUNT, [200, 'created']);
  await expectRead('getAccount', { ...ACCOUNT, external_account_number: 'NW-0001483' }, [200, 'staged']);
  const reads = ['listAccountNotes', 'listAccountTransactions', 'listAccountStatements', 'getPaymentInstruction'];
  for (const read of reads) await expectRead(read, ACCOUNT, [200, 'example']);
  for (const read of ['getAccount', ...reads]) {
    await expectRead(read, { ...ACCOUNT, ...UNKNOWN }, [404, 'account_not_found']);
    const foreign = { ...ACCOUNT, import_supplier_code: 'NOBODY' };
    await expectRead(read, foreign, [404, 'import_supplier_does_not_exist']);
  }
  const without = { ...ACCOUNT, external_account_number: 'NW-0001483' };
  await expectRead('getPaymentInstruction', without, [404, 'payment_instruction_not_found']);
});

/** Every operation that documents which of its own fields or parameters can be at fault. */
const FAULTS = publishedOperations().flatMap(({ path, method, operation }) => {
  const { operationId = '', parameters = [] } = operation;
  const { content } = publishedResponse(path, method, 400) ?? {};
  const example = content?.['application/json']?.examples?.request_failed_validation;
  const attr = (example as { value: ErrorBody } | undefined)?.value.errors[0]?.attr;
  return attr === undefined || attr === 'Idempotency-Key' ? [] : [{ operationId, method, attr, parameters }];
});

test.each(FAULTS)('7 $operationId refuses $attr as documented', async ({ operationId, method, attr, parameters }) => {
  const example = documented(operationId);
  const [values, query] = [new Map<string, string>(), new URLSearchParams()];
  for (const { in: place, name, schema, required } of parameters as oas31.ParameterObject[]) {
    const { examples = [], maximum = 0, maxLength = 0 } = (schema ?? {}) as oas31.SchemaObject;
    const tooLarge = maximum > 0 ? String(maximum + 1) : 'x'.repeat(maxLength + 1);
    const value = name === attr ? tooLarge : String(examples[0]);
    if (place === 'path') values.set(name, value);
    if (place === 'query' && (required || name === attr)) query.set(name, value);
  }
  const path = `${example.path.replace(/\{(\w+)\}/g, (_whole, name: string) => values.get(name) ?? '')}?${query}`;
  const ask = () =>
    method === 'get' ? supplier.get(path) : supplier.post(path, { ...example.request(), [attr]: undefined });
  expectAnswer(await ask(), example, [400, 'request_failed_validation']);
});

test('7 most operations document a fault of their own', () => {
  expect(FAULTS.length).toBeGreaterThan(publishedOperations().length / 2);
});

test('7 an unknown import supplier is refused as documented', async () => {
  const posts: [operationId: string, request: string][] = [
    ['validateAccount', 'household'],
    ['stageAccount', 'household'],
    ['processAccount', 'create'],
    ['importNotes', 'notes'],
    ['importTransactions', 'supply_charge'],
    ['importStatements', 'example'],
    ['importPaymentInstruction', 'example'],
  ];
  for (const [operationId, request] of posts) {
    const unknown = { [operationId === 'processAccount' ? 'import_supplier_code' : 'import_supplier']: 'NOBODY' };
    await expectExample(operationId, [request, unknown], [400, 'import_supplier_does_not_exist']);
  }
});

const number = (text: string) => `{"external_account_number": "${text}"}`;

test.each<[status: number, code: string, body: unknown, headers?: Record<string, string>]>([
  [400, 'invalid_json', '{"import_supplier": "NORTHWIND",}'],
  [400, 'not_an_object', []],
  [400, 'number_too_precise', '{"transactions": [{"amount": 99999999999.990001}]}'],
  [400, 'duplicate_key', '{"external_account_number": "1", "external_account_number": "2"}'],
  [400, 'forbidden_key', '{"__proto__": {}}'],
  [400, 'too_deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  [400, 'invalid_utf8', Buffer.from(number('\u00e4'), 'latin1')],
  [400, 'nul_character', number('\\u0000')],
  [400, 'lone_surrogate', number('\\ud800')],
  [413, 'payload_too_large', number('x'.repeat(10 * 1024 * 1024))],
  [415, 'unsupported_media_type', '{}', { 'Content-Type': 'text/plain' }],
])('13.1 answers %i %s as documented', async (status, code, body, headers) => {
  const example = documented('importNotes');
  expectAnswer(await supplier.post(example.path, body, headers), example, [status, code]);
});

test('13.1 another method is refused as documented', async () => {
  const example = documented('importNotes');
  expectAnswer(await supplier.get(example.path), example, [405, 'method_not_allowed']);
});

test('7 an Idempotency-Key that is used again is refused as documented', async () => {
  const example = documented('importNotes');
  const key = { 'Idempotency-Key': 'd0c5b1f7-3a86-4f0e-8a55-7c1e4f0b9d12' };
  const request = example.request('notes');
  expectAnswer(await supplier.post(example.path, request, key), example, [201, 'sent_again']);
  expectAnswer(await supplier.post(example.path, { ...request, ...UNKNOWN }, key), example, [
    422,
    'idempotency_key_reused',
  ]);
});

test('5 ObtainToken answers as documented', async () => {
  const { request, answer } = documented('obtainToken');
  const obtain = async (sent: unknown): Promise<TokenAnswer> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) };
    const response = await fetch(`${service.url}/v1/graphql/`, init);
    const body = (await response.json()) as TokenAnswer;
    const { status, headers } = response;
    assertDocumented({ method: 'POST', path: '/v1/graphql/', status, headers, body });
    return body;
  };
  const ask = (input: object) => obtain({ ...request('api_key'), variables: { input } });
  const shape = (body: TokenAnswer) =>
    [body.data.obtainToken, body.data.obtainToken.payload].map((part) => Object.keys(part).sort());

  const obtained = await ask({ APIKey: supplier.apiKey });
  expect(shape(obtained)).toEqual(shape(answer(200, 'token') as TokenAnswer));
  expect(obtained.data.obtainToken.payload).toMatchObject({ iat: Date.parse(NOW) / 1000 });
  const { refreshToken } = obtained.data.obtainToken;
  expect(await ask({ refreshToken })).toMatchObject({ data: { obtainToken: { token: expect.any(String) } } });

  expect(await obtain(request('api_key'))).toMatchObject(answer(200, 'CW-1101') as object);
  expect(await obtain(request('refresh_token'))).toMatchObject(answer(200, 'CW-1102') as object);
  expect(await ask({})).toMatchObject(answer(200, 'CW-1103') as object);
  expect(await obtain({})).toEqual(answer(400, 'CW-1001'));
});

test('5 a token that is missing, not good or expired is refused as documented', async () => {
  const example = documented('importNotes');
  const request = example.request('notes');
  expectAnswer(await restCalls(service.url).post(example.path, request), example, [401, 'not_authenticated']);
  const forged = restCalls(service.url, 'the-header.the-payload.the-signature');
  expectAnswer(await forged.post(example.path, request), example, [401, 'authentication_failed']);
  service.setTime('2026-04-17T10:31:00Z');
  expectAnswer(await supplier.post(example.path, request), example, [401, 'token_expired']);
});
