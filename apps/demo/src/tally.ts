import type { Problem, StoredAccount } from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { penceOf, sumOf } from '@causeway/realistic-books';
import type { ImportedKind, Outcome } from './outcome.ts';
import type { Held, HeldBook } from './read-held-book.ts';

/** One kind of thing in the book: `inBook` = `refused` + `stored`, of which `added` came with this run. */
export interface CountRow {
  label: string;
  inBook: number;
  refused: number;
  /** Counted in what the service reads back. */
  stored: number;
  /** As its audit trail says. */
  added: number;
}

/** Money in pence: what was sent and accepted, and what the service reads back adds up to. */
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
  /** How many of the accounts came with their history: each was read back as it was sent, field by field. */
  carried: number;
  /** One of the accounts, as it is stored. */
  example: StoredAccount | undefined;
  /** What the service remembers as refused, by kind of problem. */
  openProblems: readonly Problem[];
  problems: string[];
}

const TRANSACTION_TYPES = ['SUPPLY_CHARGE', 'CHARGE', 'PAYMENT', 'REPAYMENT', 'CREDIT'] as const;

/** Adds up what was answered during the move, and compares it with what the service reads back. */
export function tallyOf(outcomes: readonly Outcome[], held: HeldBook): Tally {
  const counts = countRows(outcomes, held);
  const money = moneyRows(outcomes, held);
  const problems = [
    ...outcomes.flatMap(({ problem }) => problem ?? []),
    ...held.problems,
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
    carried: held.carried,
    example: held.example,
    openProblems: held.openProblems,
    problems,
  };
}

function countRows(outcomes: readonly Outcome[], held: HeldBook): CountRow[] {
  const row = (label: string, { inBook, refused }: { inBook: number; refused: number }, { rows, added }: Held) => {
    return { label, inBook, refused, stored: rows, added };
  };
  const sent = (kind: ImportedKind, size: (account: SampleAccount) => number) => ({
    inBook: sumOf(outcomes.map(({ account }) => size(account))),
    refused: sumOf(outcomes.map((outcome) => outcome[kind].refused)),
  });
  const refused = outcomes.filter(({ fate }) => fate === 'refused').length;
  const transactions = sent('transactions', (account) => account.transactions.length);
  const statements = sent('statements', (account) => account.statements.length);
  const paymentInstructions = sent('paymentInstruction', ({ paymentInstruction }) => (paymentInstruction ? 1 : 0));
  return [
    row('Accounts', { inBook: outcomes.length, refused }, held.accounts),
    row(
      'Notes',
      sent('notes', ({ notes }) => notes.length),
      held.notes,
    ),
    row('Transactions', transactions, held.transactions),
    row('Statements', statements, held.statements),
    row('Payment instructions', paymentInstructions, held.paymentInstructions),
  ];
}

function moneyRows(outcomes: readonly Outcome[], held: HeldBook): MoneyRow[] {
  const accepted = (kind: ImportedKind) =>
    outcomes.filter((outcome) => outcome[kind].stored > 0).map(({ account }) => account);
  const transactions = accepted('transactions').flatMap((account) => account.transactions);
  const statements = accepted('statements').flatMap((account) => account.statements);
  const created = outcomes.filter(({ serviceAccountNumber }) => serviceAccountNumber !== undefined);
  return [
    ...TRANSACTION_TYPES.map((type) => ({
      label: type,
      sent: sumOf(transactions.filter((one) => one.type === type).map(({ amount }) => penceOf(String(amount)))),
      stored: held.penceByType.get(type) ?? 0,
    })),
    {
      label: 'Historical statements',
      sent: sumOf(statements.flatMap(({ gross_amount: gross }) => (gross === undefined ? [] : penceOf(String(gross))))),
      stored: held.statements.pence,
    },
    {
      label: 'Balances carried over',
      sent: sumOf(created.map(({ account }) => penceOf(account.transferBalance))),
      stored: held.accounts.pence,
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
  const ofKind = (kind: ImportedKind) => outcomes.map(({ [kind]: sent }) => ({ ...sent, times: sent.refused }));
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
  const count = (kind: ImportedKind) => sumOf(refused.map(({ [kind]: sent }) => sent.refused));
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
    return answered === added ? [] : [`${label}: ${answered} added say the answers, ${added} says the audit trail`];
  });
}
