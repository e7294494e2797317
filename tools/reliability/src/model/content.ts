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
  /** By how much the last statement's balance is not the sum of the closed history; null: it is not sent. */
  statementOff: number | null;
  /** By how much the balance that is handed over is not what all of it adds up to. */
  balanceOff: number;
  /** In fields of their own, or in `ledgers` and `payment_instructions`; or in both, which is refused. */
  spelling: 'fields' | 'lists' | 'both';
  /** Something that is not valid whatever else is sent. */
  spoilt: 'note' | 'amount' | 'vendor' | null;
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

function historyFields(history: History, money: Money): Record<string, unknown> {
  const { notes, statements, reference, spelling, spoilt } = history;
  const statementBalance = statementBalanceOf(history);
  const instruction = reference !== null && {
    ...instructionBody(reference),
    ...(spoilt === 'vendor' && { vendor: 'NOBODY' }),
  };
  const open = openTransactions(history).map((one) => transactionBody(one, money));
  const closed = history.closed.map((one) => transactionBody(one, money));
  const last_statement_balance = statementBalance === undefined ? undefined : pounds(statementBalance);
  return {
    notes: spoilt === 'note' ? [...notes, { is_pinned: true }] : notes,
    statements: statements.map((one) => statementBody(one, money)),
    ...(spelling === 'fields'
      ? {
          ...{ transactions: open, historical_transactions: closed, last_statement_balance },
          ...(instruction && { payment_instruction: instruction }),
        }
      : {
          ledgers: [
            {
              current_statement_transactions: open,
              historical_statement_transactions: closed,
              last_statement_balance,
            },
          ],
          ...(instruction && { payment_instructions: [instruction] }),
          ...(spelling === 'both' && { historical_transactions: [] }),
        }),
  };
}

/** Without an amount, if the history is to be spoilt so. */
export function openTransactions({ transactions, spoilt }: History): SentTransaction[] {
  const worthless = { transaction_id: 'X', transaction_date: '2026-03-05', type: 'CHARGE', pence: 0 } as const;
  return spoilt === 'amount' ? [...transactions, worthless] : transactions;
}

const USUAL_BALANCE = -4820;

/** What is sent as the last statement's balance. */
export function statementBalanceOf({ closed, statementOff }: History): number | undefined {
  return statementOff === null ? undefined : sumOf(closed) + statementOff;
}

/** What all that was sent adds up to; undefined if it does not say where it begins, or no transaction was sent. */
export function balanceComputed(history: History): number | undefined {
  const { closed } = history;
  if (closed.length === 0 && openTransactions(history).length === 0) return undefined;
  const start = statementBalanceOf(history) ?? (closed.length === 0 ? undefined : sumOf(closed));
  return start === undefined ? undefined : start + sumOf(openTransactions(history));
}

/** What is sent as the balance that is handed over. */
export function transferBalance(history: History | null): number {
  const computed = history === null ? undefined : balanceComputed(history);
  return computed === undefined ? USUAL_BALANCE : computed + (history?.balanceOff ?? 0);
}

/** Charges lower a balance, payments raise it; a repeat does not count. */
export function sumOf(transactions: SentTransaction[]): number {
  const first = new Map(transactions.toReversed().map((one) => [one.transaction_id, one]));
  return [...first.values()].reduce((sum, { type, pence }) => sum + (type === 'PAYMENT' ? pence : -pence), 0);
}
