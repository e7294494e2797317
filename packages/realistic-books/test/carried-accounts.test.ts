import { AccountPayload, fieldErrorsOf, undocumentedFields } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { REALISTIC_BOOKS } from '../src/index.ts';
import { CARRIED, NEEDED_SETTINGS } from '../src/sample/carried-accounts.ts';
import { penceOf, sumOf } from '../src/sample/money.ts';
import { sampleBook } from '../src/sample/sample-book.ts';

const OPTIONS = { seed: 'causeway', importSupplier: 'HARBOUR-VALE' };
const LAST_OF_FEBRUARY = '2028-02-29';
const datedOn = (bookDate: string, accounts = 5) =>
  sampleBook({ ...OPTIONS, bookDate, accounts }).filter(({ isCarried }) => isCarried);

describe('the accounts of the book that carry their history', () => {
  it('18.8 are three of the realistic ones, as early as in a book of five', () => {
    expect(datedOn('2026-03-17', 200)).toHaveLength(3);
    expect(datedOn('2026-03-17')).toEqual(datedOn('2026-03-17', 200));
    for (const realistic of CARRIED.values()) expect(REALISTIC_BOOKS).toContain(realistic);
  });

  it.each([...CARRIED.values()])('18.8 $name: the settings of the demo are those that it needs', ({ settings }) => {
    const { code: _its, ...needed } = settings as { account_types?: string[] } & Record<string, unknown>;
    const { account_types = [], ...others } = needed;
    expect(NEEDED_SETTINGS).toMatchObject(others);
    expect(NEEDED_SETTINGS.account_types).toEqual(expect.arrayContaining(account_types));
  });

  it.each(['2019-01-01', '2026-04-20', LAST_OF_FEBRUARY])(
    '18.8 are valid and documented in a book of %s, and carry their history',
    (bookDate) => {
      for (const { payload, notes, transactions, statements, externalAccountNumber } of datedOn(bookDate)) {
        const { error } = AccountPayload.safeParse(payload);
        expect(error && fieldErrorsOf(error, payload)).toBeUndefined();
        expect(undocumentedFields(AccountPayload, payload)).toEqual([]);
        expect(payload).toMatchObject({ external_account_number: externalAccountNumber });
        expect(notes.length + transactions.length + statements.length).toBeGreaterThan(0);
      }
    },
  );

  it.each(['2019-01-01', LAST_OF_FEBRUARY])('18.4 were billed before the day of the book: %s', (bookDate) => {
    for (const { payload, transactions, statements } of datedOn(bookDate)) {
      const { last_billed_to_date = '' } = AccountPayload.parse(payload);
      expect(last_billed_to_date < bookDate).toBe(true);
      for (const { transaction_date } of transactions) expect(transaction_date < bookDate).toBe(true);
      const billed = statements.map(({ bill_period_to_date }) => bill_period_to_date).toSorted();
      if (billed.length > 0) expect(billed.at(-1)).toBe(last_billed_to_date);
    }
  });

  it('18.4 have the same amounts on any day', () => {
    const sums = (bookDate: string) =>
      datedOn(bookDate).map(({ transactions }) => sumOf(transactions.map(({ amount }) => penceOf(String(amount)))));
    expect(sums('2019-01-01')).toEqual(sums(LAST_OF_FEBRUARY));
    expect(sums('2019-01-01')).toHaveLength(3);
  });
});
