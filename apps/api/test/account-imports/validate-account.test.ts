import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

/** The day on which the service believes to be, as its own time zone has it. */
const TODAY = '2026-03-02';

let service: TestService;
let supplier: TestSupplier;
let french: TestSupplier;

beforeAll(async () => {
  service = await startTestService({ SERVICE_TIME_ZONE: 'Pacific/Auckland' });
  service.setTime('2026-03-01T12:30:00Z');
  supplier = await service.createSupplier();
  french = await service.createSupplier({ of: supplier, country: 'FR' });
});
afterAll(() => service.stop());

type Fields = Record<string, unknown>;

/** The smallest account, with these fields. */
function account(fields: Fields = {}, { code } = supplier): Fields {
  return { import_supplier: code, external_account_number: 'ACC-1', customers: [{ given_name: 'Zoë' }], ...fields };
}

const customer = (fields: Fields) => account({ customers: [{ given_name: 'Zoë', ...fields }] });
const address = (fields: Fields) =>
  account({
    supply_addresses: [
      {
        supply_address1: '12 Alder Row',
        supply_postcode: 'LS1 4AP',
        customer_at_supply_address_from_date: '2019-04-01',
        ...fields,
      },
    ],
  });
const meter = (fields: Fields) => address({ meter_points: [{ meters: [fields] }] });
const reading = (fields: Fields) => ({ register_id: '1', reading_date: '2026-01-01', reading_value: '1', ...fields });
const schedule = (fields: Fields) => account({ payment_schedules: [fields] });
const list = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));

async function problemsOf(payload: unknown, { post } = supplier): Promise<string[]> {
  const { status, body } = await post('validate-account/', payload);
  if (status === 200) return [];
  expect(status).toBe(400);
  expect(body.code).toBe('account_failed_validation');
  for (const error of body.errors) expect(error.detail).toMatch(/^\p{Lu}.*\.$/u);
  return body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);
}

describe('validating', () => {
  test.concurrent('4.1 answers 200 with the validated data, defaults filled in', async () => {
    const { account_type: _type, communication_preference: _preference, ...payload } = supplier.account();
    const { status, body } = await supplier.post('validate-account/', payload);
    expect(status).toBe(200);
    expect(body).toEqual({ ...payload, account_type: 'DOMESTIC', communication_preference: 'ONLINE' });
  });

  test.concurrent('4.1 answers the same over tRPC', async () => {
    await sameOverTrpc(supplier, 'validateAccount', { input: supplier.account() });
    await sameOverTrpc(supplier, 'validateAccount', { input: supplier.account({ foo: 1, customers: [{ bar: 1 }] }) });
    await sameOverTrpc(supplier, 'validateAccount', { input: customer({ landline: '1', mobile: null }) });
    await sameOverTrpc(supplier, 'validateAccount', { input: account({ import_supplier: 'NONE' }) });
    await sameOverTrpc(supplier, 'validateAccount', { input: {} });
  });

  test.concurrent('4.1 refuses a supplier that does not exist, and another organisation’s with the same answer', async () => {
    const { code } = await service.createSupplier();
    const [unknown, foreign] = await Promise.all(
      ['NEVER', code].map((import_supplier) => supplier.post('validate-account/', account({ import_supplier }))),
    );
    expect(unknown).toMatchObject({
      status: 400,
      body: { code: 'import_supplier_does_not_exist', errors: [{ attr: 'import_supplier' }] },
    });
    expect(foreign?.body).toEqual(unknown?.body);
  });
});

