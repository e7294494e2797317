import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { type Fields, fourWays, readBackOf, type Told, withoutUndocumented } from '../support/four-ways.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';

const NOW = '2026-04-17T12:00:00Z';
const service = await serviceWithLanes(() => new Date(NOW));
service.setTime(NOW);

/** An account with what is common to all cases. */
const account = (more: Fields = {}): Fields => ({
  ...{ account_type: 'DOMESTIC', billing_name: 'Maud Pendry', last_billed_to_date: '2026-03-31' },
  customers: [{ given_name: 'Maud', family_name: 'Pendry' }],
  ...more,
});
const customer = (more: Fields) => account({ customers: [{ given_name: 'Maud', family_name: 'Pendry', ...more }] });
const ADDRESS = {
  supply_address1: '12 Alder Row',
  supply_postcode: 'LS1 4AP',
  customer_at_supply_address_from_date: '2019-04-01',
};
const POINT = { supply_type: 'ELECTRICITY', identifier: '1200023305967' };
const points = (...meter_points: Fields[]) => account({ supply_addresses: [{ ...ADDRESS, meter_points }] });
const meters = (...all: Fields[]) => points({ ...POINT, meters: all });
const REGISTER = { register_id: '1' };
const reading = (reading_date: string, more: Fields = {}) => ({
  ...REGISTER,
  reading_date,
  reading_value: '10',
  ...more,
});
const transactions = (...all: Fields[]) =>
  account({
    transactions: all.map((one, index) => ({
      ...{ transaction_id: `T-${index}`, transaction_date: '2026-04-05', type: 'PAYMENT', amount: 10 },
      ...one,
    })),
  });
const statements = (...all: Fields[]) => account({ statements: all });
const schedule = (more: Fields) =>
  account({ payment_schedules: [{ means: 'DD', frequency: 'MONTHLY', amount: 86.5, ...more }] });
const emails = (...all: string[]) =>
  account({ customers: all.map((email) => ({ given_name: 'Taro', family_name: 'Sato', email })) });
const phones = (...all: string[]) =>
  account({ customers: all.map((mobile) => ({ given_name: 'Maud', family_name: 'Pendry', mobile })) });

const IDENTIFIER = 'supply_addresses.*.meter_points.*.identifier';

/** The outcome of a case: refused with these, or stored as it was sent, and these said of it. */
interface Case {
  name: string;
  send: Fields;
  refused?: string[];
  said?: string[];
}

const foreign = (...all: [country: string, postal_code: string][]) =>
  account({
    supply_addresses: all.map(([country, postal_code]) => ({
      customer_at_supply_address_from_date: '2019-04-01',
      supply_address: { country, postal_code, street_address: '12 Alder Row' },
    })),
  });

