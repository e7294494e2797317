import type { SampleAccount } from './book/sample-book.ts';
import { penceOf, sumOf } from './money.ts';
import type { ImportedKind, Outcome } from './outcome.ts';
import type { Stored, StoredBook } from './read-stored-book.ts';

/** One kind of thing in the book: `inBook` = `refused` + `stored`, of which `added` came with this run. */
export interface CountRow {
  label: string;
  inBook: number;
  refused: number;
  /** Counted in the database. */
  stored: number;
  added: number;
}

/** Money in pence: what was sent and accepted, and what the database adds up to. */
interface MoneyRow {
  label: string;
  sent: number;
  stored: number;
}

/** How many of a kind were refused with a code. */
interface RefusalRow {
  label: 'accounts' | 'transactions' | 'payment instructions';
  code: string;
  times: number;
}

/** The whole run in figures; `problems` is empty when every answer was expected and everything adds up. */
export interface Tally {
  counts: CountRow[];
  money: MoneyRow[];
  refusals: RefusalRow[];
  /** What was not sent, since its account was refused. */
  neverSent: Record<ImportedKind, number>;
  movedTransactions: number;
  problems: string[];
}

const TRANSACTION_TYPES = ['SUPPLY_CHARGE', 'CHARGE', 'PAYMENT', 'REPAYMENT', 'CREDIT'] as const;

/** Adds up what the answers said and holds it against what the database held before the run and holds after it. */
export function tallyOf(outcomes: readonly Outcome[], before: StoredBook, after: StoredBook): Tally {
  const counts = countRows(outcomes, before, after);
  const money = moneyRows(outcomes, after);
  const problems = [
    ...outcomes.flatMap(({ problem }) => problem ?? []),
    ...counts.filter((row) => row.inBook !== row.refused + row.stored).map(countProblem),
    ...addedProblems(outcomes, counts),
    ...money
      .filter((row) => row.sent !== row.stored)
      .map(({ label }) => `${label}: money stored is not the money sent`),
  ];
  const movedTransactions = sumOf(outcomes.map((outcome) => outcome.movedTransactions));
  return {
    counts,
    money,
    refusals: refusalRows(outcomes),
    neverSent: neverSent(outcomes),
    movedTransactions,
    problems,
  };
}

function countRows(outcomes: readonly Outcome[], before: StoredBook, after: StoredBook): CountRow[] {
  const row = (label: string, inBook: number, refused: number, rows: { before: Stored; after: Stored }) => {
    const { before: earlier, after: now } = rows;
    return { label, inBook, refused, stored: now.rows, added: now.rows - earlier.rows };
  };
  const imported = (label: string, kind: ImportedKind, size: (account: SampleAccount) => number) => {
    const key = kind === 'paymentInstruction' ? 'paymentInstructions' : kind;
    const inBook = sumOf(outcomes.map(({ account }) => size(account)));
    const refused = sumOf(outcomes.map((outcome) => outcome[kind].refused));
    return row(label, inBook, refused, { before: before[key], after: after[key] });
  };
  const refusedAccounts = outcomes.filter(({ fate }) => fate === 'refused').length;
  return [
    row('Accounts', outcomes.length, refusedAccounts, { before: before.accounts, after: after.accounts }),
    imported('Notes', 'notes', ({ notes }) => notes.length),
    imported('Transactions', 'transactions', ({ transactions }) => transactions.length),
    imported('Statements', 'statements', ({ statements }) => statements.length),
    imported('Payment instructions', 'paymentInstruction', ({ paymentInstruction }) => (paymentInstruction ? 1 : 0)),
  ];
}

function moneyRows(outcomes: readonly Outcome[], after: StoredBook): MoneyRow[] {
  const accepted = (kind: ImportedKind) =>
    outcomes.filter((outcome) => outcome[kind].stored > 0).map(({ account }) => account);
  const transactions = accepted('transactions').flatMap((account) => account.transactions);
  const statements = accepted('statements').flatMap((account) => account.statements);
  const created = outcomes.filter(({ serviceAccountNumber }) => serviceAccountNumber !== undefined);
  return [
    ...TRANSACTION_TYPES.map((type) => ({
      label: type,
      sent: sumOf(transactions.filter((one) => one.type === type).map(({ amount }) => penceOf(String(amount)))),
      stored: after.transactionsByType.get(type)?.pence ?? 0,
    })),
    {
      label: 'Historical statements',
      sent: sumOf(statements.map(({ gross_amount }) => penceOf(String(gross_amount)))),
      stored: after.statements.pence,
    },
    {
      label: 'Balances carried over',
      sent: sumOf(created.map(({ account }) => penceOf(account.transferBalance))),
      stored: after.accounts.pence,
    },
  ];
}

function refusalRows(outcomes: readonly Outcome[]): RefusalRow[] {
  const rowsOf = (label: RefusalRow['label'], refused: { refusal?: string; times: number }[]) => {
    const codes = [...new Set(refused.flatMap(({ refusal }) => refusal ?? []))].sort();
    return codes.map((code) => {
      const times = sumOf(refused.filter(({ refusal }) => refusal === code).map((one) => one.times));
      return { label, code, times };
    });
  };
  const ofKind = (kind: ImportedKind) => outcomes.map(({ [kind]: fates }) => ({ ...fates, times: fates.refused }));
  return [
    ...rowsOf(
      'accounts',
      outcomes.map((outcome) => ({ ...outcome, times: 1 })),
    ),
    ...rowsOf('transactions', ofKind('transactions')),
    ...rowsOf('payment instructions', ofKind('paymentInstruction')),
  ];
}

function neverSent(outcomes: readonly Outcome[]): Record<ImportedKind, number> {
  const refused = outcomes.filter(({ fate }) => fate === 'refused');
  const count = (kind: ImportedKind) => sumOf(refused.map(({ [kind]: fates }) => fates.refused));
  return {
    notes: count('notes'),
    transactions: count('transactions'),
    statements: count('statements'),
    paymentInstruction: count('paymentInstruction'),
  };
}

function countProblem({ label, inBook, refused, stored }: CountRow): string {
  return `${label}: ${inBook} in the book, but ${refused} refused and ${stored} stored`;
}

function addedProblems(outcomes: readonly Outcome[], counts: readonly CountRow[]): string[] {
  const told = new Map([
    ['Accounts', outcomes.filter(({ fate }) => fate === 'added').length],
    ['Notes', sumOf(outcomes.map(({ notes }) => notes.added ?? 0))],
    ['Transactions', sumOf(outcomes.map(({ transactions }) => transactions.added ?? 0))],
  ]);
  return counts.flatMap(({ label, added }) => {
    const answered = told.get(label) ?? added;
    return answered === added ? [] : [`${label}: ${answered} added say the answers, ${added} says the database`];
  });
}
