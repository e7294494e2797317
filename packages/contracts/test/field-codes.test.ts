import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AccountPayload,
  CreateImportSupplierRequest,
  CreateOrganisationRequest,
  FIELD_CODES,
  type FieldCode,
  fieldErrorsOf,
  ImportNotesRequest,
  ListAccountImportsRequest,
  REMARKS,
} from '../src/index.ts';
import {
  account,
  accountProblems,
  accountWithMeter,
  charge,
  noteProblems,
  notesRequest,
  problems,
  statement,
  statementProblems,
  supplyAddress,
  transactionProblems,
} from './support.ts';

// These need the clock, the import supplier, the query string or a line of a book, and are proved where they are checked.
const checkedElsewhere = [
  ...Object.keys(REMARKS).filter((code) => code in FIELD_CODES),
  'differs_from_stored',
  'invalid_phone_number',
  'whole_account_number',
  'date_in_future',
  'undocumented_fields_too_large',
  'zero_amount',
  'control_differs',
];

const billing = { billing_address: { country: 'GB' }, billing_postcode: 'LS1 4AP' };
const registers = [{ register_id: '1' }, { register_id: '1' }];
const reading = { register_id: '2', reading_date: '2026-02-28', reading_value: '1' };
const unpinned = { body: 'x', is_pinned: true, created_at: '2026-01-02T00:00:00Z', unpin_at: '2026-01-02T00:00:00Z' };
const address = {
  ...{ supply_address1: '1 Alder Row', supply_postcode: 'LS1 4AP' },
  customer_at_supply_address_from_date: '2019-04-01',
};
const meters = [
  { meter_serial_number: 'S1' },
  { meter_serial_number: 'S2' },
  { meter_serial_number: 'S1' },
  { meter_serial_number: 'S2', removed_on: '2024-02-29' },
];
const meter = 'supply_addresses.0.meter_points.0.meters.0';
const twice = [
  { family_name: 'A', user_identifier: 'U' },
  { family_name: 'B', user_identifier: 'U' },
];

const payments = [{ vendor: 'V', reference: 'R', type: 'CARD' }];
const closed = [{ ...charge, transaction_date: '2026-03-01' }];

const repeated = [charge, { ...charge, amount: 12.31 }];