const GB: Case[] = [
  {
    name: 'E07 names that were broken before',
    send: account({ customers: [{ given_name: 'SiÃ¢n', family_name: 'Ren\uFFFDe' }] }),
    said: ['wrongly_decoded_text customers.*.family_name', 'wrongly_decoded_text customers.*.given_name'],
  },
  {
    name: 'M09 postcodes that lost their zeros',
    send: foreign(['DE', '1067'], ['AU', '800'], ['US', '2138']),
    said: ['unlikely_postcode supply_addresses.*.supply_address.postal_code'],
  },
  {
    name: 'M10 postcodes with their zeros',
    send: foreign(['US', '02138'], ['AU', '0800'], ['NZ', '0110'], ['DE', '01067']),
  },
  { name: 'M13 a landline without its zero', send: customer({ landline: '7700900123' }) },
  {
    name: 'S19 thousandths of a second, and an offset',
    send: account({
      notes: ['2026-01-01T10:00:00.000Z', '2026-01-01T10:00:00+00:00'].map((created_at) => ({ created_at, body: 'x' })),
    }),
    refused: ['invalid_datetime notes.*.created_at'],
  },
  {
    name: 'S21 ends that are none',
    send: account({
      supply_addresses: ['9999-12-31', '2999-12-31'].map((customer_at_supply_address_to_date, index) => ({
        ...{ ...ADDRESS, supply_address1: `${index} Alder Row`, customer_at_supply_address_to_date },
      })),
    }),
    refused: ['invalid_date supply_addresses.*.customer_at_supply_address_to_date'],
  },
  {
    name: 'S24 fifty half hours of the day on which clocks go back',
    send: transactions({
      ...{ type: 'SUPPLY_CHARGE', amount: -1, product_code: 'E-1R' },
      line_items: [
        {
          ...{ start_date: '2025-10-26', end_date: '2025-10-26', number_of_units: 25, net_amount: '-1.00' },
          units: Array.from({ length: 50 }, () => 0.5),
        },
      ],
    }),
  },
  {
    name: 'M01 numbers that a spreadsheet made decimal',
    send: {
      ...points({ ...POINT, identifier: '1200023305967.0' }),
      ...customer({ user_identifier: '881.0' }),
    },
    said: [
      'damaged_number customers.*.user_identifier',
      `damaged_number ${IDENTIFIER}`,
      `unlikely_meter_point ${IDENTIFIER}`,
    ],
  },
  {
    name: 'M02 a mobile number that a spreadsheet made decimal',
    send: customer({ mobile: '7700900456.0' }),
    refused: ['invalid_phone_number customers.*.mobile'],
  },
  {
    name: 'M06 a wrong check digit',
    send: points({ ...POINT, identifier: '1200023305968' }),
    said: [`unlikely_meter_point ${IDENTIFIER}`],
  },
  {
    name: 'M06 a gas number of nine digits',
    send: points({ supply_type: 'GAS', identifier: '123456789' }),
    said: [`unlikely_meter_point ${IDENTIFIER}`],
  },
  {
    name: 'M06 a word in place of the number',
    send: points({ ...POINT, identifier: 'MPAN' }),
    said: [`unlikely_meter_point ${IDENTIFIER}`],
  },
  {
    name: 'M14 words in place of what is missing',
    send: {
      ...account({
        customers: [
          { given_name: 'None', family_name: 'nan' },
          { given_name: '#N/A', family_name: '#REF!' },
        ],
      }),
      ...{ supply_addresses: [{ ...ADDRESS, meter_points: [{ ...POINT, identifier: 'nan' }] }] },
    },
    said: [
      'placeholder customers.*.family_name',
      'placeholder customers.*.given_name',
      `placeholder ${IDENTIFIER}`,
      `unlikely_meter_point ${IDENTIFIER}`,
    ],
  },
  {
    name: 'T03 two readings of one day, each with its time',
    send: meters({
      ...{ meter_serial_number: 'S1', registers: [REGISTER] },
      reading_history: [
        reading('2026-03-30', { reading_at: '2026-03-30T08:00:00Z' }),
        reading('2026-03-30', { reading_at: '2026-03-30T17:30:00Z', reading_value: '12' }),
      ],
    }),
  },
  {
    name: 'T06 a meter that was exchanged on a leap day',
    send: meters(
      {
        ...{ meter_serial_number: 'S1', installed_on: '2010-01-01', removed_on: '2024-02-29', registers: [REGISTER] },
        reading_history: [reading('2024-02-29')],
      },
      {
        ...{ meter_serial_number: 'S2', installed_on: '2024-02-29', registers: [REGISTER] },
        reading_history: [reading('2024-02-29', { reading_value: '0' })],
      },
    ),
  },
  {
    name: 'T07 half-hourly values',
    send: meters({
      ...{ meter_serial_number: 'S1', registers: [REGISTER] },
      interval_readings: [
        {
          ...{ register_id: '1', start: '2026-03-30T00:00:00Z', minutes: 30, quality: 'ACTUAL' },
          values: Array.from({ length: 48 }, (_, index) => index / 8),
        },
      ],
    }),
  },
  {
    name: 'T08 export: direction, unit and multiplier of a register',
    send: meters({
      meter_serial_number: 'S1',
      registers: [{ register_id: '1', direction: 'EXPORT', unit: 'kWh', multiplier: 10 }],
    }),
  },
  {
    name: 'T10 water and heat',
    send: points({ supply_type: 'WATER', identifier: 'W-1' }, { supply_type: 'HEAT', identifier: 'H-1' }),
  },
  {
    name: 'T11 prices and taxes with many decimals',
    send: transactions({
      ...{ type: 'SUPPLY_CHARGE', amount: -12.34, product_code: 'E-1R' },
      line_items: [
        {
          ...{ start_date: '2026-04-01', end_date: '2026-04-04', number_of_units: 50 },
          ...{ price_per_unit: 0.234567, net_amount: '-11.752381' },
        },
      ],
      tax_items: [
        { tax_type: 'VAT', value_taxed: '-11.752381', rate: 5, unit_type: 'PERCENTAGE', amount: '-0.58761905' },
      ],
    }),
  },
  { name: 'F01 a payment that the bank took back', send: transactions({}, { amount: -10, reverses: 'T-0' }) },
  {
    name: 'F11 a fee for it, and money paid back',
    send: transactions(
      { type: 'CHARGE', amount: 5, reason: 'PAYMENT_REVERSAL' },
      { type: 'REPAYMENT', amount: 10, payment_type: 'DD_FAILED' },
    ),
  },
  {
    name: 'F02 a link to what was taken back',
    send: transactions({ type: 'CHARGE', reason: 'X' }, { type: 'CREDIT', reason: 'X', reverses: 'T-0' }),
  },
  {
    name: 'F03 amounts of zero',
    send: transactions(
      { amount: 0 },
      { type: 'CHARGE', amount: 0, reason: 'X' },
      { type: 'CREDIT', amount: '0.00', reason: 'X' },
    ),
  },
  {
    name: 'F05 amounts as numbers and as decimal strings',
    send: transactions({ amount: 10.1 }, { amount: '10.10' }),
  },
  {
    name: 'F05 amounts that are not exact',
    send: transactions({ amount: 0.1 + 0.2 }, { amount: '10.100' }, { amount: '1e3' }),
    refused: ['invalid transactions.*.amount', 'max_decimal_places transactions.*.amount'],
  },
  {
    name: 'F06 a cancelled statement and the one in its place',
    send: statements(statement('S-1', { status: 'CANCELLED' }), statement('S-2', { replaces: 'S-1' })),
  },
  {
    name: 'F07 adjustments below zero',
    send: transactions({ type: 'CHARGE', amount: -4, reason: 'X' }, { type: 'CREDIT', amount: -5, reason: 'Y' }),
  },
  {
    name: 'F08 negative amounts and balances',
    send: { ...statements(statement('S-1', { gross_amount: -5 })), transfer_balance: '-48.20' },
  },
  {
    name: 'P03 postcodes beyond the mainland',
    send: account({
      supply_addresses: ['BF1 2AY', 'JE2 3XP', 'GY1 1AA', 'IM1 1AA', 'BT1 1AA', 'GX11 1AA'].map(
        (supply_postcode, index) => ({
          ...{ ...ADDRESS, supply_address1: `${index} Alder Row`, supply_postcode },
        }),
      ),
    }),
  },
  {
    name: 'P05 a landlord abroad in the lines of a British address',
    send: account({ billing_address1: 'Rue 1', billing_postcode: 'D02 X285' }),
    refused: ['invalid_postcode billing_postcode'],
  },
  {
    name: 'P05 a landlord abroad with a country',
    send: account({
      billing_address: { country: 'IE', street_address: '1 Merrion Row', locality: 'Dublin', postal_code: 'D02 X285' },
    }),
  },
  { name: 'P08 numbers of the islands', send: phones('01534 700000', '01481 700000', '07797 700000', '07624 400000') },
  {
    name: 'P09 numbers with an extension',
    send: phones('07700 900123 ext 12', '07700 900123 x4', '+1 (608) 271-9000 x11'),
  },
  {
    name: 'P11 a given name alone, a family name alone',
    send: account({ customers: [{ given_name: 'Maud' }, { family_name: 'Pendry' }] }),
  },
  {
    name: 'P12 names of the world',
    send: account({
      customers: ['O’Brien', 'García-Márquez y López', '髙橋', 'محمد', 'Nguyễn', 'Tāmaki', 'Null', 'x'.repeat(255)].map(
        (family_name) => ({ family_name }),
      ),
    }),
  },
  { name: 'P13 how a name is read', send: customer({ name_reading: 'ペンドリー モード' }) },
  {
    name: 'P14 a company without a person',
    send: {
      account_type: 'BUSINESS',
      billing_name: 'Pendry Ltd',
      business: { name: 'Pendry Ltd' },
      last_billed_to_date: '2026-03-31',
    },
  },
  {
    name: 'P15 two people, one e-mail address',
    send: account({
      customers: [
        { title: 'Mr & Mrs J', family_name: 'Smith', email: 'smith@example.com' },
        { given_name: 'Joan', family_name: 'Smith', email: 'smith@example.com' },
      ],
    }),
  },
  { name: 'P16 a leap day', send: customer({ date_of_birth: '2024-02-29' }) },
  {
    name: 'P16 a day that never was',
    send: customer({ date_of_birth: '2023-02-29' }),
    refused: ['invalid_date customers.*.date_of_birth'],
  },
  {
    name: 'P01 the last days of a month',
    send: account({
      payment_schedules: [29, 30, 31, 'LAST'].map((day_of_month) => ({
        means: 'DD',
        frequency: 'MONTHLY',
        amount: 86.5,
        day_of_month,
      })),
    }),
  },
  {
    name: 'Y01 Y02 mandates',
    send: schedule({
      mandate: {
        ...{ scheme: 'SEPA', reference: 'M-0001', creditor_id: 'DE98ZZZ09999999999', signed_on: '2024-05-01' },
        ...{ account_holder: 'Maud Pendry', account_number_last_four: '3000' },
      },
    }),
  },
  {
    name: 'Y04 an instruction of the vendor',
    send: account({ payment_instruction: { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'DIRECT_DEBIT' } }),
  },
  {
    name: 'R11 fields that are not documented',
    send: { ...customer({ given_name_kana: 'モード' }), life_support: true },
    said: ['undocumented_field customers.*.given_name_kana', 'undocumented_field life_support'],
  },
];

