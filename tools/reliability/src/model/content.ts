/** A day outside every period, which is moved to today. */
export const FUTURE = '2099-12-31';
/** How the model calls the day and the time of the call. */
export const TODAY = 'today';
export const NOW = 'now';

export interface SentNote {
  body: string;
  created_at?: string;
  is_pinned?: boolean;
  external_id?: string;
}

/** Amounts are whole pence here and below. */
export interface SentTransaction {
  transaction_id: string;
  transaction_date: string;
  type: 'CHARGE' | 'PAYMENT';
  pence: number;
}

export interface SentStatement {
  statement_id: string;
  pence: number;
}

/** What an account carries besides itself. */
export interface History {
  notes: SentNote[];
  transactions: SentTransaction[];
  /** Closed history: `historical_transactions`. */
  closed: SentTransaction[];
  statements: SentStatement[];
  reference: string | null;
}

/** What an account is staged with. */
export interface Payload {
  billingName: string;
  billedTo: string | null;
  history: History | null;
}

export const pounds = (pence: number): string => (pence / 100).toFixed(2);

/** How money is written: a number in a request, a decimal string in what is read back. */
export type Money = (pence: number) => number | string;
export const asNumber: Money = (pence) => Number(pounds(pence));

export function transactionBody({ pence, ...transaction }: SentTransaction, money: Money): Record<string, unknown> {
  const reason = transaction.type === 'CHARGE' ? { reason: 'IMPORTED_CHARGE' } : {};
  return { ...transaction, ...reason, amount: money(pence) };
}

export function statementBody({ statement_id, pence }: SentStatement, money: Money): Record<string, unknown> {
  const period = { bill_period_from_date: '2025-10-01', bill_period_to_date: '2025-10-31', issued_date: '2025-11-03' };
  return { ...period, statement_id, number: `N-${statement_id}`, gross_amount: money(pence) };
}

export const instructionBody = (reference: string) => ({ vendor: 'VENDOR', reference, type: 'CARD' });

/** The fields that make the rig's usual account this one. */
export function accountFields({ billingName, billedTo, history }: Payload, money: Money): Record<string, unknown> {
  return {
    billing_name: billingName,
    last_billed_to_date: billedTo ?? undefined,
    transfer_balance: pounds(transferBalance(history)),
    ...(history === null ? {} : historyFields(history, money)),
  };
}

function historyFields({ notes, transactions, closed, statements, reference }: History, money: Money): object {
  return {
    notes,
    statements: statements.map((one) => statementBody(one, money)),
    transactions: transactions.map((one) => transactionBody(one, money)),
    historical_transactions: closed.map((one) => transactionBody(one, money)),
    ...(reference !== null && { payment_instruction: instructionBody(reference) }),
  };
}

const USUAL_BALANCE = -4820;

/** What is sent as the balance that is handed over: what all that was sent adds up to, if it says where it begins. */
function transferBalance(history: History | null): number {
  if (history === null || history.closed.length === 0) return USUAL_BALANCE;
  return sumOf([...history.closed, ...history.transactions]);
}

/** Charges lower a balance, payments raise it. */
const sumOf = (transactions: SentTransaction[]): number =>
  transactions.reduce((sum, { type, pence }) => sum + (type === 'PAYMENT' ? pence : -pence), 0);
