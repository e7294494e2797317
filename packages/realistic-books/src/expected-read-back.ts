import { AccountPayload, asStored, HISTORY_FIELDS, Note, Statement, Transaction } from '@causeway/contracts';
import type { RealisticBook } from './realistic-book.ts';

type Fields = Record<string, unknown>;
const listOf = (value: unknown) => (value ?? []) as Fields[];

/** What a service with the book answers when it is read back. */
export interface ExpectedReadBack {
  /** The account without its history. */
  account: Fields;
  notes: Fields[];
  /** By `transaction_id`. */
  transactions: Fields[];
  statements: Fields[];
  /** Absent: it has none. */
  paymentInstruction?: Fields;
}

/** What the book carries, whatever its spelling, as it is sent. */
export function historyOf({ account, stored = account }: RealisticBook) {
  const [ledger = {}] = listOf(stored.ledgers);
  return {
    notes: listOf(stored.notes),
    transactions: listOf(stored.transactions ?? ledger.current_statement_transactions),
    historical: listOf(stored.historical_transactions ?? ledger.historical_statement_transactions),
    statements: listOf(stored.statements),
    paymentInstruction: stored.payment_instruction as Fields | undefined,
    lastStatementBalance: (stored.last_statement_balance ?? ledger.last_statement_balance) as
      | string
      | number
      | undefined,
  };
}

/** All that was sent, with its defaults; its decimal numbers are strings. `reference` names the account. */
export function expectedReadBack(book: RealisticBook, reference: Fields): ExpectedReadBack {
  const { notes, transactions, historical, statements, paymentInstruction } = historyOf(book);
  const closed = historical.map((one) => ({ ...transactionOf(one), is_historical: true }));
  return {
    account: accountOf(book, reference),
    notes: notes.map((note) => asStored(Note, note) as Fields),
    transactions: [...transactions.map(transactionOf), ...closed].toSorted(byTransactionId),
    statements: statements.map((statement) => asStored(Statement, statement) as Fields),
    ...(paymentInstruction && { paymentInstruction }),
  };
}

function transactionOf(transaction: Fields): Fields {
  return asStored(Transaction, transaction) as unknown as Fields;
}

function accountOf(book: RealisticBook, reference: Fields): Fields {
  const { account, stored = account } = book;
  const fields = Object.entries(stored).filter(([name]) => !(HISTORY_FIELDS as readonly string[]).includes(name));
  const { lastStatementBalance } = historyOf(book);
  const sent = {
    account_type: 'DOMESTIC',
    communication_preference: 'ONLINE',
    ...Object.fromEntries(fields),
    ...(lastStatementBalance !== undefined && { last_statement_balance: lastStatementBalance }),
    ...reference,
  };
  return asStored(AccountPayload, sent) as unknown as Fields;
}

function byTransactionId(one: Fields, other: Fields): number {
  return String(one.transaction_id) < String(other.transaction_id) ? -1 : 1;
}
