import { AccountPayload, fieldErrorsOf, Note, Statement, Transaction, undocumentedFields } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween } from '../src/sample/calendar.ts';
import { penceOf, sumOf } from '../src/sample/money.ts';
import type { SampleAccount } from '../src/sample/sample-account.ts';
import { sampleBook } from '../src/sample/sample-book.ts';

const BOOK_DATE = '2026-03-17';
const OPTIONS = { seed: 'causeway', importSupplier: 'HARBOUR-VALE', bookDate: BOOK_DATE };
const wholeBook = sampleBook({ ...OPTIONS, accounts: 200 });
/** Those that the seed has drawn. */
const book = wholeBook.filter(({ isCarried }) => !isCarried);

// Faults that only the service can tell: its clock, its phone numbers and its staff.
const VALID_BY_SHAPE = ['invalid_phone_number', 'date_in_future'];

function payloadOf({ payload }: SampleAccount): AccountPayload {
  return AccountPayload.parse(payload);
}

const sound = book.filter(({ expectedRefusal }) => expectedRefusal === undefined);
const transactions = book.flatMap((account) => account.transactions);
const supplyCharges = transactions.filter((transaction) => transaction.type === 'SUPPLY_CHARGE');

describe('the sample book', () => {
  it('18.4 is the same for the same seed, and another one for another', () => {
    expect(sampleBook({ ...OPTIONS, accounts: 200 })).toEqual(wholeBook);
    expect(sampleBook({ ...OPTIONS, seed: 'another', accounts: 1 })).not.toEqual(wholeBook.slice(0, 1));
  });

  it('18.4 begins a large book with the small one', () => {
    expect(sampleBook({ ...OPTIONS, accounts: 12 })).toEqual(wholeBook.slice(0, 12));
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

  it('2.4 has two or three different notes an account', () => {
    for (const { notes } of book) {
      expect([2, 3]).toContain(notes.length);
      const keys = notes.map(({ body, document_paths }) => body ?? document_paths?.[0]?.document_path);
      expect(new Set(keys).size).toBe(notes.length);
    }
    expect(book.flatMap(({ notes }) => notes).some(({ is_pinned }) => is_pinned)).toBe(true);
    expect(book.flatMap(({ notes }) => notes).some(({ body }) => body === undefined)).toBe(true);
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

  it('2.5 has transactions of each type, and a few from before the open period', () => {
    const types = new Set(transactions.map(({ type }) => type));
    expect([...types].sort()).toEqual(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE']);
    const early = sound.filter((account) => {
      const { last_billed_to_date = '' } = payloadOf(account);
      return account.transactions.some(({ transaction_date }) => transaction_date <= last_billed_to_date);
    });
    expect(early.length).toBeGreaterThan(5);
    expect(early.length).toBeLessThan(40);
    for (const { transaction_date } of transactions) expect(transaction_date < BOOK_DATE).toBe(true);
  });

  it('2.6 has six to twelve statements an account, without a gap up to the last billed day', () => {
    for (const account of sound) {
      const { statements } = account;
      expect(statements.length).toBeGreaterThanOrEqual(6);
      expect(statements.length).toBeLessThanOrEqual(12);
      for (const [position, { bill_period_from_date }] of statements.entries()) {
        const before = statements[position - 1];
        if (before) expect(bill_period_from_date).toBe(addDays(before.bill_period_to_date, 1));
      }
      expect(statements.at(-1)?.bill_period_to_date).toBe(payloadOf(account).last_billed_to_date);
    }
  });

  it('4.7 has card instructions, a few of which the vendor refuses or cannot be asked about', () => {
    const instructions = book.flatMap(({ paymentInstruction }) => paymentInstruction ?? []);
    expect(instructions.length).toBeGreaterThan(20);
    const prefixes = instructions.map(({ reference }) => /^pm_(ok|missing|500)_\d{12}$/.exec(reference)?.[1]);
    expect(new Set(prefixes)).toEqual(new Set(['ok', 'missing', '500']));
    expect(prefixes.filter((prefix) => prefix !== 'ok')).toHaveLength(4);
  });

  it('18.4 looks real: kinds, fuels, debts and credits, diacritics, two styles of address', () => {
    const payloads = sound.map(payloadOf);
    const types = new Set(payloads.map(({ account_type }) => account_type));
    expect(types).toEqual(new Set(['DOMESTIC', 'BUSINESS', 'MANAGED', 'PORTFOLIO_LEAD']));
    expect(payloads.some(({ unknown_occupier }) => unknown_occupier)).toBe(true);
    expect(payloads.some(({ billing_address }) => billing_address)).toBe(true);
    expect(payloads.some(({ billing_address1 }) => billing_address1)).toBe(true);
    expect(payloads.some(({ transfer_balance = '0' }) => penceOf(String(transfer_balance)) < 0)).toBe(true);
    expect(payloads.some(({ transfer_balance = '0' }) => penceOf(String(transfer_balance)) > 0)).toBe(true);
    const supplyTypes = payloads.map(({ supply_addresses = [] }) => supply_addresses[0]?.meter_points?.length);
    expect(new Set(supplyTypes)).toEqual(new Set([1, 2]));
    const names = payloads.flatMap(({ customers = [] }) => customers.map(({ family_name = '' }) => family_name));
    expect(names.filter((name) => /[^\u0020-\u007e]/.test(name)).length).toBeGreaterThan(30);
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

  it('2.10 has readings that never go down, on the registers of their meter', () => {
    const meters = sound
      .flatMap((account) => payloadOf(account).supply_addresses ?? [])
      .flatMap((address) => (address.meter_points ?? []).flatMap(({ meters: ofPoint = [] }) => ofPoint));
    for (const { registers = [], reading_history = [], transfer_readings = [] } of meters) {
      for (const { register_id, number_of_digits = 0 } of registers) {
        const values = [...reading_history, ...transfer_readings]
          .filter((reading) => reading.register_id === register_id)
          .map(({ reading_value }) => Number(reading_value));
        expect(values).toHaveLength(5);
        expect(values.toSorted((one, other) => one - other)).toEqual(values);
        expect(Math.max(...values)).toBeLessThan(10 ** number_of_digits);
      }
    }
  });

  it('18.4 dates nothing but unpinnings after the day of the book', () => {
    const dated = JSON.stringify(sound.map(({ notes, ...account }) => account)).match(/\d{4}-\d\d-\d\d/g) ?? [];
    expect(dated.length).toBeGreaterThan(1_000);
    for (const date of dated) expect(daysBetween(date, BOOK_DATE)).toBeGreaterThanOrEqual(0);
  });
});
