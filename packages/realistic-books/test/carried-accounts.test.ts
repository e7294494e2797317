import { AccountPayload, fieldErrorsOf, undocumentedFields } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { REALISTIC_BOOKS } from '../src/index.ts';
import { CARRIED, NEEDED_SETTINGS } from '../src/sample/carried-accounts.ts';
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
});
