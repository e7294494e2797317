import { AccountPayload, moneyText, Note, Statement, Transaction } from '@causeway/contracts';
import { bookAsOf } from '../book-as-of.ts';
import { BUSINESS_PORTFOLIO } from '../business-portfolio.ts';
import { DUAL_FUEL } from '../dual-fuel.ts';
import { historyOf } from '../expected-read-back.ts';
import { PREPAY_WITH_DEBT } from '../prepay-with-debt.ts';
import type { RealisticBook } from '../realistic-book.ts';
import type { BookOptions, SampleAccount } from './sample-account.ts';

/** Accounts that carry their history, by position in the book: some early, so that a small book has them too. */
export const CARRIED: ReadonlyMap<number, RealisticBook> = new Map([
  [1, DUAL_FUEL],
  [2, PREPAY_WITH_DEBT],
  [4, BUSINESS_PORTFOLIO],
]);

/** What the import supplier needs for them: what does not add up is refused, and charities are a kind of account. */
export const NEEDED_SETTINGS: { balance_check: 'REFUSE'; account_types: string[] } = {
  balance_check: 'REFUSE',
  account_types: ['CHARITY'],
};

/** One of our realistic accounts, as one call sends it; written on the day of the book. */
export function carriedAccount(
  book: RealisticBook,
  { importSupplier, bookDate }: BookOptions,
  position: number,
): SampleAccount {
  const dated = bookAsOf(book, bookDate);
  const externalAccountNumber = `HV-${390_000 + position}`;
  const payload = {
    ...dated.account,
    import_supplier: importSupplier,
    external_account_number: externalAccountNumber,
  };
  const { notes, transactions, historical, statements } = historyOf(dated);
  const { transfer_balance = '0.00', payment_instruction } = AccountPayload.parse(payload);
  return {
    externalAccountNumber,
    payload,
    transferBalance: moneyText(transfer_balance),
    notes: notes.map((note) => Note.parse(note)),
    transactions: [...transactions, ...historical].map((transaction) => Transaction.parse(transaction)),
    statements: statements.map((statement) => Statement.parse(statement)),
    ...(payment_instruction && { paymentInstruction: payment_instruction }),
    isCarried: true,
  };
}
