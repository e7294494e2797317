import { describe, expect, test } from 'vitest';
import { AccountPayload, LIMITS, undocumentedFields } from '../src/index.ts';
import { account, accountProblems, accountWithMeter, problems, supplyAddress } from './support.ts';

const check = (fields: Record<string, unknown>) => accountProblems(fields);
const address = (fields: Record<string, unknown>) => check({ supply_addresses: [{ ...supplyAddress, ...fields }] });
const customer = (fields: Record<string, unknown>) => check({ customers: [{ given_name: 'A', ...fields }] });
const METER = 'supply_addresses.0.meter_points.0.meters.0';
const reading = { reading_date: '2026-02-28', reading_value: '1' };

describe('the meters of an account', () => {
  test('2.10.11 a reading needs no register where the meter lists none, as gas meters do', () => {
    const meter = (fields: Record<string, unknown>) => problems(AccountPayload, accountWithMeter(fields));
    expect(meter({ transfer_readings: [reading], reading_history: [reading] })).toEqual([]);
    expect(meter({ registers: [], transfer_readings: [reading] })).toEqual([]);
    expect(meter({ registers: [{ register_id: '1' }], transfer_readings: [reading] })).toEqual([
      `${METER}.transfer_readings.0.register_id: required`,
    ]);
    expect(meter({ registers: [{ register_id: '1' }], reading_history: [{ ...reading, register_id: '1' }] })).toEqual(
      [],
    );
  });

  test('2.10.12 a meter has up to 10,000 readings and registers, and a meter point as many agreements', () => {
    const registers = Array.from({ length: 10_000 }, (_, index) => ({ register_id: String(index) }));
    const readings = registers.map(({ register_id }) => ({ ...reading, register_id }));
    const point = (fields: Record<string, unknown>) => address({ meter_points: [fields] });
    const meter = { registers, transfer_readings: readings, reading_history: readings };
    const agreements = new Array(10_000).fill({ tariff_code: 'T', effective_from: '2026-01-01' });
    expect(point({ agreements, meters: [meter] })).toEqual([]);
    for (const [list, [item]] of Object.entries(meter)) {
      const found = point({ meters: [{ [list]: new Array(10_001).fill(item) }] });
      expect(found).toContain(`${METER}.${list}: max_items`);
    }
    expect(point({ agreements: [...agreements, agreements[0]] })).toEqual([
      'supply_addresses.0.meter_points.0.agreements: max_items',
    ]);
  });

  test('2.10.12 a long list in which everything is wrong stops where enough is found', () => {
    const readings = new Array(10_000).fill({ ...reading, register_id: 'x' });
    const meters = new Array(100).fill({ registers: [{ register_id: '1' }], reading_history: readings });
    const sent = account({ supply_addresses: [{ ...supplyAddress, meter_points: [{ meters }] }] });
    const found = problems(AccountPayload, sent);
    expect(found).toHaveLength(100);
    expect(found.at(-1)).toBe(`${METER}.reading_history.99.register_id: reading_register_id_not_recognised`);
    expect(AccountPayload.safeParse(sent).error?.issues.length).toBe(LIMITS.counted_errors);
  });

  test('2.2.6 a reading is a decimal string or a number, with the same limits', () => {
    const value = (reading_value: unknown) =>
      problems(AccountPayload, accountWithMeter({ reading_history: [{ ...reading, reading_value }] })).map((problem) =>
        problem.replace(/^.*: /, ''),
      );
    for (const good of ['04821.5', 4821.5, 0, 999_999_999_999, 0.1234567]) expect(value(good)).toEqual([]);
    expect([-1, 1e12, 0.12345678, true, null].flatMap(value)).toEqual([
      'min_value',
      'max_value',
      'max_decimal_places',
      'invalid',
      'null',
    ]);
    expect(['-1', '1'.repeat(13), '0.12345678', ''].flatMap(value)).toEqual([
      'min_value',
      'max_value',
      'max_decimal_places',
      'invalid',
    ]);
  });

  const at = (reading_at: string) => ({ reading_history: [{ ...reading, reading_at }] });
  const both = {
    registers: [
      { register_id: 'N', direction: 'BOTH' },
      { register_id: '1', direction: 'EXPORT' },
    ],
  };
  const day = (values: unknown[], fields: object = {}) => ({
    interval_readings: [{ start: '2026-02-28T00:00:00Z', minutes: 30, values, ...fields }],
  });
  test.each<[Record<string, unknown>, string[]]>([
    [at('2026-02-28T23:30:00Z'), []],
    [at('2026-02-27T10:00:00Z'), []],
    [at('2026-03-02T00:00:00Z'), ['reading_history.0.reading_at: contradicts_another_field']],
    [at('2026-02-28 23:30'), ['reading_history.0.reading_at: invalid_datetime']],
    [{ ...both, transfer_readings: [{ ...reading, register_id: 'N', reading_value: '-0012.5' }] }, []],
    [{ ...both, transfer_readings: [{ ...reading, register_id: 'N', reading_value: -12.5 }] }, []],
    [
      { ...both, transfer_readings: [{ ...reading, register_id: '1', reading_value: -12.5 }] },
      ['transfer_readings.0.reading_value: min_value'],
    ],
    [{ registers: [{ register_id: '1', unit: 'm³', multiplier: '0.1' }] }, []],
    [{ registers: [{ register_id: '1', multiplier: 0 }] }, ['registers.0.multiplier: min_value']],
    [day(new Array(10_000).fill(-0.21)), []],
    [day(new Array(10_001).fill(0.21)), ['interval_readings.0.values: max_items']],
    [day([1], { minutes: 0 }), ['interval_readings.0.minutes: min_value']],
    [{ ...both, ...day([1]) }, ['interval_readings.0.register_id: required']],
    [
      { ...both, ...day([1], { register_id: '2' }) },
      ['interval_readings.0.register_id: reading_register_id_not_recognised'],
    ],
  ])('2.10.27 2.10.28 moments, directions and intervals of readings: case %#', (meter, found) => {
    expect(problems(AccountPayload, accountWithMeter(meter))).toEqual(found.map((problem) => `${METER}.${problem}`));
  });

  test('2.10.28 water, heat and export are meter points', () => {
    for (const supply_type of ['WATER', 'HEAT']) expect(address({ meter_points: [{ supply_type }] })).toEqual([]);
    expect(address({ meter_points: [{ supply_type: 'ELECTRICITY', direction: 'EXPORT' }] })).toEqual([]);
  });

  test('2.10.13 a meter point may be named by its mpxn, and not by two numbers', () => {
    expect(address({ meter_points: [{ mpxn: '1' }, { identifier: '2', mpxn: '2' }] })).toEqual([]);
  });
});

