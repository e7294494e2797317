import { AccountPayload, fieldErrorsOf, Note, Statement, Transaction, undocumentedFields } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { penceOf, sumOf } from '../src/sample/money.ts';
import { sampleBook } from '../src/sample/sample-book.ts';

const BOOK_DATE = '2026-03-17';
const OPTIONS = { seed: 'causeway', importSupplier: 'HARBOUR-VALE', bookDate: BOOK_DATE };
const wholeBook = sampleBook({ ...OPTIONS, accounts: 200 });
/** Those that the seed has drawn. */
const book = wholeBook.filter(({ isCarried }) => !isCarried);

// Faults that only the service can tell: its clock, its phone numbers and its staff.
const VALID_BY_SHAPE = ['invalid_phone_number', 'date_in_future'];

const sound = book.filter(({ expectedRefusal }) => expectedRefusal === undefined);
const supplyCharges = book
  .flatMap(({ transactions }) => transactions)
  .filter((transaction) => transaction.type === 'SUPPLY_CHARGE');

describe('the sample book', () => {
  it('18.4 is the same for the same seed, and another one for another', () => {
    expect(sampleBook({ ...OPTIONS, accounts: 200 })).toEqual(wholeBook);
    expect(sampleBook({ ...OPTIONS, seed: 'another', accounts: 1 })).not.toEqual(wholeBook.slice(0, 1));
  });

  it('18.4 keeps account numbers, transaction ids and statement ids apart', () => {
    for (const ids of [
      wholeBook.map((account) => account.externalAccountNumber),
      wholeBook.flatMap((account) => account.transactions.map((transaction) => transaction.transaction_id)),
      wholeBook.flatMap((account) => account.statements.map((statement) => statement.statement_id)),
    ]) {
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('2.10 has only valid and documented fields in accounts without a fault', () => {
    for (const { externalAccountNumber, payload } of sound) {
      const { error } = AccountPayload.safeParse(payload);
      expect([externalAccountNumber, error && fieldErrorsOf(error, payload)]).toEqual([
        externalAccountNumber,
        undefined,
      ]);
      expect(undocumentedFields(AccountPayload, payload)).toEqual([]);
    }
  });

  it('18.4 gives each account with a fault that one fault only', () => {
    const faulty = book.filter(({ expectedRefusal }) => expectedRefusal !== undefined);
    expect(faulty).toHaveLength(11);
    for (const { payload, expectedRefusal = '', skipReason } of faulty) {
      const { error } = AccountPayload.safeParse(payload);
      const codes = error ? fieldErrorsOf(error, payload).map(({ code }) => code) : [];
      const isSound = VALID_BY_SHAPE.includes(expectedRefusal) || skipReason !== undefined;
      expect([expectedRefusal, ...codes]).toEqual([expectedRefusal, ...(isSound ? [] : [expectedRefusal])]);
    }
  });

  it('2.4 2.5 2.6 has only valid notes, transactions and statements', () => {
    for (const { notes, transactions: ofAccount, statements } of book) {
      for (const note of notes) expect(Note.parse(note)).toEqual(note);
      for (const transaction of ofAccount) expect(Transaction.parse(transaction)).toEqual(transaction);
      for (const statement of statements) expect(Statement.parse(statement)).toEqual(statement);
    }
  });

  it('2.5 makes each supply charge of its lines and their VAT, to the penny', () => {
    const pence = (pounds: number | string) => penceOf(String(pounds));
    expect(supplyCharges.length).toBeGreaterThan(200);
    for (const { amount, line_items, tax_items = [] } of supplyCharges) {
      const net = sumOf(line_items.map(({ net_amount }) => pence(net_amount)));
      const [tax] = tax_items;
      expect(pence(tax?.value_taxed ?? 0)).toBe(net);
      expect(pence(tax?.amount ?? 0)).toBe(Math.round(net * Number(tax?.rate ?? 0)));
      expect(pence(amount)).toBe(net + pence(tax?.amount ?? 0));
      const [consumption] = line_items;
      const weeks = consumption?.units?.map((units) => Math.round(Number(units) * 10)) ?? [];
      expect(sumOf(weeks)).toBe(Math.round(Number(consumption?.number_of_units ?? 0) * 10));
    }
  });

  it('18.4 reaches nobody: example domains and numbers that are kept free', () => {
    const customers = wholeBook.flatMap(({ payload }) => (payload as AccountPayload).customers ?? []);
    for (const { email = 'nobody@example.com' } of customers) expect(email).toMatch(/@example\.(com|org)$/);
    const landlines = /^0(1632 960\d|20 7946 0|29 2018 0|191 498 0|1(13|14|15|16|17|18|21|31|41|51|61) 496 [01])\d{3}/;
    for (const { mobile = '07700 900000', landline = '01632 960000' } of customers) {
      expect(mobile).toMatch(/^(07700|\+44 7700) 900\d{3}$/);
      expect(`${landline}0`).toMatch(landlines);
    }
  });
});
