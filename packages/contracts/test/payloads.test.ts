import { describe, expect, test } from 'vitest';
import {
  AccountPayload,
  ImportNotesRequest,
  ImportPaymentInstructionRequest,
  ImportStatementsRequest,
  ImportTransactionsRequest,
  ListAccountImportsRequest,
  ProcessAccountRequest,
} from '../src/index.ts';
import {
  account,
  accountProblems,
  charge,
  lineItem,
  noteProblems,
  problems,
  statement,
  statementProblems,
  supplyAddress,
  supplyCharge,
  transactionProblems,
  transactionsRequest,
} from './support.ts';

describe('2.10 accounts', () => {
  test('need customers unless the occupier is unknown', () => {
    expect(accountProblems()).toEqual([]);
    expect(accountProblems({ customers: undefined })).toEqual(['customers: required']);
    expect(accountProblems({ customers: [] })).toEqual(['customers: empty']);
    expect(accountProblems({ customers: undefined, unknown_occupier: true })).toEqual([]);
    expect(accountProblems({ customers: [], unknown_occupier: true })).toEqual([]);
    expect(accountProblems({ customers: [], unknown_occupier: false })).toEqual(['customers: empty']);
  });

  test('have their defaults filled in and nothing undocumented passed on', () => {
    const sent = account({
      nickname: 'x',
      customers: [{ given_name: 'A', shoe_size: 43, customer_preferences: { x: 1 } }],
    });
    expect(AccountPayload.parse(sent)).toEqual({
      import_supplier: 'NORTHWIND-2026',
      external_account_number: 'NW-1',
      account_type: 'DOMESTIC',
      communication_preference: 'ONLINE',
      customers: [{ given_name: 'A', customer_preferences: {} }],
    });
  });

  test.each([
    ['51 customers', 'customers', new Array(51).fill({ given_name: 'A' })],
    ['501 supply addresses', 'supply_addresses', new Array(501).fill(supplyAddress)],
    ['101 payment schedules', 'payment_schedules', new Array(101).fill({})],
    ['101 values of metadata', 'metadata', new Array(101).fill({ key: 'a', value: 'b' })],
  ])('are refused with %s', (_name, attr, items) => {
    expect(accountProblems({ [attr]: items })).toEqual([`${attr}: max_items`]);
    expect(accountProblems({ [attr]: items.slice(1) })).toEqual([]);
  });

  test('take any preference of the documented form, true or false', () => {
    const customer = (customer_preferences: unknown) =>
      account({ customers: [{ given_name: 'A', customer_preferences }] });
    expect(AccountPayload.parse(customer({ opted_into_sms: true, opted_out: 1 })).customers).toEqual([
      { given_name: 'A', customer_preferences: { opted_into_sms: true } },
    ]);
    expect(problems(AccountPayload, customer({ opted_into_sms: 'yes' }))).toEqual([
      'customers.0.customer_preferences.opted_into_sms: invalid',
    ]);
    expect(problems(AccountPayload, customer([]))).toEqual(['customers.0.customer_preferences: invalid']);
  });

  test('take an agreement that ends on the day it starts, and the period of one day', () => {
    const agreements = [{ tariff_code: 'T', effective_from: '2026-01-01', effective_to: '2026-01-01' }];
    const address = {
      ...supplyAddress,
      customer_at_supply_address_to_date: '2019-04-01',
      meter_points: [{ agreements }],
    };
    expect(accountProblems({ supply_addresses: [address] })).toEqual([]);
  });
});

describe('2.4 notes', () => {
  test('need a body or a document', () => {
    const document_paths = [{ document_path: 'a.pdf' }];
    expect(noteProblems({ body: 'x' }, { document_paths }, { body: 'x', document_paths })).toEqual([]);
    expect(noteProblems({})).toEqual(['notes.0.body: note_body_or_document_path_not_found']);
    expect(noteProblems({ document_paths: ['a.pdf', {}] })).toEqual([
      'notes.0.document_paths.0: invalid',
      'notes.0.document_paths.1.document_path: required',
    ]);
  });

  test('are unpinned only if pinned, and after their creation', () => {
    const note = { body: 'x', created_at: '2026-01-01T00:00:00Z', unpin_at: '2026-01-01T00:00:01Z' };
    expect(noteProblems({ ...note, is_pinned: true }, { ...note, is_pinned: false })).toEqual([]);
    expect(noteProblems(note)).toEqual(['notes.0.is_pinned: required']);
    const early = { ...note, is_pinned: true, unpin_at: '2025-12-31T23:59:59Z' };
    expect(noteProblems(early)).toEqual(['notes.0.unpin_at: note_unpin_at_earlier_than_creation_date']);
    const { created_at: _now, ...createdNow } = early;
    expect(noteProblems({ ...early, is_pinned: false }, createdNow)).toEqual([]);
  });

  test('have bodies of up to 65,536 characters, 1 to 1,000 of them in a request', () => {
    expect(noteProblems({ body: 'é'.repeat(65_536) })).toEqual([]);
    expect(noteProblems({ body: 'x'.repeat(65_537) })).toEqual(['notes.0.body: max_length']);
    expect(noteProblems()).toEqual(['notes: empty']);
    expect(noteProblems(...new Array(1_000).fill({ body: 'x' }))).toEqual([]);
  });
});

