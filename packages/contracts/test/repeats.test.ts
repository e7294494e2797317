import { expect, test } from 'vitest';
import { AccountPayload, differingFields, ImportStatementsRequest, ImportTransactionsRequest } from '../src/index.ts';
import {
  charge,
  lineItem,
  problems,
  statement,
  statementsRequest,
  supplyCharge,
  transactionProblems,
  transactionsRequest,
} from './support.ts';

const REPEATED = 'repeated_with_other_values';

test('4.5.13 a repeat in one request is refused by the first field that differs, wherever that is', () => {
  const others = [
    ['amount', { ...charge, amount: 12.31 }],
    ['reason', { ...charge, reason: 'OTHER' }],
    ['note', { ...charge, note: 'x' }],
    ['type', { ...charge, type: 'CREDIT' }],
  ] as const;
  for (const [field, other] of others) {
    const request = transactionsRequest(charge, { ...charge, transaction_id: 'T-9' }, other, charge);
    expect(problems(ImportTransactionsRequest, request)).toEqual([`transactions.2.${field}: ${REPEATED}`]);
  }
  const line = { ...supplyCharge, line_items: [{ ...lineItem, net_amount: 1.01 }] };
  expect(transactionProblems(supplyCharge, line)).toEqual([`transactions.1.line_items: ${REPEATED}`]);
});

test('4.5.13 a repeat whose every field is equal is good, in whatever order and however its numbers are spelt', () => {
  const { amount, ...rest } = charge;
  const line = { ...lineItem, net_amount: '1.000', number_of_units: '1' };
  const repeats = [charge, { amount, ...rest }, { ...charge, amount: '012.30' }];
  const request = transactionsRequest(...repeats, supplyCharge, { ...supplyCharge, line_items: [line] });
  expect(problems(ImportTransactionsRequest, request)).toEqual([]);
  const anew = { ...transactionsRequest(charge, { ...charge, amount: 1 }), check_previously_added: false };
  expect(problems(ImportTransactionsRequest, anew)).toEqual([]);
});

test('4.6.5 a statement twice in one request with other values is refused as such, by the field', () => {
  const { gross_amount: _same, ...rest } = statement;
  const request = statementsRequest(statement, { ...rest, gross_amount: '-0.00' }, { ...statement, number: '2' });
  expect(problems(ImportStatementsRequest, request)).toEqual([`statements.2.number: ${REPEATED}`]);
});

test('4.5.13 is checked beside other problems, among the items that have none', () => {
  const wrong = [{ ...charge, amount: 0.001 }, null, 7, { transaction_id: 'T-1' }];
  const request = transactionsRequest(charge, ...wrong, { ...charge, amount: 1 });
  const found = problems(ImportTransactionsRequest, request);
  expect(found).toEqual(
    expect.arrayContaining(['transactions.1.amount: max_decimal_places', `transactions.5.amount: ${REPEATED}`]),
  );
  expect(found.filter((problem) => problem.endsWith(REPEATED))).toHaveLength(1);
});

test('4.5.14 values are the same as numbers and as strings, but a text is not a number', () => {
  expect(differingFields({ amount: 12.3, reference: '007' }, { reference: '007', amount: '12.30' })).toEqual([]);
  expect(differingFields({ reference: '007' }, { reference: '7' })).toEqual(['reference']);
  expect(differingFields({ a: null }, {})).toEqual([]);
  expect(differingFields({ units: [1, 2] }, { units: ['1.0', 2.5] })).toEqual(['units']);
  expect(differingFields({ units: [1, 2] }, { units: [1] })).toEqual(['units']);
  expect(differingFields({ amount: [1] }, { amount: { 0: 1 } })).toEqual(['amount']);
});

test('4.17.20 a note of an account that is no object is at fault, and compared with no other', () => {
  const notes = [{ body: 'A', external_id: 'N-1' }, null, { body: 'B', external_id: 'N-1' }];
  const account = { import_supplier: 'A', external_account_number: '1', unknown_occupier: true, notes };
  expect(problems(AccountPayload, account)).toEqual(['notes.1: null', `notes.2.body: ${REPEATED}`]);
});

test('4.17.20 a repeated note is at fault by the first field that was sent, before those that have defaults', () => {
  const other = { body: 'B', external_id: 'N-1' };
  const notes = [{ body: 'A', external_id: 'N-1', is_pinned: true }, other];
  const account = { import_supplier: 'A', external_account_number: '1', unknown_occupier: true, notes };
  expect(problems(AccountPayload, account)).toEqual([`notes.1.body: ${REPEATED}`]);
  expect(problems(AccountPayload, { ...account, notes: [notes[0], { ...other, body: 'A' }] })).toEqual([
    `notes.1.is_pinned: ${REPEATED}`,
  ]);
});

test.each([null, 'ab', 7, {}])('4.17.20 transactions of a ledger that are %j are at fault, and no list', (list) => {
  const ledgers = [{ current_statement_transactions: list }];
  const account = { import_supplier: 'A', external_account_number: '1', unknown_occupier: true, ledgers };
  const [problem, ...others] = problems(AccountPayload, account);
  expect(problem).toMatch(/^ledgers\.0\.current_statement_transactions: (?:null|not_a_list)$/);
  expect(others).toEqual([]);
});
