import { expect, test } from 'vitest';
import { broughtBy } from '../src/reader/brought-by.ts';

const NOTHING = { account: true, notes: 0, transactions: 0, statements: 0, types: [] };
const BLANK = { vendor: '', reference: null, type: {} };

test.for<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['a ledger with a balance alone', { ledgers: [{ last_statement_balance: '28.34' }] }, {}],
  ['a ledger with empty lists', { ledgers: [{ current_statement_transactions: '' }] }, {}],
  [
    'a ledger with a list',
    { ledgers: [{ historical_statement_transactions: [{}, { amount: 1 }] }] },
    { transactions: 2 },
  ],
  ['a ledger with a list by another name', { ledgers: [{ transactions: [{ amount: 1 }] }] }, { transactions: 1 }],
  [
    'a ledger with a balance, and an object without a list',
    { ledgers: [{ last_statement_balance: '1.00', meta: { name: 'GBP', lists: [] } }] },
    {},
  ],
  [
    'a ledger with an empty list, and another one by another name',
    { ledgers: [{ current_statement_transactions: [], transactions: [{ amount: 1 }] }] },
    { transactions: 1 },
  ],
  ['a ledger that is none', { ledgers: ['x'] }, { transactions: 1 }],
  ['an instruction without a value', { payment_instruction: BLANK, payment_instructions: {} }, {}],
  ['an instruction', { payment_instruction: { ...BLANK, type: 'CARD' } }, { types: ['CARD'] }],
  ['one without a type', { payment_instruction: { ...BLANK, vendor: 'STRIPE' } }, { types: [undefined] }],
  ['a note that is no list', { notes: { body: 'x' } }, { notes: 1 }],
  ['what is empty', { notes: '', transactions: {}, historical_transactions: null, statements: { a: '' } }, {}],
])('4.15.2 what a line was to bring: %s', ([, account, brought]) => {
  expect(broughtBy({ account })).toEqual({ ...NOTHING, ...brought });
});