describe('2.5 transactions', () => {
  test('check and force by default', () => {
    expect(ImportTransactionsRequest.parse(transactionsRequest(charge))).toEqual({
      ...transactionsRequest(charge),
      check_previously_added: true,
      force_add_to_current_statement: true,
    });
  });

  test('have the fields of their kind, and drop those of another', () => {
    const [parsed] = ImportTransactionsRequest.parse(
      transactionsRequest({ ...charge, note: 'n', display_note: 'd', reference: 'r', line_items: 'x' }),
    ).transactions;
    expect(parsed).toEqual({ ...charge, note: 'n', display_note: 'd', reference: 'r' });
    expect(transactionProblems({ ...supplyCharge, line_items: [] })).toEqual(['transactions.0.line_items: empty']);
    expect(transactionProblems({ ...supplyCharge, line_items: undefined, product_code: undefined })).toEqual([
      'transactions.0.product_code: required',
      'transactions.0.line_items: required',
    ]);
  });

  test('may be zero, and negative but for repayments', () => {
    const kinds = ['CHARGE', 'CREDIT', 'SUPPLY_CHARGE', 'PAYMENT', 'REPAYMENT'];
    const refused = (amount: number | string) =>
      kinds.flatMap((type) => transactionProblems({ ...charge, ...supplyCharge, type, amount }));
    for (const amount of [0, '-0.00', 0.01]) expect(refused(amount)).toEqual([]);
    for (const amount of [-0.01, '-0.01']) expect(refused(amount)).toEqual(['transactions.0.amount: min_value']);
  });

  test('have lines that end on or after the day they start, and whole tax items', () => {
    const early = { ...lineItem, end_date: '2026-02-28', units: [1, 'x'] };
    const input = {
      ...supplyCharge,
      line_items: [{ ...lineItem, end_date: '2026-03-01' }, early],
      tax_items: [{ rate: 0.05 }],
    };
    expect(transactionProblems(input)).toEqual([
      'transactions.0.tax_items.0.amount: required',
      'transactions.0.tax_items.0.tax_type: required',
      'transactions.0.tax_items.0.value_taxed: required',
      'transactions.0.tax_items.0.unit_type: required',
      'transactions.0.line_items.1.units.1: invalid',
      'transactions.0.line_items.1.start_date: start_date_later_than_end_date',
    ]);
  });

  test('come 1 to 10,000 in a request', () => {
    expect(transactionProblems()).toEqual(['transactions: empty']);
    const many = new Array(10_001).fill(charge);
    expect(transactionProblems(...many)).toEqual(['transactions: max_items']);
  });
});

test('2.1 import_supplier is part of each payload', () => {
  const requests = [AccountPayload, ImportNotesRequest, ImportTransactionsRequest, ImportStatementsRequest];
  for (const schema of [...requests, ImportPaymentInstructionRequest]) {
    expect(problems(schema, {})).toContain('import_supplier: required');
  }
  expect(problems(ProcessAccountRequest, {})).toContain('import_supplier_code: required');
});

test('2.6 each of statement_id, bill_period_from_date and bill_period_to_date is a required field; statement_path, issued_date, number and gross_amount are optional', () => {
  const required = ['bill_period_from_date', 'bill_period_to_date', 'statement_id'] as const;
  const empty = statementProblems({});
  expect(empty).toEqual(required.map((field) => `statements.0.${field}: required`));
  const { bill_period_from_date, bill_period_to_date, statement_id } = statement;
  const bare = { bill_period_from_date, bill_period_to_date: bill_period_from_date, statement_id: `${statement_id}-0` };
  expect(statementProblems(bare, { ...statement, bill_period_to_date })).toEqual([]);
});