describe('a company', () => {
  test.each([
    [{ business: { name: 'Hartley Bakeries Ltd' }, customers: undefined }, []],
    [{ business: { name: 'Hartley Bakeries Ltd' }, customers: [] }, []],
    [{ business: { company_number: '08812345' }, customers: undefined }, ['customers: required']],
    [{ business: { company_number: '08812345' }, customers: [] }, ['customers: empty']],
    [{ business: { name: ' ' }, customers: undefined }, ['business.name: blank']],
    [{ customers: [{ company_name: 'Hartley Bakeries Ltd' }] }, []],
    [{ customers: [{ title: 'Ms' }] }, ['customers.0.given_name: customer_name_not_found']],
  ])('2.10.1 2.10.3 needs no person: %j', (fields, found) => {
    expect(check(fields)).toEqual(found);
  });
});

describe('the address of a supply', () => {
  const supply_address = { country: 'AU', street_address: '18 Wattle Street', postal_code: '3350' };

  test('2.10.14 has the new style in place of the legacy fields', () => {
    const customer_at_supply_address_from_date = '2023-08-14';
    expect(check({ supply_addresses: [{ supply_address, customer_at_supply_address_from_date }] })).toEqual([]);
    expect(address({ supply_address, supply_postcode: undefined })).toEqual([
      'supply_addresses.0.supply_address: supply_address_new_style_and_legacy',
    ]);
  });

  test('2.10.14 without either it names what is missing of the legacy form', () => {
    const customer_at_supply_address_from_date = '2023-08-14';
    expect(check({ supply_addresses: [{ customer_at_supply_address_from_date }] })).toEqual([
      'supply_addresses.0.supply_address1: required',
      'supply_addresses.0.supply_postcode: required',
    ]);
  });

  test('2.10.15 its lines have up to 512 characters', () => {
    const line = 'ä'.repeat(512);
    expect(address({ supply_address1: line, supply_address5: line })).toEqual([]);
    expect(address({ supply_address1: `${line}x` })).toEqual(['supply_addresses.0.supply_address1: max_length']);
    expect(check({ billing_address1: line, billing_sub_name: line, billing_attention_of: line })).toEqual([]);
    expect(check({ billing_address1: `${line}x` })).toEqual(['billing_address1: max_length']);
  });
});

