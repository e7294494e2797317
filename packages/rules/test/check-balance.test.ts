import { LIMITS } from '@causeway/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceOfAccount, balanceOfTransactions } from '../src/check-balance.ts';
import { refusedRemarks } from '../src/remarks/decide-remarks.ts';

let ids = 0;
const money = (type: string, amount: number | string) => {
  ids += 1;
  return { transaction_id: `T-${ids}`, type, amount };
};
/** A balance of 0.30 - 0.10 - 0.20 + 0.07 - 0.07 = 0.00, each in one spelling or the other. */
const open = () => [
  money('PAYMENT', 0.3),
  money('CHARGE', '0.1'),
  money('CHARGE', 0.2),
  money('CREDIT', '0.070'),
  money('REPAYMENT', 0.07),
];
const faultsOf = (payload: object) =>
  balanceOfAccount(payload).map(({ attr, detail }) => `${attr}: ${detail?.sent}, not ${detail?.computed}`);

test('4.17.12 the open transactions and the last statement add up to the balance, to the penny', () => {
  const last_statement_balance = '-48.20';
  expect(faultsOf({ transactions: open(), last_statement_balance, transfer_balance: '-48.2' })).toEqual([]);
  expect(faultsOf({ transactions: open(), last_statement_balance, transfer_balance: '48.20' })).toEqual([
    'transfer_balance: 48.20, not -48.20',
  ]);
  const large = [money('PAYMENT', '99999999999.99'), money('CHARGE', '99999999999.98')];
  expect(faultsOf({ transactions: large, last_statement_balance: '0', transfer_balance: '0.00' })).toEqual([
    'transfer_balance: 0.00, not 0.01',
  ]);
});

test('4.17.12 a payment that is taken back lowers the balance by what the payment has raised it, and zero changes nothing', () => {
  const transactions = [money('PAYMENT', 50), money('PAYMENT', '-50.00'), money('CREDIT', -0.01), money('CHARGE', 0)];
  expect(faultsOf({ transactions, last_statement_balance: '1.00', transfer_balance: '0.99' })).toEqual([]);
  expect(faultsOf({ transactions, last_statement_balance: '1.00', transfer_balance: '100.99' })).toEqual([
    'transfer_balance: 100.99, not 0.99',
  ]);
});

test('4.17.12 the closed history is the balance of the last statement, and takes its place if that is not sent', () => {
  const historical_transactions = [money('CHARGE', 100.1), money('PAYMENT', '52.05'), money('CHARGE', -0.05)];
  expect(faultsOf({ historical_transactions, last_statement_balance: '-48.00', transfer_balance: '-48.00' })).toEqual(
    [],
  );
  expect(faultsOf({ historical_transactions, last_statement_balance: '-48.01', transfer_balance: '-48.00' })).toEqual([
    'last_statement_balance: -48.01, not -48.00',
    'transfer_balance: -48.00, not -48.01',
  ]);
  expect(faultsOf({ historical_transactions, transactions: open(), transfer_balance: '-47.99' })).toEqual([
    'transfer_balance: -47.99, not -48.00',
  ]);
});

test('4.17.12 a ledger is judged like the other spelling, under its own path', () => {
  const current_statement_transactions = open();
  const ledgers = [
    {
      current_statement_transactions,
      historical_statement_transactions: [money('PAYMENT', 1)],
      last_statement_balance: '2',
    },
  ];
  expect(faultsOf({ ledgers, transfer_balance: '2.00' })).toEqual(['ledgers.0.last_statement_balance: 2.00, not 1.00']);
});

test('4.17.12 a repeat does not count, and a sum of which a part is missing or invalid is not judged', () => {
  const [first, ...others] = open();
  const repeated = {
    transactions: [first, ...others, first],
    last_statement_balance: '1.00',
    transfer_balance: '1.00',
  };
  expect(faultsOf(repeated)).toEqual([]);
  expect(faultsOf({ transactions: open(), transfer_balance: '5.00' })).toEqual([]);
  expect(faultsOf({ transactions: open(), last_statement_balance: '5.00' })).toEqual([]);
  expect(faultsOf({ last_statement_balance: '28.34', transfer_balance: '-48.20' })).toEqual([]);
  expect(faultsOf({ transactions: [], last_statement_balance: '28.34', transfer_balance: '-48.20' })).toEqual([]);
  const tooMany = Array.from({ length: LIMITS.transactions + 1 }, () => money('CHARGE', 1));
  expect(faultsOf({ transactions: tooMany, historical_transactions: open(), transfer_balance: '9' })).toEqual([]);
  expect(
    faultsOf({ transactions: [...open(), money('CHARGE', 'x')], last_statement_balance: '1', transfer_balance: '9' }),
  ).toEqual([]);
});

