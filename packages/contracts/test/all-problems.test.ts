import { expect, test } from 'vitest';
import { AccountPayload, ImportNotesRequest } from '../src/index.ts';
import {
  account,
  accountProblems,
  accountWithMeter,
  charge,
  noteProblems,
  notesRequest,
  problems,
  supplyAddress,
  transactionProblems,
} from './support.ts';

test('7.2 reports all problems of a payload at once, those of rules beside those of fields', () => {
  const input = account({
    import_supplier: 'lower case',
    sales_channel: null,
    billing_address: { country: 'GB' },
    billing_address1: '12 Alder Row',
    last_billed_to_date: 'yesterday',
    customers: [
      { given_name: 'A', user_identifier: 'U', email: 'no' },
      { email: 'a@example.com', user_identifier: 'U', title: 7 },
    ],
    supply_addresses: [
      { ...supplyAddress, supply_postcode: '', customer_at_supply_address_to_date: '2001-01-01' },
      {
        meter_points: [
          { agreements: [{ tariff_code: ' ', effective_from: '2026-01-02', effective_to: '2026-01-01' }] },
        ],
      },
    ],
    payment_schedules: [{ day_of_month: 32, start_date: '2026-02-01', end_date: '2026-01-01', amount: -1 }],
  });
  expect(problems(AccountPayload, input).sort()).toEqual(
    [
      'import_supplier: invalid',
      'sales_channel: null',
      'billing_address: billing_address_new_style_and_legacy',
      'last_billed_to_date: invalid_date',
      'customers.0.email: invalid_email',
      'customers.1.title: invalid',
      'customers.1.given_name: customer_name_not_found',
      'customers.1.user_identifier: duplicate_user_identifier',
      'supply_addresses.0.supply_postcode: invalid_postcode',
      'supply_addresses.0.customer_at_supply_address_from_date: start_date_later_than_end_date',
      'supply_addresses.1.supply_address1: required',
      'supply_addresses.1.supply_postcode: required',
      'supply_addresses.1.customer_at_supply_address_from_date: required',
      'supply_addresses.1.meter_points.0.agreements.0.tariff_code: blank',
      'supply_addresses.1.meter_points.0.agreements.0.effective_from: start_date_later_than_end_date',
      'payment_schedules.0.day_of_month: max_value',
      'payment_schedules.0.start_date: start_date_later_than_end_date',
      'payment_schedules.0.amount: min_value',
    ].sort(),
  );
});

test('7.2 runs a rule beside a list that is too long and a number that is no whole one', () => {
  const input = account({
    customers: undefined,
    references: new Array(101).fill({ namespace: 'a', value: 'b' }),
    payment_schedules: [{ day_of_month: 1.5, start_date: '2026-02-01', end_date: '2026-01-01' }],
  });
  expect(problems(AccountPayload, input)).toEqual([
    'references: max_items',
    'payment_schedules.0.day_of_month: invalid',
    'payment_schedules.0.start_date: start_date_later_than_end_date',
    'customers: required',
  ]);
});

test('7.2 does not run a rule on fields that are themselves at fault', () => {
  expect(noteProblems({ body: 7, unpin_at: 'soon' })).toEqual([
    'notes.0.body: invalid',
    'notes.0.unpin_at: invalid_datetime',
  ]);
  expect(accountProblems({ unknown_occupier: 'yes', customers: 'none' })).toEqual([
    'unknown_occupier: invalid',
    'customers: not_a_list',
  ]);
});

test('7.2 runs the rules of a meter whose other readings are at fault', () => {
  const meter = {
    registers: [{ register_id: '1', number_of_digits: 0 }],
    transfer_readings: [{ register_id: '2', reading_date: 'x', reading_value: '1' }],
    reading_history: [{ register_id: 3, reading_date: '2026-01-01', reading_value: '1' }],
  };
  const at = 'supply_addresses.0.meter_points.0.meters.0';
  expect(problems(AccountPayload, accountWithMeter(meter))).toEqual([
    `${at}.registers.0.number_of_digits: min_value`,
    `${at}.transfer_readings.0.reading_date: invalid_date`,
    `${at}.reading_history.0.register_id: invalid`,
    `${at}.transfer_readings.0.register_id: reading_register_id_not_recognised`,
  ]);
});

test('7.2 reports at most 100 problems', () => {
  const transactions = new Array(10_000).fill({ ...charge, amount: 0.001 });
  const found = transactionProblems(...transactions);
  expect(found).toHaveLength(100);
  expect(found[0]).toBe('transactions.0.amount: max_decimal_places');
  expect(found[99]).toBe('transactions.99.amount: max_decimal_places');
});

test('7.2 stops reading a list once it has as many problems as are counted', () => {
  let looked = 0;
  const item = new Proxy({}, { get: () => looked++ });
  const transactions: unknown[] = new Array(10_000).fill(item);
  expect(transactionProblems(...transactions)).toHaveLength(100);
  expect(looked).toBeLessThan(9_000);
});

test('2.10 refuses a list that is too long without looking at its items', () => {
  let looked = 0;
  const item = new Proxy({}, { get: () => looked++ });
  const notes: unknown[] = new Array(1_000_000).fill(item);
  expect(problems(ImportNotesRequest, { ...notesRequest(), notes })).toEqual(['notes: max_items']);
  expect(looked).toBe(0);
});

test('2.10 survives a million bad items in lists that are each short enough', () => {
  const hundred = <Item>(item: Item) => new Array<Item>(100).fill(item);
  const meters = hundred({ registers: hundred({}) });
  const input = account({ supply_addresses: [{ ...supplyAddress, meter_points: hundred({ meters }) }] });
  expect(problems(AccountPayload, input)).toHaveLength(100);
});

test('7.2 answers at once for megabytes of text in any field', () => {
  const hostile = [
    'a'.repeat(2e6),
    ' '.repeat(2e6),
    '0'.repeat(2e6),
    'a/'.repeat(1e6),
    `${'a.'.repeat(1e6)}@b`,
    'en-'.repeat(1e6),
  ];
  const fields = Object.keys(AccountPayload.shape);
  for (const value of hostile) {
    const found = problems(AccountPayload, Object.fromEntries(fields.map((field) => [field, value])));
    expect(new Set(found.map((problem) => problem.split(':')[0]))).toEqual(new Set(fields));
  }
});

test('2.2 a value of another kind in the place of a text is one problem, whatever it has for a length', () => {
  for (const value of [{ length: { toString: 1 } }, { length: 1_000_000 }, { length: null }]) {
    const input = account({ external_account_number: value, billing_name: value });
    expect(problems(AccountPayload, input)).toEqual(['external_account_number: invalid', 'billing_name: invalid']);
  }
});