describe('a customer', () => {
  test('2.10.16 has phone numbers alone or with a label', () => {
    const numbers = ['07700 900123', { phone_number: '07700 900124', label: 'Daughter' }];
    expect(customer({ alternative_phone_numbers: numbers })).toEqual([]);
    expect(customer({ alternative_phone_numbers: [7, { label: 'Daughter' }, { phone_number: 7 }] })).toEqual([
      'customers.0.alternative_phone_numbers.0: invalid',
      'customers.0.alternative_phone_numbers.1.phone_number: required',
      'customers.0.alternative_phone_numbers.2.phone_number: invalid',
    ]);
  });

  test('2.10.17 has needs by any of their codes, from and to dates or datetimes', () => {
    const needs = [
      { elec_industry_code: '20' },
      { gas_industry_code: '03', effective_from: '2026-01-02T23:00:00Z', effective_to: '2026-01-02' },
      { code: '8', effective_from: '2026-01-02', effective_to: '2026-01-02T00:00:00Z' },
    ];
    expect(customer({ psr: needs })).toEqual([]);
    const early = { code: '8', effective_from: '2026-01-02T00:00:01Z', effective_to: '2026-01-02T00:00:00Z' };
    expect(customer({ psr: [{ description: 'Blind' }, early, { code: '8', effective_to: '2026-02-30' }] })).toEqual([
      'customers.0.psr.0.code: required',
      'customers.0.psr.1.effective_from: start_date_later_than_end_date',
      'customers.0.psr.2.effective_to: invalid_date',
    ]);
  });
});

describe('what is kept as it is', () => {
  const kept = (fields: Record<string, unknown>) => AccountPayload.parse(account(fields));

  test('2.10.18 metadata is a list of pairs or an object, with any JSON for values', () => {
    const value = { deep: [1, null, { a: 'ä' }] };
    for (const metadata of [
      [
        { key: 'k'.repeat(1_024), value },
        { key: 'null', value: null },
      ],
      { wave: 3, tags: ['a'], none: null, value },
      {},
    ]) {
      expect(kept({ metadata }).metadata).toEqual(metadata);
    }
    expect(undocumentedFields(AccountPayload, account({ metadata: { wave: { a: 1 } } }))).toEqual([]);
    expect(undocumentedFields(AccountPayload, account({ metadata: [{ key: 'a', value: { b: 1 }, c: 1 }] }))).toEqual([
      'metadata.0.c',
    ]);
  });

  test('2.10.18 a value of metadata has up to 4,096 bytes of JSON, and a key 1,024 characters', () => {
    const fits = 'ä'.repeat(2_047);
    expect(check({ metadata: { a: fits } })).toEqual([]);
    expect(check({ metadata: [{ key: 'a', value: fits }] })).toEqual([]);
    expect(check({ metadata: { a: `${fits}x` } })).toEqual(['metadata: max_bytes']);
    expect(
      check({
        metadata: [
          { key: 'a', value: `${fits}x` },
          { key: 'x'.repeat(1_025), value: 1 },
        ],
      }),
    ).toEqual(['metadata.0.value: max_bytes', 'metadata.1.key: max_length']);
    expect(check({ metadata: { ['x'.repeat(1_025)]: 1 } })).toEqual(['metadata: invalid']);
    expect(check({ metadata: [{ key: 'a' }] })).toEqual(['metadata.0.value: required']);
    expect(check({ metadata: 'wave 3' })).toEqual(['metadata: not_a_list']);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, 1]));
    expect(check({ metadata: many })).toEqual(['metadata: max_items']);
  });

  test('2.10.18 no error repeats a key or a value of metadata', () => {
    const secret = 'Zoe Hartley';
    const result = AccountPayload.safeParse(account({ metadata: { [`${secret}\n`]: 'x'.repeat(5_000) } }));
    expect(JSON.stringify(result.error?.issues.map(({ path, message }) => [path, message]))).not.toContain(secret);
  });

  test('2.10.19 additional_data is any JSON object of up to 65,536 bytes', () => {
    const additional_data = { legacy: { flags: [true, null, 1.5], 'k e y': '日本' } };
    expect(kept({ additional_data }).additional_data).toEqual(additional_data);
    expect(undocumentedFields(AccountPayload, account({ additional_data }))).toEqual([]);
    const room = 65_536 - '{"a":""}'.length;
    expect(check({ additional_data: { a: 'x'.repeat(room) } })).toEqual([]);
    expect(check({ additional_data: { a: 'x'.repeat(room + 1) } })).toEqual(['additional_data: max_bytes']);
    for (const value of [[], 'x', 7]) expect(check({ additional_data: value })).toEqual(['additional_data: invalid']);
    expect(check({ additional_data: null })).toEqual(['additional_data: null']);
    expect(check({ additional_data: { a: 'b\u0000' } })).toEqual(['additional_data: invalid_characters']);
    expect(check({ additional_data: { a: '\ud800' } })).toEqual(['additional_data: invalid_characters']);
    expect(check({ additional_data: { a: '\\u0000' } })).toEqual([]);
  });

  test('2.10.20 a business has further fields of its own', () => {
    const business = { business_type: 'LTD', company_number: '1', employees: 12, sites: [{ name: 'A' }] };
    expect(kept({ business }).business).toEqual(business);
    expect(undocumentedFields(AccountPayload, account({ business }))).toEqual([]);
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 1]));
    expect(check({ business: fields(30) })).toEqual([]);
    expect(check({ business: fields(31) })).toEqual(['business: max_items']);
    expect(check({ business: { name: 7 } })).toEqual(['business.name: invalid']);
    expect(check({ business: { text: 'x'.repeat(16_384) } })).toEqual(['business: max_bytes']);
  });
});

