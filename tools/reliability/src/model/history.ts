import type { ModelAccount, Remembered } from './account.ts';
import {
  balanceComputed,
  type History,
  type Payload,
  pounds,
  type SentNote,
  type SentStatement,
  type SentTransaction,
  statementBalanceOf,
  sumOf,
  transferBalance,
} from './content.ts';
import { addNote, addStatements, addTransactions } from './imports.ts';

/** The same rows as the separate calls (behaviour 4.17.3): they are added by the same part of the model. */
export function addHistory(account: ModelAccount): void {
  const { history } = account.payload;
  if (history === null) return;
  for (const note of history.notes) addNote(account, note);
  for (const one of withoutRepeats(history.closed)) account.transactions.push({ ...one, is_historical: true });
  addTransactions(account, history.transactions, true);
  addStatements(account, history.statements);
  account.reference = history.reference;
}

function withoutRepeats(list: SentTransaction[]): SentTransaction[] {
  return list.filter((one, index) => list.findIndex((other) => other.transaction_id === one.transaction_id) === index);
}

/** Where a history has its transactions. */
function pathsOf({ spelling }: History) {
  return spelling === 'fields'
    ? { open: 'transactions', closed: 'historical_transactions', balance: 'last_statement_balance' }
    : {
        open: 'ledgers.0.current_statement_transactions',
        closed: 'ledgers.0.historical_statement_transactions',
        balance: 'ledgers.0.last_statement_balance',
      };
}

/** What is wrong with a payload anyone who sends it, as `path code` (behaviour 4.17). */
export function faultsOf({ billedTo, history }: Payload): string[] {
  if (history === null) return [];
  const { notes, transactions, closed, statements, spelling, spoilt } = history;
  const paths = pathsOf(history);
  const closedIds = new Set(closed.map(({ transaction_id }) => transaction_id));
  return [
    ...unequalTransactions(paths.open, transactions),
    ...unequalTransactions(paths.closed, closed),
    ...unequalStatements(statements),
    ...unequalNotes(notes),
    ...(spelling === 'both' ? ['historical_transactions history_spelled_twice'] : []),
    ...transactions.flatMap(({ transaction_id }, index) =>
      closedIds.has(transaction_id) ? `${paths.open}.${index}.transaction_id contradicts_another_field` : [],
    ),
    ...closed.flatMap(({ transaction_date }, index) =>
      billedTo !== null && transaction_date > billedTo
        ? `${paths.closed}.${index}.transaction_date historical_transaction_not_billed`
        : [],
    ),
    ...(spoilt === 'note' ? [`notes.${notes.length}.body note_body_or_document_path_not_found`] : []),
    ...(spoilt === 'amount' ? [`${paths.open}.${transactions.length}.amount invalid`] : []),
  ].sort();
}

/** What only the supplier's own rules find: whether its vendor is configured, and whether its sums are right. */
export function faultsForOwner({ history }: Payload, refusesBalance: boolean): string[] {
  if (history === null) return [];
  const { reference, spelling, spoilt } = history;
  const instruction = spelling === 'fields' ? 'payment_instruction' : 'payment_instructions.0';
  return [
    ...(spoilt === 'vendor' && reference !== null ? [`${instruction}.vendor invalid_choice`] : []),
    ...(refusesBalance ? (balanceProblem(history)?.faults ?? []) : []),
  ];
}

/** What does not add up, and by how much the first of it does not (behaviour 4.17.12). */
export function balanceProblem(history: History | null): Remembered | undefined {
  if (history === null) return undefined;
  const code = 'balance_does_not_add_up';
  const closed = history.closed.length === 0 ? undefined : sumOf(history.closed);
  const wrong = [
    { attr: pathsOf(history).balance, sent: statementBalanceOf(history), computed: closed },
    { attr: 'transfer_balance', sent: transferBalance(history), computed: balanceComputed(history) },
  ].flatMap(({ attr, sent, computed }) =>
    sent === undefined || computed === undefined || sent === computed
      ? []
      : { fault: `${attr} ${code}`, detail: { sent: pounds(sent), computed: pounds(computed) } },
  );
  const [first] = wrong;
  if (first === undefined) return undefined;
  return { code, faults: wrong.map(({ fault }) => fault).sort(), detail: first.detail };
}

/** One identifier, two values: nobody can know which is meant. The first field that differs is at fault. */
export function unequalTransactions(path: string, list: SentTransaction[]): string[] {
  return list.flatMap((one, index) => {
    const first = list.find((other) => other.transaction_id === one.transaction_id) ?? one;
    const field = (['transaction_date', 'type', 'pence'] as const).find((name) => one[name] !== first[name]);
    if (field === undefined) return [];
    return `${path}.${index}.${field === 'pence' ? 'amount' : field} repeated_with_other_values`;
  });
}

export function unequalStatements(list: SentStatement[]): string[] {
  return list.flatMap(({ statement_id, pence }, index) =>
    list.find((other) => other.statement_id === statement_id)?.pence === pence
      ? []
      : `statements.${index}.gross_amount repeated_with_other_values`,
  );
}

/** A field that the first one does not have comes after those that it has. */
function unequalNotes(list: SentNote[]): string[] {
  return list.flatMap((one, index) => {
    const first = list.find(({ external_id }) => external_id === one.external_id) ?? one;
    if (one.external_id === undefined) return [];
    const fields = [
      ['body', one.body === first.body],
      ['created_at', one.created_at === first.created_at || first.created_at === undefined],
      ['is_pinned', (one.is_pinned ?? false) === (first.is_pinned ?? false)],
      ['created_at', one.created_at === first.created_at],
    ] as const;
    const [field] = fields.find(([, isSame]) => !isSame) ?? [];
    return field === undefined ? [] : `notes.${index}.${field} repeated_with_other_values`;
  });
}
