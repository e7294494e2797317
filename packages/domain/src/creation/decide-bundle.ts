import { type AccountPayload, type FieldError, historyOfAccount, LIMITS } from '@causeway/contracts';
import { accountNumberIn, checkVendor, faultsOfIdentifiers, identifiersInHistory } from '@causeway/rules';
import { decideNotes, noteRecord, supportNoteRecord } from '../notes/decide-notes.ts';
import type { Context } from '../shared/context.ts';
import { dayAfter } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { decideStatements, type StatementRecord } from '../statements/decide-statements.ts';
import {
  type AskedTransactions,
  decideTransactions,
  openStatementPeriod,
  type TransactionRecord,
} from '../transactions/decide-transactions.ts';

/** An audit event of the creation, except for who and when. */
export interface BundleEvent {
  action: string;
  detail: Record<string, unknown>;
}

/** The rows of a history, and the audit events that the separate imports would write. */
export interface BundleRows {
  notes: Record<string, unknown>[];
  transactions: TransactionRecord[];
  historical_transactions: TransactionRecord[];
  statements: StatementRecord[];
  events: BundleEvent[];
}

/** When the account is created. */
export interface BundleTime {
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
  /** YYYY-MM-DDTHH:MM:SSZ. */
  now: string;
}

/** How open transactions are added, as in their separate import. */
export type TransactionOptions = Omit<AskedTransactions, 'transactions'>;

const AS_USUAL: TransactionOptions = { check_previously_added: true, force_add_to_current_statement: true };

/**
 * Decides the history of a new account by the rules of the separate imports, in their order (behaviour 4.17): notes,
 * transactions, statements. Closed history keeps its dates: no statement period applies to it. Refuses as the imports
 * do, with the paths of the payload.
 */
export function decideBundle(
  payload: Partial<AccountPayload>,
  { today, now }: BundleTime,
  asked = AS_USUAL,
): BundleRows {
  const { paths, payment_instructions: _confirmed, ...history } = historyOfAccount(payload);
  const billedTo = payload.last_billed_to_date;
  const period = openStatementPeriod(billedTo === undefined ? today : dayAfter(billedTo), today);
  const { added: notes } = decideNotes(history.notes, [], now);
  const closed = under(paths.historical_transactions, () =>
    decideTransactions({ transactions: history.historical_transactions, ...AS_USUAL }, []),
  );
  const open = under(paths.transactions, () =>
    decideTransactions({ transactions: history.transactions, ...asked }, [], period),
  );
  const { added: statements } = decideStatements(history.statements, []);
  const supportNotes = open.notes.map((body) => supportNoteRecord(body, now));
  const money = { transactions: open.added.length };
  const withClosed = { ...money, historical_transactions: closed.added.length };
  return {
    notes: [...notes.map(noteRecord), ...supportNotes],
    transactions: open.added,
    historical_transactions: closed.added,
    statements,
    events: [
      ...eventOf('notes_imported', { notes: notes.length }),
      ...eventOf('transactions_imported', closed.added.length === 0 ? money : withClosed),
      ...eventOf('statements_imported', { statements: statements.length }),
    ],
  };
}

/** None where nothing was added, as with the separate imports. */
function eventOf(action: string, detail: Record<string, number>): BundleEvent[] {
  return Object.values(detail).some((count) => count > 0) ? [{ action, detail }] : [];
}

/** A refusal of transactions names their place in the payload, and has no more fields than that of an account. */
function under<Result>(path: string, decide: () => Result): Result {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const errors = error.errors.map((each) => ({ ...each, attr: each.attr.replace(/^transactions\b/, path) }));
    throw new DomainError(error.code, error.message, { errors });
  }
}

/**
 * The faults of a payload's account number, those of the identifiers in its history, and that of a payment vendor that
 * nobody has configured.
 */
export function newAccount({ paymentVendors }: Context, request: unknown): FieldError[] {
  const identifiers = [accountNumberIn(request), ...identifiersInHistory(request)];
  const found = [...identifiers.flatMap(faultsOfIdentifiers), ...checkVendor(request, paymentVendors)];
  return found.slice(0, LIMITS.reported_errors);
}