const items = {
  note: (fields: object) => noteProblems({ body: 'x', ...fields }),
  transaction: (fields: object) => transactionProblems({ ...charge, ...fields }),
  statement: (fields: object) => statementProblems({ ...statement, ...fields }),
  instruction: (fields: object) =>
    problems(ImportPaymentInstructionRequest, {
      ...{ import_supplier: 'A', external_account_number: '1', vendor: 'V', reference: 'R', type: 'CARD', ...fields },
    }),
};

test.each<[kind: keyof typeof items, wrong: Record<string, unknown>, code: string]>([
  ['note', { body: 1 }, 'invalid'],
  ['note', { is_pinned: 'true' }, 'invalid'],
  ['note', { created_at: '2026-02-30T00:00:00Z' }, 'invalid_datetime'],
  ['note', { external_id: '' }, 'blank'],
  ['note', { external_id: ' N-1' }, 'surrounding_white_space'],
  ['note', { external_id: 'x'.repeat(256) }, 'max_length'],
  ['transaction', { amount: null }, 'null'],
  ['transaction', { amount: '-' }, 'invalid'],
  ['transaction', { reverses: ' ' }, 'blank'],
  ['transaction', { to_prepay_meter_serial_number: 'x'.repeat(256) }, 'max_length'],
  ['transaction', { amount: 100_000_000_000 }, 'max_value'],
  ['transaction', { type: 'charge' }, 'invalid_choice'],
  ['transaction', { reason: undefined }, 'required'],
  ['transaction', { reason: 'imported charge' }, 'invalid'],
  ['transaction', { transaction_id: '' }, 'blank'],
  ['transaction', { transaction_id: 1 }, 'invalid'],
  ['transaction', { transaction_date: '2026-04-05T00:00:00Z' }, 'invalid_date'],
  ['statement', { bill_period_from_date: '2026-02-01' }, 'start_date_later_than_end_date'],
  ['statement', { issued_date: '1899-12-31' }, 'invalid_date'],
  ['statement', { issued_date: null }, 'null'],
  ['statement', { gross_amount: '£112.07' }, 'invalid'],
  ['statement', { gross_amount: 1.005 }, 'max_decimal_places'],
  ['statement', { number: 7 }, 'invalid'],
  ['statement', { statement_id: ' ' }, 'blank'],
  ['statement', { status: 'PAID' }, 'invalid_choice'],
  ['statement', { replaces: statement.statement_id }, 'contradicts_another_field'],
  ['statement', { replaces: 'x'.repeat(256) }, 'max_length'],
  ['statement', { due_date: '2026-02-30' }, 'invalid_date'],
  ['statement', { net_amount: 1.005 }, 'max_decimal_places'],
  ['statement', { tax_amount: null }, 'null'],
  ['statement', { currency: 'gbp' }, 'invalid'],
  ['instruction', { vendor: undefined }, 'required'],
  ['instruction', { reference: undefined }, 'required'],
  ['instruction', { reference: ' ' }, 'blank'],
  ['instruction', { reference: 'x'.repeat(256) }, 'max_length'],
  ['instruction', { type: undefined }, 'required'],
  ['instruction', { type: 'card' }, 'invalid'],
])('2.4 2.5 2.6 2.7 of a %s, %j is refused: %s', (kind, wrong, code) => {
  const [found, ...others] = items[kind](wrong);
  expect(found).toMatch(new RegExp(`${Object.keys(wrong)[0]}: ${code}$`));
  expect(others).toEqual([]);
});

test('4.3 a process call is no dry run unless it says so, as a boolean', () => {
  const request = { external_account_number: '1', import_supplier_code: 'A', operations_team_name: 'T' };
  expect(ProcessAccountRequest.parse(request).dry_run).toBe(false);
  for (const dry_run of ['false', 0, 'true']) {
    expect(problems(ProcessAccountRequest, { ...request, dry_run })).toEqual(['dry_run: invalid']);
  }
});

test('4.9 a list takes a limit of 1 to 10,000 and any supplier code, which may just not exist', () => {
  const valid = { import_supplier_code: 'no such supplier/', limit: 10_000, after: 'x' };
  expect(problems(ListAccountImportsRequest, valid)).toEqual([]);
  expect(problems(ListAccountImportsRequest, { ...valid, limit: '5' })).toEqual(['limit: invalid']);
  expect(problems(ListAccountImportsRequest, { ...valid, limit: 1.5 })).toEqual(['limit: invalid']);
  expect(problems(ListAccountImportsRequest, { ...valid, import_supplier_code: '\u0000' })).toEqual([
    'import_supplier_code: invalid_characters',
  ]);
});
