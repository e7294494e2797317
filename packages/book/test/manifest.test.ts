import type { ManifestTotals } from '@causeway/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccountLine,
  addLines,
  addParts,
  contradictions,
  type LineClaims,
  manifestLineOf,
  readBookLine,
  readManifestLine,
  totalsInOneSpelling,
  totalsOf,
} from '../src/index.ts';
import { aCharge, anAccount, SETTINGS, withSupplier } from './support.ts';

const read = (line: unknown) =>
  readManifestLine(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)), {
    importSupplier: 'HARBOUR-VALE',
  });
const errorsOf = (line: unknown) => {
  const result = read(line);
  return 'errors' in result ? result.errors.map(({ code, attr }) => `${attr} ${code}`) : [];
};
const LINE = { external_account_number: 'HV-1' };

describe('a line of a manifest', () => {
  test('22.2.1 claims what it says, in one spelling, and nothing else', () => {
    const by_type = { CHARGE: { count: 1, amount: 76.5 }, CREDIT: { count: 0, amount: 0 } };
    const line = { ...LINE, import_supplier: 'HARBOUR-VALE', transfer_balance: '-048.2', transactions: 1, by_type };
    const result = read(line);
    expect('line' in result && JSON.parse(JSON.stringify(result.line))).toEqual({
      external_account_number: 'HV-1',
      transfer_balance: '-48.20',
      transactions: 1,
      by_type: { CHARGE: { count: 1, amount: '76.50' } },
    });
  });

  test.each([
    [{}, 'external_account_number required'],
    [{ ...LINE, import_supplier: 'FOREIGN-1' }, 'import_supplier invalid'],
    [{ ...LINE, notes: -1 }, 'notes min_value'],
    [{ ...LINE, notes: 1.5 }, 'notes invalid'],
    [{ ...LINE, notes: null }, 'notes null'],
    [{ ...LINE, transactions: 1_000_001 }, 'transactions max_value'],
    [{ ...LINE, transactions_sum: '1000000000000000' }, 'transactions_sum max_value'],
    [{ ...LINE, transfer_balance: '0.001' }, 'transfer_balance max_decimal_places'],
    [{ ...LINE, transfer_balance: 123_456_789_012 }, 'transfer_balance max_value'],
    [{ ...LINE, statements_gross: 'much' }, 'statements_gross invalid'],
    [{ ...LINE, payment_instruction: 1 }, 'payment_instruction invalid'],
    [{ ...LINE, fingerprint: 12 }, 'fingerprint invalid'],
    ['{"external_account_number":"HV-1"', ' invalid_json'],
    ['[]', ' not_an_object'],
  ])('22.2.4 is refused by its fields: %j', (line, error) => {
    expect(errorsOf(line)).toEqual([error]);
  });

  test('22.1.4 is refused with a figure of another name', () => {
    const by_type = { CHARGE: { count: 1, amount: '1.00', sum: 1 }, FEE: { count: 1, amount: '1.00' } };
    expect(errorsOf({ ...LINE, note: 1, by_type })).toEqual([
      'by_type.CHARGE.sum undocumented_field',
      'by_type.FEE undocumented_field',
      'note undocumented_field',
    ]);
  });

  test('22.1.4 is refused if its types do not add up to all of its transactions', () => {
    const by_type = { CHARGE: { count: 1, amount: '76.54' }, PAYMENT: { count: 1, amount: '28.34' } };
    expect(errorsOf({ ...LINE, transactions: 2, transactions_sum: '104.88', by_type })).toEqual([]);
    expect(errorsOf({ ...LINE, transactions: 3, transactions_sum: '104.89', by_type })).toEqual([
      'transactions control_differs',
      'transactions_sum control_differs',
    ]);
  });
});

const amount = fc.integer({ min: -1e12, max: 1e12 }).map((pence) => (pence / 100).toFixed(2));
const claims: fc.Arbitrary<LineClaims> = fc.record(
  {
    external_account_number: fc.constant('HV-1'),
    transfer_balance: amount,
    notes: fc.nat(20),
    transactions_sum: amount,
    by_type: fc.record({ CHARGE: fc.record({ count: fc.nat(9), amount }) }, { requiredKeys: [] }),
    payment_instruction: fc.boolean(),
  },
  { requiredKeys: ['external_account_number', 'notes'] },
);

