import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const placesOf = (errors: { attr: string; code: string }[]) => errors.map(({ attr, code }) => [attr, code]);

test('7.2 an account that fails validation is 400 with detail, code and errors, each with detail, code and attr', async () => {
  const customers = [{ family_name: 'Good' }, { family_name: 'Bad', landline: '123' }];
  for (const path of ['validate-account/', 'account-import-process/create-or-update/']) {
    const { status, body } = await supplier.post(path, supplier.account({ customers }));
    expect(status).toBe(400);
    expect(body).toEqual({
      detail: expect.stringMatching(/\S/),
      code: 'account_failed_validation',
      errors: [{ detail: expect.stringMatching(/\S/), code: 'invalid_phone_number', attr: 'customers.1.landline' }],
      documentation_url: '/docs/errors#account_failed_validation',
    });
  }
});

test('7.2 attr is a dotted path of field names and zero-based indexes, at every depth', async () => {
  const meters = [{ registers: [{}] }];
  const meter_points = [{ identifier: '1' }, { supply_type: 'WATER', meters }];
  const { body } = await supplier.post('validate-account/', supplier.account({ supply_addresses: [{ meter_points }] }));
  expect(placesOf(body.errors)).toEqual(
    expect.arrayContaining([
      ['supply_addresses.0.supply_postcode', 'required'],
      ['supply_addresses.0.meter_points.1.supply_type', 'invalid_choice'],
      ['supply_addresses.0.meter_points.1.meters.0.registers.0.register_id', 'required'],
    ]),
  );
});

test('2.2 an optional object or list that is supplied needs its required fields, and its own optional ones to be valid', async () => {
  const good = supplier.account();
  const refused = async (overrides: object) => {
    const { status, body } = await supplier.post('validate-account/', { ...good, ...overrides });
    expect(status).toBe(400);
    return placesOf(body.errors);
  };
  const legacy = Object.fromEntries(
    Object.keys(good)
      .filter((key) => /^billing_(?:a|p)/.test(key))
      .map((key) => [key, undefined]),
  );
  expect(await refused({ ...legacy, billing_address: {} })).toEqual([['billing_address.country', 'required']]);
  expect(await refused({ ...legacy, billing_address: { country: 'GB', locality: 5 } })).toEqual([
    ['billing_address.locality', 'invalid'],
  ]);
  expect(await refused({ references: [{ namespace: 'crm' }] })).toEqual([['references.0.value', 'required']]);
  expect(await refused({ payment_schedules: [{ day_of_month: 29 }] })).toEqual(
    expect.arrayContaining([['payment_schedules.0.day_of_month', 'max_value']]),
  );
});

test('2.1 import_supplier is part of each payload: without it nothing is taken', async () => {
  const { reference } = await supplier.importAccount();
  const { import_supplier: _code, ...nameless } = reference;
  const { import_supplier: _own, ...account } = supplier.account();
  const { import_supplier_code: _named, ...processing } = supplier.processRequest('ANY');
  const calls: [string, Record<string, unknown>, string][] = [
    ['validate-account/', account, 'import_supplier'],
    ['account-import-process/create-or-update/', account, 'import_supplier'],
    ['account-import-process/process/', processing, 'import_supplier_code'],
    ['notes/create/', { ...nameless, notes: [{ body: 'x' }] }, 'import_supplier'],
    ['transactions/create/', { ...nameless, transactions: [] }, 'import_supplier'],
    ['historical-statements/create/', { ...nameless, statements: [] }, 'import_supplier'],
    ['payment-instruction/create/', { ...nameless, vendor: 'SANDBOX' }, 'import_supplier'],
  ];
  for (const [path, body, attr] of calls) {
    const answer = await supplier.post(path, body);
    expect([path, answer.status]).toEqual([path, 400]);
    expect(placesOf(answer.body.errors)).toContainEqual([attr, 'required']);
  }
});