const provoked: [code: FieldCode, attr: string, found: string[]][] = [
  ['required', 'import_supplier', accountProblems({ import_supplier: undefined })],
  ['null', 'sales_channel', accountProblems({ sales_channel: null })],
  ['blank', 'customers.0.given_name', accountProblems({ customers: [{ given_name: ' \n' }] })],
  ['invalid', 'unknown_occupier', accountProblems({ unknown_occupier: 'false' })],
  ['invalid_characters', 'billing_name', accountProblems({ billing_name: 'Hart\nley' })],
  ['surrounding_white_space', 'name', problems(CreateOrganisationRequest, { name: 'Northwind ' })],
  ['not_normalised', 'name', problems(CreateOrganisationRequest, { name: 'Sia\u0302n' })],
  ['invalid_choice', 'account_type', accountProblems({ account_type: 'private' })],
  ['max_length', 'customers.0.title', accountProblems({ customers: [{ given_name: 'A', title: 'x'.repeat(21) }] })],
  ['min_length', 'text', problems(z.object({ text: z.string().min(2) }), { text: 'a' })],
  ['max_value', 'limit', problems(ListAccountImportsRequest, { import_supplier_code: 'A', limit: 10_001 })],
  ['min_value', 'limit', problems(ListAccountImportsRequest, { import_supplier_code: 'A', limit: 0 })],
  ['max_decimal_places', 'transactions.0.amount', transactionProblems({ ...charge, amount: 1.005 })],
  ['not_a_list', 'notes', problems(ImportNotesRequest, { ...notesRequest(), notes: { 0: { body: 'x' } } })],
  [
    'contradicts_another_field',
    'reject_undocumented_fields',
    problems(CreateImportSupplierRequest, {
      code: 'A',
      name: 'A',
      organisation_id: '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55',
      reject_undocumented_fields: true,
      undocumented_fields: 'KEEP',
    }),
  ],
  ['empty', 'statements', statementProblems()],
  ['max_items', 'notes', noteProblems(...new Array(1_001).fill({ body: 'x' }))],
  ['invalid_date', 'date_of_sale', accountProblems({ date_of_sale: '2026-02-29' })],
  ['invalid_datetime', 'notes.0.created_at', noteProblems({ body: 'x', created_at: '2026-02-28' })],
  ['invalid_email', 'billing_email', accountProblems({ billing_email: 'sam.example.com' })],
  ['invalid_postcode', 'billing_postcode', accountProblems({ billing_postcode: 'LS1_4AP' })],
  ['invalid_country', 'billing_address.country', accountProblems({ billing_address: { country: 'UK' } })],
  [
    'invalid_document_path',
    'statements.0.statement_path',
    statementProblems({ ...statement, statement_path: '../other/1.pdf' }),
  ],
  [
    'start_date_later_than_end_date',
    'supply_addresses.0.customer_at_supply_address_from_date',
    accountProblems({ supply_addresses: [{ ...supplyAddress, customer_at_supply_address_to_date: '2019-03-31' }] }),
  ],
  ['customer_with_unknown_occupier', 'customers', accountProblems({ unknown_occupier: true })],
  ['customer_name_not_found', 'customers.0.given_name', accountProblems({ customers: [{}] })],
  ['duplicate_user_identifier', 'customers.1.user_identifier', accountProblems({ customers: twice })],
  ['billing_address_new_style_and_legacy', 'billing_address', accountProblems(billing)],
  ['max_bytes', 'additional_data', accountProblems({ additional_data: { text: 'x'.repeat(65_536) } })],
  [
    'supply_address_new_style_and_legacy',
    'supply_addresses.0.supply_address',
    accountProblems({ supply_addresses: [{ ...supplyAddress, supply_address: { country: 'GB' } }] }),
  ],
  [
    'meter_point_identifiers_differ',
    'supply_addresses.0.meter_points.0.mpxn',
    accountProblems({ supply_addresses: [{ ...supplyAddress, meter_points: [{ identifier: '1', mpxn: '2' }] }] }),
  ],
  [
    'duplicate_meter_point',
    'supply_addresses.0.meter_points.1.identifier',
    accountProblems({ supply_addresses: [{ ...address, meter_points: [{ identifier: '1' }, { identifier: '1' }] }] }),
  ],
  [
    'duplicate_meter',
    'supply_addresses.0.meter_points.0.meters.2.meter_serial_number',
    accountProblems({ supply_addresses: [{ ...address, meter_points: [{ meters }] }] }),
  ],
  [
    'meter_with_duplicate_register_ids',
    `${meter}.registers.1.register_id`,
    problems(AccountPayload, accountWithMeter({ registers })),
  ],
  [
    'reading_register_id_not_recognised',
    `${meter}.transfer_readings.0.register_id`,
    problems(AccountPayload, accountWithMeter({ registers: [{ register_id: '1' }], transfer_readings: [reading] })),
  ],
  ['note_body_or_document_path_not_found', 'notes.0.body', noteProblems({ document_paths: [] })],
  ['repeated_with_other_values', 'transactions.1.amount', transactionProblems(...repeated)],
  ['note_unpin_at_earlier_than_creation_date', 'notes.0.unpin_at', noteProblems(unpinned)],
  [
    'history_spelled_twice',
    'payment_instruction',
    accountProblems({ payment_instruction: payments[0], payment_instructions: payments }),
  ],
  [
    'historical_transaction_not_billed',
    'historical_transactions.0.transaction_date',
    accountProblems({ last_billed_to_date: '2026-02-28', historical_transactions: closed }),
  ],
];

describe('7.3 names each field problem by its code', () => {
  test.each(provoked)('%s at %s', (code, attr, found) => {
    expect(found).toEqual([`${attr}: ${code}`]);
  });

  test('and no published code is left unproved', () => {
    const proved = [...provoked.map(([code]) => code as string), ...checkedElsewhere];
    expect(proved.sort()).toEqual(Object.keys(FIELD_CODES).sort());
  });
});

describe('7.3 tells wrong types apart', () => {
  test.each([
    ['a string that is no number', '12.30 GBP'],
    ['true for a number', true],
    ['infinity, which JSON spells 1e400', Number.POSITIVE_INFINITY],
    ['a list for a number', [12.3]],
  ])('%s is invalid', (_name, amount) => {
    expect(transactionProblems({ ...charge, amount })).toEqual(['transactions.0.amount: invalid']);
  });

  test.each([['a string'], [7], [null], [[]], [undefined]])(
    'a payload that is %j is not taken for an object',
    (input) => {
      const [problem, ...others] = problems(AccountPayload, input);
      expect(problem).toMatch(/^: (invalid|null|required)$/);
      expect(others).toEqual([]);
    },
  );

  test('an item that is not an object is named by its index', () => {
    expect(noteProblems({ body: 'x' }, 'y', null)).toEqual(['notes.1: invalid', 'notes.2: null']);
  });
});

test('7.2 a detail tells what to do, in our words and without the value sent', () => {
  const secret = 'Zoë Hartley';
  const input = account({
    account_type: secret,
    transfer_balance: secret,
    billing_email: secret,
    billing_postcode: 'x'.repeat(1_000_000),
    customers: secret,
  });
  const result = AccountPayload.safeParse(input);
  const errors = result.success ? [] : fieldErrorsOf(result.error, input);
  expect(errors).toHaveLength(5);
  for (const { detail } of errors) {
    expect(detail).toMatch(/^Must .{5,200}\.$/);
    expect(detail).not.toContain(secret);
  }
});