describe('lines', () => {
  test('22.5.2 add up to the same however they are cut into parts', () => {
    fc.assert(
      fc.property(fc.array(claims, { minLength: 1 }), fc.nat(5), (lines, cut) => {
        const parts = addParts([addLines(lines.slice(0, cut)), addLines(lines.slice(cut))]);
        expect(parts).toEqual(addLines(lines));
        expect(contradictions(totalsOf(parts), parts)).toEqual([]);
      }),
    );
  });

  test('22.5.2 add up exactly, where a double would not', () => {
    const lines = Array.from({ length: 3 }, () => ({ ...LINE, transactions_sum: '90071992547409.93' }));
    expect(totalsOf(addLines(lines))).toEqual({ accounts: 3, transactions_sum: '270215977642229.79' });
  });

  test('22.3.1 that do not add up to the totals are named figure by figure, with both values', () => {
    const line = {
      ...LINE,
      transfer_balance: '-48.20',
      notes: 1,
      by_type: { CHARGE: { count: 1, amount: '76.54' } },
      payment_instruction: true,
    };
    const added = addLines([line, { ...line, external_account_number: 'HV-2' }]);
    const right: ManifestTotals = {
      accounts: 2,
      transfer_balance: '-96.40',
      notes: 2,
      by_type: { CHARGE: { count: 2, amount: '153.08' } },
      payment_instructions: 2,
    };
    expect(contradictions(right, added)).toEqual([]);
    const wrong: ManifestTotals = {
      accounts: 3,
      transfer_balance: '-96.41',
      notes: 1,
      by_type: { CHARGE: { count: 1, amount: '153.08' }, PAYMENT: { count: 1, amount: '0.01' } },
      payment_instructions: 0,
    };
    expect(contradictions(wrong, added).map(({ attr, detail }) => `${attr}: ${detail}`)).toEqual([
      'totals.accounts: The total is 3, and the lines add up to 2.',
      'totals.transfer_balance: The total is -96.41, and the lines add up to -96.40.',
      'totals.notes: The total is 1, and the lines add up to 2.',
      'totals.payment_instructions: The total is 0, and the lines add up to 2.',
      'totals.by_type.CHARGE.count: The total is 1, and the lines add up to 2.',
      'totals.by_type.PAYMENT.count: The total is 1, and the lines add up to 0.',
      'totals.by_type.PAYMENT.amount: The total is 0.01, and the lines add up to 0.00.',
    ]);
  });

  test('22.3.2 that do not claim a figure of the totals leave it unchecked, which is named', () => {
    const added = addLines([LINE, { ...LINE, notes: 2 }]);
    const totals = { accounts: 2, notes: 2, by_type: {} };
    expect(contradictions(totals, added)).toMatchObject([
      { attr: 'totals.notes', detail: expect.stringContaining('1 line does not claim') },
      { attr: 'totals.by_type', detail: expect.stringContaining('2 lines do not claim') },
    ]);
  });

  test('22.3.1 are compared with totals whatever their spelling', () => {
    const totals = totalsInOneSpelling({
      accounts: 1,
      transactions_sum: 1.5,
      by_type: { CREDIT: { count: 0, amount: '0' } },
    });
    expect(totals).toEqual({ accounts: 1, transactions_sum: '1.50', by_type: {} });
  });
});

describe('the manifest of a book', () => {
  function lineOf(fields: object, settings = SETTINGS): AccountLine {
    const result = readBookLine(Buffer.from(JSON.stringify(fields)), settings);
    if (!('line' in result) || result.line.kind !== 'account') throw new Error(JSON.stringify(result));
    return result.line;
  }
  const payment = {
    transaction_id: 'T-9',
    transaction_date: '2026-02-14',
    type: 'PAYMENT',
    amount: '28.34',
    payment_type: 'DD_REGULAR_COLLECTION',
  };
  const bill = {
    statement_id: 'S-1',
    bill_period_from_date: '2026-01-01',
    bill_period_to_date: '2026-01-31',
    issued_date: '2026-02-03',
    number: '1',
    gross_amount: '112.07',
  };

  test('22.5.1 claims every figure of a line, closed history included, what it repeats once', () => {
    const account = anAccount({ last_billed_to_date: '2026-02-28', historical_transactions: [payment] });
    const history = {
      transactions: [aCharge(1), aCharge(1)],
      statements: [bill],
      notes: [{ body: 'a' }, { body: 'b' }],
    };
    const claimed = manifestLineOf(lineOf({ account, ...history }));
    expect(claimed).toMatchObject({
      external_account_number: 'HV-1',
      transfer_balance: '0.00',
      notes: 2,
      transactions: 2,
      transactions_sum: '40.64',
      by_type: { CHARGE: { count: 1, amount: '12.30' }, PAYMENT: { count: 1, amount: '28.34' } },
      statements: 1,
      statements_gross: '112.07',
      payment_instruction: false,
    });
    expect(BigInt(claimed.fingerprint ?? '0')).toBeGreaterThan(0n);
    expect('line' in read(JSON.stringify(claimed))).toBe(true);
  });

  test('22.5.1 does not claim notes of which two might be the same', () => {
    const claimed = manifestLineOf(lineOf({ account: anAccount(), notes: [{ body: 'a' }, { body: 'a' }] }));
    expect(claimed.notes).toBeUndefined();
  });

  test('22.2.1 has gross amounts in pounds, also of statements that are sent in pence', () => {
    const line = lineOf(
      { account: anAccount(), statements: [{ ...bill, gross_amount: 11207 }] },
      withSupplier({ statement_amount_unit: 'MINOR' }),
    );
    expect(manifestLineOf(line, 'MINOR').statements_gross).toBe('112.07');
  });
});
