import { isDeepStrictEqual } from 'node:util';
import {
  type AuditEvent,
  ReadAccountNotesResponse,
  ReadAccountStatementsResponse,
  ReadAccountTransactionsResponse,
  StoredAccount,
} from '@causeway/contracts';
import type { ExpectedReadBack, SampleAccount } from '@causeway/realistic-books';
import { penceOf, sumOf } from '@causeway/realistic-books';
import { bodyOf } from './answers.ts';
import type { SupplierAccess } from './import-account-data.ts';
import type { ImportedKind } from './outcome.ts';

/** What an account is read back with: the supplier's access, and the service team's view of its audit trail. */
export interface ReadContext extends SupplierAccess {
  /** Of the key that this run moves the book with: what it added is new. */
  apiKeyId: string;
  readTrail(externalAccountNumber: string): Promise<readonly AuditEvent[]>;
}

/** What an account has, as the service says; `added` is what its audit trail says that this run added. */
export interface HeldAccount {
  stored: StoredAccount;
  /** Whether its history came with it, in one call. */
  isCarried: boolean;
  added: Record<'accounts' | ImportedKind, number>;
  /** Carried over, in pence. */
  balance: number;
  notes: number;
  transactions: { type: string; pence: number }[];
  /** In pence, each. */
  statements: number[];
  paymentInstruction: number;
}

/**
 * Reads back what the service holds of an account (behaviour 4.16). Of notes, transactions and statements only those of
 * the book count: the service adds notes of its own, and a visitor may add others. An account that carried its history
 * is compared with it, field by field. Throws an Error for an answer that should not have been given.
 */
export async function readAccount(context: ReadContext, account: SampleAccount): Promise<HeldAccount> {
  const { client, importSupplier } = context;
  const path = `accounts/${importSupplier}/${encodeURIComponent(account.externalAccountNumber)}/`;
  const stored = bodyOf(await client.get(path), 200, StoredAccount);
  const allNotes = bodyOf(await client.get(`${path}notes/`), 200, ReadAccountNotesResponse);
  const allTransactions = bodyOf(await client.get(`${path}transactions/`), 200, ReadAccountTransactionsResponse);
  const allStatements = bodyOf(await client.get(`${path}statements/`), 200, ReadAccountStatementsResponse);
  const trail = await context.readTrail(account.externalAccountNumber);
  const bodies = new Set(account.notes.map(({ body }) => body));
  const transactionIds = new Set(account.transactions.map(({ transaction_id }) => transaction_id));
  const statementIds = new Set(account.statements.map(({ statement_id }) => statement_id));
  const transactions = allTransactions.filter(({ transaction_id }) => transactionIds.has(transaction_id));
  const statements = allStatements.filter(({ statement_id }) => statementIds.has(statement_id));
  if (account.expected) compare({ account: stored.account, transactions, statements }, account.expected);
  return {
    stored,
    isCarried: account.expected !== undefined,
    added: addedBy(trail.filter(({ api_key_id }) => api_key_id === context.apiKeyId)),
    balance: penceOf(stored.transfer_balance ?? '0.00'),
    notes: allNotes.filter(({ body }) => bodies.has(body)).length,
    transactions: transactions.map(({ type, amount }) => ({ type, pence: penceOf(String(amount)) })),
    // One without a gross amount is counted, and adds nothing.
    statements: statements.map(({ gross_amount }) => penceOf(String(gross_amount ?? '0.00'))),
    paymentInstruction: stored.figures.payment_instructions,
  };
}

function compare(held: Record<'account' | 'transactions' | 'statements', unknown>, expected: ExpectedReadBack): void {
  for (const part of ['account', 'transactions', 'statements'] as const) {
    if (!isDeepStrictEqual(held[part], expected[part])) throw new Error(`stored is not what was sent: its ${part}`);
  }
}

function addedBy(events: readonly AuditEvent[]): HeldAccount['added'] {
  const sum = (wanted: string, countOf: (detail: AuditEvent['detail']) => unknown = () => 1) =>
    sumOf(events.filter(({ action }) => action === wanted).map(({ detail }) => Number(countOf(detail))));
  return {
    accounts: sum('processed'),
    notes: sum('notes_imported', (detail) => detail?.notes),
    transactions: sum('transactions_imported', (detail) => {
      return Number(detail?.transactions) + Number(detail?.historical_transactions ?? 0);
    }),
    statements: sum('statements_imported', (detail) => detail?.statements),
    paymentInstruction: sum('payment_instruction_imported'),
  };
}
