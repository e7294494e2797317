import { expect, test } from 'vitest';
import { AccountPayload, hasMadeUpName, ImportTransactionsRequest, kindOfPath } from '../src/index.ts';
import { documentedPaths } from '../src/schemas-at-path.ts';

test.each([
  ['', ''],
  ['transfer_balance', 'transfer_balance'],
  ['customers.3.landline', 'customers.*.landline'],
  ['customers.*.landline', 'customers.*.landline'],
  ['customers.3.made_up', 'customers.*.*'],
  ['customers.3.landline.made_up.further', 'customers.*.landline.*'],
  ['customers.0.customer_preferences.opted_into_anything', 'customers.*.customer_preferences.*'],
  ['transactions.17.transaction_date', 'transactions.*.transaction_date'],
  ['made_up.customers.0', '*'],
  ['?', '*'],
  ['toString', '*'],
  ['__proto__', '*'],
])('4.15.7 of a path the names are left that are documented at their place: %j', (path, kind) => {
  expect(kindOfPath([AccountPayload, ImportTransactionsRequest], path)).toBe(kind);
});

test.each([
  ['', false],
  ['customers.3.landline', false],
  ['customers.*.landline', false],
  ['07700900123', true],
  ['customers.19850412', true],
  ['customers.0.19850412', true],
  ['customers.0.landline.0', true],
])(
  '14.3.5 below a list a number is an index, anywhere else it is a name that somebody has made up: %j',
  (path, isMadeUp) => {
    expect(hasMadeUpName([AccountPayload], path)).toBe(isMadeUp);
  },
);

test('4.15.7 every documented path is a kind of its own', () => {
  for (const path of documentedPaths(AccountPayload)) {
    expect(kindOfPath([AccountPayload], path)).toBe(path.replaceAll(/(^|\.)0(?=\.|$)/g, '$1*'));
  }
});