const OTHERS: [country: string, Case[]][] = [
  [
    'BE',
    [
      {
        name: 'M05 zeros behind the fifteenth digit',
        send: account({
          supply_addresses: [
            { ...ADDRESS, supply_postcode: '1000', meter_points: [{ ...POINT, identifier: '541448820000000000' }] },
          ],
        }),
        said: [`damaged_number ${IDENTIFIER}`, `unlikely_meter_point ${IDENTIFIER}`],
      },
    ],
  ],
  [
    'AT',
    [
      {
        name: 'M08 a metering point of Austria',
        send: account({
          supply_addresses: [
            {
              ...ADDRESS,
              supply_postcode: '1010',
              meter_points: [{ ...POINT, identifier: 'AT0082300000000000000000000123456' }],
            },
          ],
        }),
      },
    ],
  ],
  [
    'JP',
    [
      { name: 'F10 a balance in yen', send: account({ transfer_balance: '-4820' }) },
      {
        name: 'P06 addresses of carriers',
        send: emails('taro..t@docomo.ne.jp', 'ab.@ezweb.ne.jp'),
        said: ['unusual_email_address customers.*.email'],
      },
    ],
  ],
];

const ALL: [string, Case[]][] = [['GB', GB], ...OTHERS];

test.each(ALL)(
  '4.18.3 what suppliers really send gets one outcome by all four ways, and is stored as is said: %s',
  async (country, cases) => {
    const ways = await fourWays(service, { country }, NOW.slice(0, 10));
    const sent = cases.map(({ send }, index): Fields => ({ ...send, external_account_number: `CASE-${index}` }));
    const told = await ways.send(sent);
    for (const [index, { name, refused = [], said = [] }] of cases.entries()) {
      const expected = { refused, remarks: said };
      for (const way of ['rest', 'trpc', 'bulk', 'validate'] as const) {
        expect([name, way, told[way][index]?.said]).toEqual([name, way, expected]);
      }
      for (const way of ['rest', 'trpc', 'bulk'] as const) {
        const { stored } = told[way][index] as Told;
        const one = refused.length > 0 ? undefined : readBackOf(withoutUndocumented(sent[index] as Fields, expected));
        expect([name, way, stored]).toEqual([name, way, one && expect.objectContaining(one)]);
      }
    }
  },
);

test.each([
  ['E09', '\uFEFF{}', 'The request body starts with a byte order mark, which JSON does not allow. Leave it out.'],
  ['S19', { notes: [{ created_at: '2026-01-01T10:00:00.000Z', body: 'x' }] }, 'written YYYY-MM-DDTHH:MM:SSZ'],
  ['S21', { last_billed_to_date: '9999-12-31' }, 'Leave an open end out.'],
])('2.2.1 2.2.2 11.3 %s is refused with what to do', async (_case, body, advice) => {
  const { post } = await service.createSupplier();
  const answer = await post('validate-account/', body);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(advice)]);
});