const charge = (amount: unknown, net: unknown[], tax?: unknown[]) => ({
  transaction_id: 'S',
  type: 'SUPPLY_CHARGE',
  amount,
  line_items: net.map((net_amount) => ({ net_amount })),
  ...(tax === undefined ? {} : { tax_items: tax.map((part) => ({ amount: part })) }),
});

test.each([
  [80.37, [76.54], [3.83]],
  ['80.37', ['76.54'], ['3.83']],
  [0.3, [0.1, 0.2], undefined],
  [1.01, [1.005], undefined],
  [1, [1.005], undefined],
  ['99999999999.99', ['99999999999.98', '0.0149999999'], []],
  [-5, [-4.5], [-0.5]],
])('4.17.13 a charge of %j is the sum of %j and %j', (amount, net, tax) => {
  expect(balanceOfTransactions({ transactions: [charge(amount, net, tax)] })).toEqual([]);
});

test.each([
  [80.38, [76.54], [3.83], '80.38', '80.37'],
  ['80.37', ['76.54'], undefined, '80.37', '76.54'],
  [1, [1.0050000001], undefined, '1.00', '1.0050000001'],
  ['99999999999.99', ['99999999999.97', '0.0149999999'], [], '99999999999.99', '99999999999.9849999999'],
])('4.17.13 a charge of %j is not the sum of %j and %j', (amount, net, tax, sent, computed) => {
  const transactions = [charge(1, [1]), charge(amount, net, tax)];
  expect(balanceOfTransactions({ transactions })).toEqual([
    { code: 'balance_does_not_add_up', attr: 'transactions.1.amount', detail: { sent, computed } },
  ]);
});

test('4.17.13 sums of JSON numbers and of the same numbers as text are judged alike', () => {
  const pence = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(fc.array(pence, { minLength: 1, maxLength: 100 }), pence, fc.boolean(), (parts, other, adds) => {
      const sum = adds ? parts.reduce((one, another) => one + another, 0) : other;
      const asNumber = (value: number) => Number((value / 100).toFixed(2));
      const asText = (value: number) => (value / 100).toFixed(2);
      const faults = [asNumber, asText].map((write: (value: number) => number | string) =>
        balanceOfTransactions({ transactions: [charge(write(sum), parts.map(write))] }),
      );
      expect(faults[0]).toEqual(faults[1]);
      if (adds) expect(faults[0]).toEqual([]);
    }),
  );
});

test('4.17.12 whatever else is sent is left to the schema', () => {
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      const transactions = [anything, charge(anything, [anything]), { type: 'SUPPLY_CHARGE', line_items: anything }];
      const sent = [
        anything,
        { ledgers: anything },
        { transactions: anything, transfer_balance: anything },
        { transactions },
      ];
      for (const payload of sent) expect(() => balanceOfAccount(payload)).not.toThrow();
      expect(() => balanceOfTransactions({ transactions })).not.toThrow();
    }),
  );
});

test('4.17.12 texts of any length are read, without keeping the event loop', () => {
  const zeros = '0'.repeat(1_000_000);
  for (const transfer_balance of [`${zeros}x`, `${zeros}1`, `1.${zeros}x`, `1.${zeros}1`, `-${zeros}`]) {
    expect(faultsOf({ transactions: open(), last_statement_balance: '0', transfer_balance })).toEqual([]);
  }
});

test('4.17.14 a refusal has no more errors of amounts than it reports', () => {
  const transactions = Array.from({ length: 10_000 }, () => charge('2.00', ['1.00'], []));
  const settings = { balance_check: 'REFUSE', undocumented_fields: 'REPORT', country: 'GB' } as const;
  const errors = refusedRemarks({
    ...{ request: { transactions }, mayHaveDoubtfulText: true, today: '2026-04-17', find: balanceOfTransactions },
    settings: { suspect_data: 'OFF', suspect_data_by_code: {}, ...settings },
  });
  expect(errors).toHaveLength(LIMITS.reported_errors);
  expect(errors[0]).toMatchObject({ code: 'balance_does_not_add_up', attr: 'transactions.0.amount' });
});
