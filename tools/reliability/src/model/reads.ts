import { accountPayload } from '../rig/operations.ts';
import {
  type CallOf,
  type ModelAccount,
  type ModelNote,
  type ModelSupplier,
  type ModelTransaction,
  OK,
  type Prediction,
} from './account.ts';
import {
  accountFields,
  instructionBody,
  pounds,
  statementBalanceOf,
  statementBody,
  transactionBody,
  transferBalance,
} from './content.ts';

/** What reading one part of an account answers (behaviour 4.16); pages are put together. */
export function predictRead(
  supplier: ModelSupplier,
  account: ModelAccount | undefined,
  { account: name, of }: CallOf<'read'>,
): Prediction {
  if (account === undefined) return { answer: '404 account_not_found' };
  if (of === 'account') return { ...OK, shows: accountAsRead(supplier, account, name) };
  const rows = rowsAsRead(account);
  switch (of) {
    case 'notes':
      return { ...OK, shows: rows.notes.map((note, index) => ({ position: index + 1, ...note })) };
    case 'transactions':
      return { ...OK, shows: numbered(rows.transactions) };
    case 'statements':
      return { ...OK, shows: rows.statements };
    case 'payment-instruction':
      if (rows.instruction === null) return { answer: '404 payment_instruction_not_found' };
      return { ...OK, shows: rows.instruction };
  }
}

/** The rows of an account as they were sent, with what the service changed; in the order of the pages. */
export function rowsAsRead({ notes, transactions, statements, reference }: ModelAccount) {
  return {
    notes: notes.map(noteAsRead),
    transactions: [...transactions]
      .sort((one, other) => compareText(one.transaction_id, other.transaction_id))
      .map(transactionAsRead),
    statements: [...statements]
      .sort((one, other) => compareText(one.statement_id, other.statement_id))
      .map((one) => statementBody(one, pounds)),
    instruction: reference === null ? null : instructionBody(reference),
  };
}

function noteAsRead({ moved, body, ...note }: ModelNote) {
  return moved === undefined ? { ...note, body } : { ...note, moved };
}

function transactionAsRead({ original_transaction_date: sent, is_historical, ...transaction }: ModelTransaction) {
  return {
    ...transactionBody(transaction, pounds),
    ...(sent !== undefined && { original_transaction_date: sent, explains: true }),
    ...(is_historical && { is_historical }),
  };
}

/** The second and later ones of an identifier say so. */
function numbered(transactions: Record<string, unknown>[]) {
  return transactions.map((one, index) => {
    const copy = transactions.slice(0, index + 1).filter((other) => other.transaction_id === one.transaction_id).length;
    return copy === 1 ? one : { ...one, copy };
  });
}

function accountAsRead({ refused, reported }: ModelSupplier, account: ModelAccount, name: string) {
  const { state, serviceAccountNumber = null, payload } = account;
  const isCreated = state === 'COMPLETED';
  const refusals = [...(refused.get(name) ?? [])];
  const reports = [...(reported.get(name) ?? [])];
  return {
    state,
    service_account_number: serviceAccountNumber,
    team: isCreated,
    created: isCreated,
    transfer_balance: pounds(transferBalance(payload.history)),
    complete: isCreated && refusals.length === 0,
    refusals: [
      ...refusals.map(([operation, one]) => ({ operation, refused: true, detail: null, ...one })),
      ...reports.map(([operation, one]) => ({ operation, refused: false, ...one })),
    ].sort((one, other) => compareText(`${one.operation} ${one.code}`, `${other.operation} ${other.code}`)),
    figures: figuresOf(account),
    account: documentOf(account, name),
  };
}

/** What was sent: with its history until the account is created, without it afterwards. */
function documentOf({ state, payload }: ModelAccount, name: string) {
  const { import_supplier: _theirs, ...usual } = accountPayload({ code: '' }, name);
  const { history } = payload;
  const balance = history === null ? undefined : statementBalanceOf(history);
  const fields =
    state === 'COMPLETED' ? accountFields({ ...payload, history: null }, pounds) : accountFields(payload, pounds);
  return {
    ...{ account_type: 'DOMESTIC', communication_preference: 'ONLINE' },
    ...usual,
    ...fields,
    transfer_balance: pounds(transferBalance(history)),
    ...(state === 'COMPLETED' && { last_statement_balance: balance === undefined ? undefined : pounds(balance) }),
  };
}

function figuresOf({ notes, transactions, statements, reference }: ModelAccount) {
  const sum = (list: readonly { pence: number }[]) => pounds(list.reduce((total, { pence }) => total + pence, 0));
  const figures = (list: ModelTransaction[]) => ({ count: list.length, sum: sum(list) });
  const ofType = (type: string) => figures(transactions.filter((one) => one.type === type));
  const types = ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'];
  return {
    transactions: { ...figures(transactions), by_type: Object.fromEntries(types.map((type) => [type, ofType(type)])) },
    notes: notes.length,
    statements: { count: statements.length, gross_total: sum(statements) },
    payment_instructions: reference === null ? 0 : 1,
  };
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
