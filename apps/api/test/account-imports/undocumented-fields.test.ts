import { accountImportId } from '@causeway/domain';
import { describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const STAGE = 'account-import-process/create-or-update/';
/** The value that every undocumented field of this file has, to look for it in the database. */
const STRAY = 'stray-5d1c07';

const service = await serviceOfFile();
const lenient = await service.createSupplier();
const strict = await service.createSupplier({ of: lenient, reject_undocumented_fields: true });

/** A documented account with an undocumented field at every depth. */
function strayAccount({ account, code }: TestSupplier) {
  return account({
    nickname: STRAY,
    import_supplier_code: code,
    service_account_number: STRAY,
    customers: [{ given_name: 'Zoë', nick: STRAY, customer_preferences: { opted_into_sms: true, sms: STRAY } }],
    billing_address1: undefined,
    billing_address2: undefined,
    billing_address4: undefined,
    billing_postcode: undefined,
    billing_address: { country: 'GB', planet: { name: STRAY } },
    supply_addresses: [
      {
        supply_address1: 'x',
        supply_postcode: 'M1 1AE',
        customer_at_supply_address_from_date: '2019-04-01',
        meter_points: [{ meters: [{ registers: [{ register_id: '1', [STRAY]: 1 }] }] }],
      },
    ],
  });
}

const STRAY_FIELDS = [
  'nickname',
  'import_supplier_code',
  'service_account_number',
  'customers.0.nick',
  'customers.0.customer_preferences.sms',
  'billing_address.planet',
  `supply_addresses.0.meter_points.0.meters.0.registers.0.${STRAY}`,
];

/** The names of the header: where a list is, its index is folded, and the field is counted. */
const STRAY_NAMES = [
  'nickname',
  'import_supplier_code',
  'service_account_number',
  'customers.*.nick;count=1',
  'customers.*.customer_preferences.sms;count=1',
  'billing_address.planet',
  `supply_addresses.*.meter_points.*.meters.*.registers.*.${STRAY};count=1`,
];

const namesIn = (headers: Headers) => headers.get('undocumented-fields')?.split(', ');
const attrsOf = (body: { errors: { attr: string; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr}: ${code}`);

describe('undocumented fields', () => {
  test.concurrent('2.2 are ignored and named in a header, at every depth', async () => {
    const account = strayAccount(lenient);
    const answers = [await lenient.post('validate-account/', account), await lenient.post(STAGE, account)];
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
    for (const { headers } of answers) expect(namesIn(headers)?.sort()).toEqual([...STRAY_NAMES].sort());
    expect(JSON.stringify(answers[0]?.body)).not.toContain(STRAY);
  });

  test.concurrent('2.2 are named in other requests and in the query too', async () => {
    const number = await lenient.stage();
    const answers = [
      await lenient.post('account-import-process/process/?trace=1', { ...lenient.processRequest(number), why: 1 }),
      await lenient.get(`all-account-import-processes/${lenient.code}/?limit=1&page=2&page=3`),
      await lenient.post('notes/create/', {
        import_supplier: lenient.code,
        external_account_number: number,
        notes: [{ body: 'x', colour: 'red' }],
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 201]);
    expect(answers.map(({ headers }) => namesIn(headers))).toEqual([
      ['trace', 'why'],
      ['page'],
      ['notes.*.colour;count=1'],
    ]);
  });

  test.concurrent('2.2 are named so that a header can carry them, whatever they are called', async () => {
    const names = {
      'a, b': 1,
      'a%0Db': 1,
      'ü\u2028Set-Cookie: x=1': 1,
      日本: 1,
      '': 1,
      constructor: 1,
      toString: 1,
    };
    const { status, headers } = await lenient.post('validate-account/', { ...lenient.account(), ...names });
    expect(status).toBe(200);
    expect(headers.has('set-cookie')).toBe(false);
    const shown = headers.get('undocumented-fields')?.split(', ') ?? [];
    expect(shown.map(decodeURIComponent).sort()).toEqual(Object.keys(names).sort());
    const thousands = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]),
    );
    const many = await lenient.post('validate-account/', { ...lenient.account(), ...thousands });
    expect(many.status).toBe(200);
    const named = namesIn(many.headers) ?? [];
    expect(named.at(-1)).toBe(`...;count=${5_000 - (named.length - 1)}`);
  });

  test.concurrent('2.2.9 are folded over the items of a list and counted, and known apart from what is named like it', async () => {
    const { reference } = await lenient.importAccount();
    const transactions = Array.from({ length: 250 }, (_, index) => ({
      ...{ transaction_id: `T-${index}`, transaction_date: '2026-04-05', type: 'CREDIT', amount: 1, reason: 'X' },
      ...(index % 2 === 0 && { channel: 'web' }),
      line_items: [],
    }));
    const { status, headers } = await lenient.post('transactions/create/', { ...reference, transactions, '*': 1 });
    expect(status).toBe(201);
    expect(namesIn(headers)?.sort()).toEqual([
      '*',
      'transactions.*.channel;count=125',
      'transactions.*.line_items;count=250',
    ]);
  });

  test.concurrent('2.2.10 leave room for the other headers in the 4 kB that a proxy reads', async () => {
    const strays = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'stray_'.repeat(5)}${index}`, 1]));
    const { headers } = await lenient.post('validate-account/', lenient.account({ customers: [strays] }));
    const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    expect(namesIn(headers)?.length).toBeGreaterThan(50);
    expect(head.length).toBeLessThan(3_600);
  });

  test.concurrent('2.2.10 end with the count of those that are not named', async () => {
    const customers = Array.from({ length: 50 }, (_, one) => ({
      given_name: 'A',
      ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${one % 5}_${index}`, 1])),
    }));
    const { headers } = await lenient.post('validate-account/', lenient.account({ customers, '...': 1, 'a b;(c)': 1 }));
    const named = namesIn(headers) ?? [];
    expect(named).toHaveLength(101);
    expect(named).toContain('customers.*.s0_0;count=10');
    expect(named.every((name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(;count=\d+)?$/.test(name))).toBe(true);
    const counts = named.map((name) => Number(/;count=(\d+)$/.exec(name)?.[1] ?? 1));
    expect(counts.reduce((sum, count) => sum + count)).toBe(50 * 30 + 2);
    expect(named.at(-1)).toMatch(/^\.\.\.;count=\d+$/);
  });

  test.concurrent('2.2.10 are counted to a bound; beyond it the header ends without a count', async () => {
    const { reference } = await lenient.importAccount();
    const stray = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`stray_${index}`, 1]));
    const charge = { transaction_id: 'T', transaction_date: '2026-04-05', type: 'CREDIT', amount: 1, reason: 'X' };
    const transactions = new Array(10_000).fill({ ...charge, ...stray });
    const { headers } = await lenient.post('transactions/create/', { ...reference, transactions });
    const named = namesIn(headers) ?? [];
    expect(named).toHaveLength(12);
    expect(named.at(-1)).toBe('...');
  });

  test.concurrent('2.2 are refused, each by name, where the supplier is configured so', async () => {
    const account = strayAccount(strict);
    for (const path of ['validate-account/', STAGE]) {
      const { status, body, headers } = await strict.post(path, account);
      expect(status).toBe(400);
      expect(body.code).toBe('account_failed_validation');
      expect(attrsOf(body).sort()).toEqual(STRAY_FIELDS.map((name) => `${name}: undocumented_field`).sort());
      expect(namesIn(headers)?.sort()).toEqual([...STRAY_NAMES].sort());
    }
    const id = accountImportId(strict.code, account.external_account_number);
    expect(await service.database.prisma.accountImport.count({ where: { id } })).toBe(0);
    expect((await strict.post(STAGE, strict.account())).status).toBe(201);
  });

  test.concurrent('7.2 names them together with all other problems, phone numbers included', async () => {
    const { body } = await strict.post('validate-account/', {
      ...strict.account({ foo: 1, account_type: null, customers: [{ given_name: 'A', landline: '1', bar: 1 }] }),
      external_account_number: undefined,
    });
    expect(attrsOf(body).sort()).toEqual(
      [
        'foo: undocumented_field',
        'account_type: null',
        'customers.0.landline: invalid_phone_number',
        'customers.0.bar: undocumented_field',
        'external_account_number: required',
      ].sort(),
    );
  });

  test.concurrent('2.2 are refused in every request and in the query of such a supplier', async () => {
    const number = await strict.stage();
    const process = 'account-import-process/process/';
    const calls = [
      strict.post(process, { ...strict.processRequest(number), foo: 1 }),
      strict.post(`${process}?foo=1`, strict.processRequest(number)),
      strict.get(`all-account-import-processes/${strict.code}/?foo=1`),
    ];
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(400);
      expect(body.code).toBe('request_failed_validation');
      expect(attrsOf(body)).toEqual(['foo: undocumented_field']);
    }
    expect((await strict.post(process, strict.processRequest(number))).status).toBe(201);
  });

  test.concurrent("2.2 cannot be slipped past such a supplier by naming another one's code", async () => {
    const smuggled = { ...strict.account({ foo: 1 }), import_supplier_code: lenient.code };
    const { status, body } = await strict.post(STAGE, smuggled);
    expect(status).toBe(400);
    expect(attrsOf(body).sort()).toEqual(['foo: undocumented_field', 'import_supplier_code: undocumented_field']);
  });

  test.concurrent('2.2 get the same answer over tRPC', async () => {
    for (const supplier of [lenient, strict]) {
      const request = supplier.processRequest('none');
      await sameOverTrpc(supplier, 'validateAccount', { input: strayAccount(supplier) });
      await sameOverTrpc(supplier, 'processAccount', { input: { ...request, foo: 1 } });
    }
    // The calls of one batch are not blamed for each other's fields.
    const calls = [{ ...strict.account(), foo: 1 }, strict.account()];
    const results = await Promise.allSettled(
      calls.map((account) => strict.trpc.dataImport.validateAccount.mutate(account)),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});

// Not concurrent: it reads every table.
test('9 whatever is sent, no undocumented field reaches the database', async () => {
  const account = strayAccount(lenient);
  expect((await lenient.post(STAGE, account)).status).toBe(201);
  const request = { ...lenient.processRequest(account.external_account_number), foo: STRAY, [STRAY]: 1 };
  expect((await lenient.post('account-import-process/process/', request)).status).toBe(201);
  await lenient.post('account-import-process/process/', { ...request, operations_team_name: 'none' });
  await lenient.post('notes/create/', {
    import_supplier: lenient.code,
    external_account_number: account.external_account_number,
    notes: [{ body: 'x', [STRAY]: STRAY, document_paths: [{ document_path: 'a/b.pdf', [STRAY]: STRAY }] }],
  });
  expect(JSON.stringify(await allRows(service.database, { refusals: true }))).not.toContain(STRAY);
});