describe('the fields of an account', () => {
  const meter = (fields: Record<string, unknown>) => problems(AccountPayload, accountWithMeter(fields));
  const point = (fields: Record<string, unknown>) => address({ meter_points: [fields] });
  const reference = (fields: Record<string, unknown>) => check({ references: [{ namespace: 'n', ...fields }] });
  const schedule = (fields: Record<string, unknown>) => check({ payment_schedules: [fields] });
  const consent = (fields: Record<string, unknown>) =>
    customer({ consents: [{ type: 'T', value: 'PENDING', ...fields }] });
  const history = (fields: Record<string, unknown>) => meter({ reading_history: [{ ...reading, ...fields }] });

  test('2.10 may be as long, as large and as many as documented', () => {
    expect(check({ billing_name: 'ä'.repeat(512), billing_address: { country: 'NZ' } })).toEqual([]);
    expect(reference({ namespace: 'n'.repeat(50), value: 'v'.repeat(100) })).toEqual([]);
    expect(check({ transfer_balance: '-99999999999.99', last_statement_balance: 0 })).toEqual([]);
    expect(customer({ psr: new Array(100).fill({ code: '20' }) })).toEqual([]);
    expect(check({ customers: ['Reported', 'Confirmed'].map((deceased) => ({ family_name: 'A', deceased })) })).toEqual(
      [],
    );
    const registers = [{ register_id: '1' }];
    expect(point({ meters: [{ registers }, { registers }] })).toEqual([]);
    expect(check({ payment_schedules: [{ day_of_month: 1 }, { day_of_month: 31 }, { day_of_month: 'LAST' }] })).toEqual(
      [],
    );
    expect(check({ supply_addresses: [], payment_schedules: [], references: [], metadata: [] })).toEqual([]);
  });

  type Row = [problem: string, found: string[]];
  test.each<Row>([
    ['billing_address: null', check({ billing_address: null })],
    ['transfer_balance: null', check({ transfer_balance: null })],
    ['customers.0.date_of_birth: null', customer({ date_of_birth: null })],
    ['customers.0.consents.0: null', customer({ consents: [null] })],
    ['supply_addresses: null', check({ supply_addresses: null })],
  ])('2.2 an optional field sent as null is refused: %s', (problem, found) => {
    expect(found).toEqual([problem]);
  });

  test.each<Row>([
    ['references.0.value: required', reference({})],
    ['metadata.0.key: required', check({ metadata: [{ value: 'v' }] })],
    ['billing_address.country: required', check({ billing_address: { locality: 'Leeds' } })],
    ['billing_address.locality: invalid', check({ billing_address: { country: 'GB', locality: 5 } })],
    [
      'supply_addresses.0.customer_at_supply_address_from_date: required',
      address({ customer_at_supply_address_from_date: undefined }),
    ],
    [
      'supply_addresses.0.meter_points.0.agreements.0.tariff_code: required',
      point({ agreements: [{ effective_from: '2026-01-02' }] }),
    ],
    [`${METER}.registers.0.register_id: required`, meter({ registers: [{}] })],
  ])(
    '2.2 an optional object or list that is supplied has its required fields, and valid ones: %s',
    (problem, found) => {
      expect(found).toEqual([problem]);
    },
  );

  test.each<Row>([
    ['sales_channel: max_length', check({ sales_channel: 'x'.repeat(51) })],
    ['sales_subchannel: blank', check({ sales_subchannel: ' ' })],
    ['language_preference: invalid', check({ language_preference: 'english please' })],
    ['communication_preference: invalid_choice', check({ communication_preference: 'FAX' })],
    ['document_accessibility: invalid_choice', check({ document_accessibility: 'BIG' })],
    ['references.0.namespace: max_length', reference({ namespace: 'n'.repeat(51), value: 'v' })],
    ['references.0.value: max_length', reference({ value: 'v'.repeat(101) })],
    ['metadata.0: invalid', check({ metadata: ['wave 3'] })],
    ['billing_name: max_length', check({ billing_name: 'x'.repeat(513) })],
    ['transfer_balance: max_decimal_places', check({ transfer_balance: 1.005 })],
    ['customers: not_a_list', check({ customers: { given_name: 'A' } })],
    ['customers.0.family_name: max_length', customer({ family_name: 'x'.repeat(256) })],
    ['customers.0.email: max_length', customer({ email: `a@${'b.'.repeat(125)}com` })],
    ['customers.0.landline: max_length', customer({ landline: '+44 113 496 0999'.padEnd(33) })],
    [
      'customers.0.alternative_phone_numbers: max_items',
      customer({ alternative_phone_numbers: new Array(101).fill('1') }),
    ],
    ['customers.0.deceased: invalid_choice', customer({ deceased: 'reported' })],
    ['customers.0.consents.0.value: invalid_choice', consent({ value: 'YES' })],
    ['customers.0.consents.0.signed_at: invalid_datetime', consent({ signed_at: '2024-03-09T14:05:00+01:00' })],
    ['supply_addresses.0.is_landlord: invalid', address({ is_landlord: 0 })],
    ['supply_addresses.0.meter_points.0.supply_type: invalid_choice', point({ supply_type: 'STEAM' })],
    [
      'supply_addresses.0.meter_points.0.agreements.0.effective_from: start_date_later_than_end_date',
      point({ agreements: [{ tariff_code: 'T', effective_from: '2026-01-02', effective_to: '2026-01-01' }] }),
    ],
    [
      `${METER}.registers.0.number_of_digits: invalid`,
      meter({ registers: [{ register_id: '1', number_of_digits: 5.5 }] }),
    ],
    [`${METER}.reading_history.0.reading_value: max_decimal_places`, history({ reading_value: '1.12345678' })],
    ['payment_schedules.0.means: invalid_choice', schedule({ means: 'CASH' })],
    ['payment_schedules.0.day_of_month: max_value', schedule({ day_of_month: 32 })],
    ['payment_schedules.0.day_of_month: min_value', schedule({ day_of_month: 0 })],
    ['payment_schedules.0.day_of_month: invalid', schedule({ day_of_month: 1.5 })],
    ['payment_schedules.0.day_of_month: invalid', schedule({ day_of_month: '12' })],
    ['payment_schedules.0.mandate.scheme: required', schedule({ mandate: { reference: 'M-1' } })],
    [
      'payment_schedules.0.mandate.account_number_last_four: invalid',
      schedule({ mandate: { scheme: 'BACS', account_number_last_four: '12345678' } }),
    ],
    ['payment_schedules.0.amount: min_value', schedule({ amount: -0.01 })],
    ['payment_schedules.0.amount: max_decimal_places', schedule({ amount: 0.001 })],
    ['payment_schedules.0.amount: max_value', schedule({ amount: 1e11 })],
    [
      'payment_schedules.0.start_date: start_date_later_than_end_date',
      schedule({ start_date: '2026-01-02', end_date: '2026-01-01' }),
    ],
  ])('2.10 are refused at %s', (problem, found) => {
    expect(found).toEqual([problem]);
  });
});

test('2.10.21 any UPPER_SNAKE name is the form of an account type', () => {
  for (const account_type of ['BUSINESS_VACANT', 'LANDLORD_2']) expect(check({ account_type })).toEqual([]);
  for (const account_type of ['landlord', '', 'A-B', 'A'.repeat(65), 7]) {
    expect(check({ account_type })[0]).toMatch(/^account_type: invalid/);
  }
});