describe('the account payload', () => {
  test.concurrent.each<[string, () => unknown]>([
    ['the smallest account', () => account()],
    ['an unknown occupier without customers', () => account({ unknown_occupier: true, customers: undefined })],
    ['an unknown occupier with an empty list', () => account({ unknown_occupier: true, customers: [] })],
    ['the new style of a billing address', () => account({ billing_address: { country: 'NZ' } })],
    ['the legacy billing address', () => account({ billing_address1: 'Flat', billing_postcode: 'LS1 4AP' })],
    ['a billing name of 512 characters', () => account({ billing_name: 'ä'.repeat(512) })],
    [
      'references of 50 and 100 characters',
      () => account({ references: [{ namespace: 'n'.repeat(50), value: 'v'.repeat(100) }] }),
    ],
    ['a balance as a number', () => account({ transfer_balance: -48.2, last_statement_balance: 0 })],
    ['a balance of 11 digits and two decimals', () => account({ transfer_balance: '-99999999999.99' })],
    ['a last bill up to today in the service’s time zone', () => account({ last_billed_to_date: TODAY })],
    ['a leap day', () => account({ date_of_sale: '2024-02-29' })],
    ['50 customers', () => account({ customers: list(50, (index) => ({ family_name: `${index}` })) })],
    [
      '500 supply addresses',
      () => ({
        ...address({}),
        supply_addresses: list(500, (index) => ({
          supply_address1: `${index}`,
          supply_postcode: 'M1 1AE',
          customer_at_supply_address_from_date: '2019-04-01',
        })),
      }),
    ],
    ['100 of what is nested', () => customer({ psr: list(100, () => ({ code: '20' })) })],
    [
      'national and international phone numbers',
      () =>
        customer({
          mobile: '07700 900123',
          landline: '+64 9 123 4567',
          alternative_phone_numbers: ['(0113) 496-0999'],
        }),
    ],
    ['a birthday yesterday', () => customer({ date_of_birth: '2026-03-01' })],
    [
      'both kinds of deceased',
      () =>
        account({
          customers: [
            { family_name: 'A', deceased: 'Reported' },
            { family_name: 'B', deceased: 'Confirmed' },
          ],
        }),
    ],
    [
      'preferences of any topic',
      () => customer({ customer_preferences: { opted_into_sms: true, opted_into_post: false } }),
    ],
    [
      'an agreement that ends the day it starts',
      () =>
        address({
          meter_points: [
            { agreements: [{ tariff_code: 'T', effective_from: '2026-01-01', effective_to: '2026-01-01' }] },
          ],
        }),
    ],
    [
      'one register id on two meters',
      () =>
        address({
          meter_points: [{ meters: [{ registers: [{ register_id: '1' }] }, { registers: [{ register_id: '1' }] }] }],
        }),
    ],
    [
      'readings of seven decimals and leading zeros',
      () =>
        meter({ registers: [{ register_id: '1' }], reading_history: [reading({ reading_value: '000123.1234567' })] }),
    ],
    [
      'days of the month from 1 to 28',
      () => account({ payment_schedules: [{ day_of_month: 1 }, { day_of_month: 28 }] }),
    ],
    [
      'empty optional lists',
      () => account({ supply_addresses: [], payment_schedules: [], references: [], metadata: [] }),
    ],
  ])('2.10 takes %s', async (_name, payload) => {
    expect(await problemsOf(payload())).toEqual([]);
  });

  test.concurrent.each<[string, string, () => unknown]>([
    // account
    ['customers: required', 'neither customers nor an unknown occupier', () => account({ customers: undefined })],
    ['customers: empty', 'no customer', () => account({ customers: [] })],
    [
      'customers: required',
      'no customers and a known occupier',
      () => account({ customers: undefined, unknown_occupier: false }),
    ],
    [
      'customers: customer_with_unknown_occupier',
      'customers of an unknown occupier',
      () => account({ unknown_occupier: true }),
    ],
    ['customers: not_a_list', 'customers that are no list', () => account({ customers: { given_name: 'A' } })],
    [
      'customers: max_items',
      '51 customers, none of them looked at',
      () => account({ customers: list(51, () => ({ given_name: 'A', landline: '1' })) }),
    ],
    ['account_type: invalid_choice', 'another account type', () => account({ account_type: 'domestic' })],
    ['account_type: invalid_choice', 'a type that is not known', () => account({ account_type: 'LANDLORD' })],
    [
      'customers.0.alternative_phone_numbers.1.phone_number: invalid_phone_number',
      'a labelled number that is none',
      () => customer({ alternative_phone_numbers: ['07700 900123', { phone_number: '1', label: 'Daughter' }] }),
    ],
    [
      'supply_addresses.0.property_administrators.0.mobile: invalid_phone_number',
      'a landlord whose number is none',
      () => address({ property_administrators: [{ family_name: 'Marsh', mobile: '1' }] }),
    ],
    ['unknown_occupier: invalid', 'a boolean as text', () => account({ unknown_occupier: 'false' })],
    ['date_of_sale: invalid_date', 'a day that does not exist', () => account({ date_of_sale: '2026-02-29' })],
    ['date_of_sale: invalid_date', 'a date and time', () => account({ date_of_sale: '2026-02-28T00:00:00Z' })],
    [
      'date_of_sale: invalid_date',
      'a date in the order of another country',
      () => account({ date_of_sale: '28/02/2026' }),
    ],
    ['sales_channel: max_length', 'a sales channel of 51 characters', () => account({ sales_channel: 'x'.repeat(51) })],
    ['sales_subchannel: blank', 'a blank subchannel', () => account({ sales_subchannel: ' ' })],
    [
      'language_preference: invalid',
      'a language that is no tag',
      () => account({ language_preference: 'english please' }),
    ],
    [
      'communication_preference: invalid_choice',
      'another preference',
      () => account({ communication_preference: 'FAX' }),
    ],
    [
      'document_accessibility: invalid_choice',
      'another form of documents',
      () => account({ document_accessibility: 'BIG' }),
    ],
    [
      'references.0.namespace: max_length',
      'a namespace of 51 characters',
      () => account({ references: [{ namespace: 'n'.repeat(51), value: 'v' }] }),
    ],
    [
      'references.0.value: max_length',
      'a reference of 101 characters',
      () => account({ references: [{ namespace: 'n', value: 'v'.repeat(101) }] }),
    ],
    [
      'references.1.value: required',
      'a reference without its value',
      () => account({ references: [{ namespace: 'n', value: 'v' }, { namespace: 'n' }] }),
    ],
    ['metadata.0.key: required', 'metadata without a key', () => account({ metadata: [{ value: 'v' }] })],
    ['metadata.0: invalid', 'metadata that is no object', () => account({ metadata: ['wave 3'] })],
    // billing
    ['billing_name: max_length', 'a billing name of 513 characters', () => account({ billing_name: 'x'.repeat(513) })],
    ['billing_email: invalid_email', 'no e-mail address', () => account({ billing_email: 'zoe@' })],
    [
      'billing_address: billing_address_new_style_and_legacy',
      'both styles of a billing address',
      () => account({ billing_address: { country: 'GB' }, billing_address3: 'x' }),
    ],
    [
      'billing_address: billing_address_new_style_and_legacy',
      'a new address with a legacy postcode',
      () => account({ billing_address: { country: 'GB' }, billing_postcode: 'LS1 4AP' }),
    ],
    [
      'billing_address.country: required',
      'a billing address without a country',
      () => account({ billing_address: { locality: 'Leeds' } }),
    ],
    [
      'billing_address.country: invalid_country',
      'a country that is none',
      () => account({ billing_address: { country: 'UK' } }),
    ],
    [
      'billing_address.country: invalid_country',
      'a country in small letters',
      () => account({ billing_address: { country: 'gb' } }),
    ],
    ['billing_postcode: invalid_postcode', 'no postcode of the country', () => account({ billing_postcode: '75001' })],
    ['transfer_balance: max_decimal_places', 'a number of three decimals', () => account({ transfer_balance: 1.005 })],
    ['transfer_balance: max_value', 'a number of 12 digits', () => account({ transfer_balance: 1e11 })],
    ['transfer_balance: invalid', 'a balance that is neither', () => account({ transfer_balance: true })],
    [
      'transfer_balance: max_decimal_places',
      'a balance of three decimals',
      () => account({ transfer_balance: '1.234' }),
    ],
    ['transfer_balance: max_value', 'a balance of 12 digits', () => account({ transfer_balance: '100000000000' })],
    ['transfer_balance: invalid', 'a balance with a comma', () => account({ transfer_balance: '1,23' })],
    ['transfer_balance: invalid', 'a balance in powers of ten', () => account({ transfer_balance: '1e3' })],
    [
      'last_billed_to_date: date_in_future',
      'a last bill up to tomorrow',
      () => account({ last_billed_to_date: '2026-03-03' }),
    ],
    // customers
    [
      'customers.0.given_name: customer_name_not_found',
      'a customer without a name',
      () => account({ customers: [{ title: 'Ms' }] }),
    ],
    ['customers.0.title: max_length', 'a title of 21 characters', () => customer({ title: 'x'.repeat(21) })],
    [
      'customers.0.family_name: max_length',
      'a family name of 256 characters',
      () => customer({ family_name: 'x'.repeat(256) }),
    ],
    [
      'customers.0.email: max_length',
      'an e-mail address of 255 characters',
      () => customer({ email: `a@${'b.'.repeat(125)}com` }),
    ],
    [
      'customers.0.mobile: invalid_phone_number',
      'a mobile number that is too short',
      () => customer({ mobile: '0770' }),
    ],
    ['customers.0.landline: invalid_phone_number', 'a landline number that is none', () => customer({ landline: '1' })],
    [
      'customers.0.landline: max_length',
      'a landline number of 33 characters',
      () => customer({ landline: '+44 113 496 0999'.padEnd(33) }),
    ],
    [
      'customers.0.alternative_phone_numbers.1: invalid_phone_number',
      'another number that is none',
      () => customer({ alternative_phone_numbers: ['07700 900123', 'ask the neighbour'] }),
    ],
    [
      'customers.0.alternative_phone_numbers: max_items',
      '101 other numbers, none of them looked at',
      () => customer({ alternative_phone_numbers: list(101, () => '1') }),
    ],
    ['customers.0.date_of_birth: date_in_future', 'a birthday today', () => customer({ date_of_birth: TODAY })],
    ['customers.0.deceased: invalid_choice', 'deceased in another spelling', () => customer({ deceased: 'reported' })],
    [
      'customers.1.user_identifier: duplicate_user_identifier',
      'one identifier for two people',
      () =>
        account({
          customers: [
            { given_name: 'A', user_identifier: 'U' },
            { given_name: 'B', user_identifier: 'U' },
          ],
        }),
    ],
    [
      'customers.0.consents.0.value: invalid_choice',
      'a consent of another value',
      () => customer({ consents: [{ type: 'T', value: 'YES' }] }),
    ],
    [
      'customers.0.consents.0.signed_at: invalid_datetime',
      'a moment that is not in UTC',
      () => customer({ consents: [{ type: 'T', value: 'ACCEPTED', signed_at: '2024-03-09T14:05:00+01:00' }] }),
    ],
    [
      'customers.0.customer_preferences.opted_into_sms: invalid',
      'a preference as text',
      () => customer({ customer_preferences: { opted_into_sms: 'yes' } }),
    ],
    [
      'customers.0.psr.0.code: required',
      'a need without its code',
      () => customer({ psr: [{ effective_from: '2021-11-02' }] }),
    ],
    // supply addresses
    ['supply_addresses: max_items', '501 supply addresses', () => account({ supply_addresses: list(501, () => ({})) })],
    [
      'supply_addresses.0.supply_address1: required',
      'a supply address without its first line',
      () => address({ supply_address1: undefined }),
    ],
    [
      'supply_addresses.0.supply_postcode: required',
      'a supply address without its postcode',
      () => address({ supply_postcode: undefined }),
    ],
    [
      'supply_addresses.0.customer_at_supply_address_from_date: required',
      'a supply address without its first day',
      () => address({ customer_at_supply_address_from_date: undefined }),
    ],
    [
      'supply_addresses.0.supply_postcode: invalid_postcode',
      'no postcode of the country',
      () => address({ supply_postcode: '75001' }),
    ],
    [
      'supply_addresses.0.supply_postcode: invalid_postcode',
      'no postcode of any',
      () => address({ supply_postcode: '!!' }),
    ],
    [
      'supply_addresses.0.customer_at_supply_address_from_date: start_date_later_than_end_date',
      'a customer who left before arriving',
      () => address({ customer_at_supply_address_to_date: '2019-03-31' }),
    ],
    ['supply_addresses.0.is_landlord: invalid', 'a number for a boolean', () => address({ is_landlord: 0 })],
    [
      'supply_addresses.0.meter_points.0.supply_type: invalid_choice',
      'another supply type',
      () => address({ meter_points: [{ supply_type: 'WATER' }] }),
    ],
    [
      'supply_addresses.0.meter_points.0.agreements.0.effective_from: start_date_later_than_end_date',
      'an agreement that ends before it starts',
      () =>
        address({
          meter_points: [
            { agreements: [{ tariff_code: 'T', effective_from: '2026-01-02', effective_to: '2026-01-01' }] },
          ],
        }),
    ],
    [
      'supply_addresses.0.meter_points.0.agreements.0.tariff_code: required',
      'an agreement without a tariff',
      () => address({ meter_points: [{ agreements: [{ effective_from: '2026-01-02' }] }] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.registers.1.register_id: meter_with_duplicate_register_ids',
      'two registers of one name',
      () => meter({ registers: [{ register_id: '1' }, { register_id: '1' }] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.registers.0.number_of_digits: invalid',
      'half a digit',
      () => meter({ registers: [{ register_id: '1', number_of_digits: 5.5 }] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.transfer_readings.0.register_id: reading_register_id_not_recognised',
      'a transfer reading of no register',
      () => meter({ transfer_readings: [reading({})] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.reading_history.0.register_id: reading_register_id_not_recognised',
      'an earlier reading of another register',
      () => meter({ registers: [{ register_id: '2' }], reading_history: [reading({})] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.reading_history.0.reading_value: max_decimal_places',
      'a reading of eight decimals',
      () => meter({ registers: [{ register_id: '1' }], reading_history: [reading({ reading_value: '1.12345678' })] }),
    ],
    [
      'supply_addresses.0.meter_points.0.meters.0.reading_history.0.reading_value: invalid',
      'a reading below zero',
      () => meter({ registers: [{ register_id: '1' }], reading_history: [reading({ reading_value: '-1' })] }),
    ],
    // payment schedules
    ['payment_schedules.0.means: invalid_choice', 'another means', () => schedule({ means: 'CASH' })],
    ['payment_schedules.0.day_of_month: max_value', 'the 29th', () => schedule({ day_of_month: 29 })],
    ['payment_schedules.0.day_of_month: min_value', 'day 0', () => schedule({ day_of_month: 0 })],
    ['payment_schedules.0.day_of_month: invalid', 'a number as text', () => schedule({ day_of_month: '12' })],
    ['payment_schedules.0.day_of_month: invalid', 'half a day', () => schedule({ day_of_month: 1.5 })],
    ['payment_schedules.0.amount: min_value', 'an amount below zero', () => schedule({ amount: -0.01 })],
    ['payment_schedules.0.amount: max_decimal_places', 'a tenth of a penny', () => schedule({ amount: 0.001 })],
    ['payment_schedules.0.amount: max_value', '10 to the 11th', () => schedule({ amount: 100_000_000_000 })],
    [
      'payment_schedules.0.start_date: start_date_later_than_end_date',
      'a schedule that ends before it starts',
      () => schedule({ start_date: '2026-01-02', end_date: '2026-01-01' }),
    ],
  ])('2.10 refuses with %s: %s', async (problem, _name, payload) => {
    expect(await problemsOf(payload())).toEqual([problem]);
  });

  test.concurrent('2.10.21 the setting of an import supplier adds account types, for it alone', async () => {
    const own = await service.createSupplier({ account_types: ['LANDLORD'] });
    expect(await problemsOf(account({ account_type: 'LANDLORD' }, own), own)).toEqual([]);
    expect(await problemsOf(account({ account_type: 'LANDLORD' }))).toEqual(['account_type: invalid_choice']);
    for (const account_type of ['BUSINESS_VACANT', 'DOMESTIC_VACANT', 'DOMESTIC_OCCUPIER', 'BUSINESS_OCCUPIER']) {
      expect(await problemsOf(account({ account_type }))).toEqual([]);
    }
  });

  test.concurrent('2.10 judges phone numbers and postcodes by the country of the import supplier', async () => {
    const numbers = { mobile: '06 12 34 56 78', landline: '01 70 18 99 00' };
    const payload = {
      ...account({ billing_postcode: '75001', customers: [{ given_name: 'Zoé', ...numbers }] }, french),
    };
    expect(await problemsOf(payload, french)).toEqual([]);
    const british = account({ customers: [{ given_name: 'Zoë', landline: '0113 496 0999' }] });
    expect(await problemsOf(british)).toEqual([]);
    expect(await problemsOf({ ...british, import_supplier: french.code }, french)).toEqual([
      'customers.0.landline: invalid_phone_number',
    ]);
    // A field of another endpoint's does not choose the country.
    expect(await problemsOf({ ...payload, import_supplier_code: supplier.code }, french)).toEqual([]);
    expect(await problemsOf({ ...customer({ landline: '1' }), import_supplier_code: 7 })).toEqual([
      'customers.0.landline: invalid_phone_number',
    ]);
  });

  test.concurrent.each([
    ['billing_name', () => account({ billing_name: null })],
    ['unknown_occupier', () => account({ unknown_occupier: null })],
    ['supply_addresses', () => account({ supply_addresses: null })],
    ['billing_address', () => account({ billing_address: null })],
    ['customers.0.date_of_birth', () => customer({ date_of_birth: null })],
    ['customers.0.consents.0', () => customer({ consents: [null] })],
    ['payment_schedules.0.amount', () => schedule({ amount: null })],
    ['transfer_balance', () => account({ transfer_balance: null })],
  ])('2.2 refuses an optional field sent as null: %s', async (attr, payload) => {
    expect(await problemsOf(payload())).toEqual([`${attr}: null`]);
  });

  test.concurrent.each([
    '2026-2-03',
    '2026-02-30',
    '2100-02-29',
    '1899-12-31',
    '2201-01-01',
    '0000-00-00',
    '26-02-03',
    '20260203',
    '2026-02-03 ',
    '٢٠٢٦-٠٢-٠٣',
    '',
    'today',
  ])('2.2 refuses %j as a date', async (date_of_sale) => {
    expect(await problemsOf(account({ date_of_sale }))).toEqual(['date_of_sale: invalid_date']);
  });

  test.concurrent.each(['1900-01-01', '2200-12-31', '2000-02-29', '2026-12-31'])(
    '2.2 takes %j as a date',
    async (date_of_sale) => {
      expect(await problemsOf(account({ date_of_sale }))).toEqual([]);
    },
  );

  test.concurrent.each([
    '2026-02-03T00:00:00',
    '2026-02-03T24:00:00Z',
    '2026-02-03T23:59:60Z',
    '2026-02-03T00:00:00.000Z',
    '2026-02-03 00:00:00Z',
    '2026-02-03T00:00:00z',
    '2026-02-30T00:00:00Z',
    '2026-02-03',
  ])('2.2 refuses %j as a moment', async (signed_at) => {
    const payload = customer({ consents: [{ type: 'T', value: 'ACCEPTED', signed_at }] });
    expect(await problemsOf(payload)).toEqual(['customers.0.consents.0.signed_at: invalid_datetime']);
  });
});

describe('what a refusal tells', () => {
  test.concurrent('7.2 names all problems at once, phone numbers together with the schema’s', async () => {
    const payload = account({
      account_type: 'X',
      billing_name: null,
      customers: [
        { landline: '1', email: 'x', consents: [{}] },
        { given_name: 'A', mobile: 'no' },
      ],
      supply_addresses: [{ supply_postcode: '1' }],
      last_billed_to_date: '2199-01-01',
    });
    const { status, body } = await supplier.post('validate-account/', payload);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['detail', 'code', 'errors', 'documentation_url']);
    const problems = body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);
    expect(problems.sort()).toEqual(
      [
        'account_type: invalid_choice',
        'billing_name: null',
        'customers.0.consents.0.type: required',
        'customers.0.consents.0.value: required',
        'customers.0.email: invalid_email',
        'customers.0.given_name: customer_name_not_found',
        'customers.0.landline: invalid_phone_number',
        'customers.1.mobile: invalid_phone_number',
        'last_billed_to_date: date_in_future',
        'supply_addresses.0.customer_at_supply_address_from_date: required',
        'supply_addresses.0.supply_address1: required',
        'supply_addresses.0.supply_postcode: invalid_postcode',
      ].sort(),
    );
  });

  test.concurrent('7.2 names at most 100', async () => {
    const people = list(50, () => ({ given_name: 'A', alternative_phone_numbers: list(100, () => 'no') }));
    expect(await problemsOf(account({ customers: people }))).toHaveLength(100);
    expect(
      await problemsOf(account({ customers: people, account_type: 1, references: list(100, () => 1) })),
    ).toHaveLength(100);
  });

  test.concurrent('7.2 repeats nothing of what was sent', async () => {
    const secret = 'secret-9f8e7d';
    const { body } = await supplier.post(
      'validate-account/',
      customer({ email: secret, mobile: secret, deceased: secret }),
    );
    expect(body.errors).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});

test('4.1 stores nothing whatever, of a good account and of a bad one', async () => {
  const before = await allRows(service.database);
  await supplier.post('validate-account/', supplier.account());
  await supplier.post('validate-account/', account({ customers: [] }));
  expect(await allRows(service.database)).toEqual(before);
});
