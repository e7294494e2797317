import { CREATED, type ImportCall, type ModelAccount, type Prediction, type Remembered, refused } from './account.ts';
import {
  balanceComputed,
  FUTURE,
  type History,
  NOW,
  type Payload,
  pounds,
  type SentNote,
  type SentStatement,
  type SentTransaction,
  statementBalanceOf,
  sumOf,
  TODAY,
  transferBalance,
} from './content.ts';

/** No vendor knows it. */
export const UNKNOWN_REFERENCE = 'pm_gone';

/** Imports into an account that exists; a dry run shows what it would have answered. */
export function predictImport(account: ModelAccount, call: ImportCall): Prediction {
  const { dryRun } = call;
  const prediction = importInto(dryRun ? structuredClone(account) : account, call);
  const { answer, shows } = prediction;
  return dryRun && answer === CREATED.answer ? { answer: '400 dry_run_rolled_back', shows } : prediction;
}

function importInto(account: ModelAccount, call: ImportCall): Prediction {
  switch (call.kind) {
    case 'notes':
      return reporting(
        'notes',
        call.sent.map((note) => addNote(account, note)),
      );
    case 'transactions': {
      const { sent, checked, force } = call;
      const mayNotBeMoved = ({ transaction_id, transaction_date }: SentTransaction) =>
        storedDay(account, transaction_date) !== transaction_date &&
        !(checked && account.transactions.some((one) => one.transaction_id === transaction_id));
      if (!force && sent.some(mayNotBeMoved)) return refused('transaction_outside_open_statement_period');
      return reporting('transactions', addTransactions(account, sent, checked));
    }
    case 'statements': {
      const isOther = ({ statement_id, pence }: SentStatement) =>
        account.statements.some((one) => one.statement_id === statement_id && one.pence !== pence);
      if (call.sent.some(isOther)) return refused('historical_statement_already_exists');
      addStatements(account, call.sent);
      return CREATED;
    }
    case 'instruction':
      if (account.reference !== null && account.reference !== call.reference) {
        return refused('payment_instruction_already_active');
      }
      if (call.reference === UNKNOWN_REFERENCE) return refused('payment_vendor_rejected');
      account.reference = call.reference;
      return CREATED;
  }
}

/** What happened to one item: its status, what is shown of it, and the fields in which a known one differs, sorted. */
interface Result {
  shows: unknown[];
  differences: string[];
}

function reporting(list: string, results: Result[]): Prediction {
  const shows = results.map((result) => [...result.shows, result.differences]);
  const fields = new Set(results.flatMap(({ differences }) => differences));
  if (fields.size === 0) return { ...CREATED, shows };
  const code = 'existing_data_differs';
  const faults = [...fields].map((field) => `${list}.*.${field} ${code}`).sort();
  return { ...CREATED, shows, reports: { code, faults, detail: null } };
}

/** Behaviour 2.4: an `external_id` alone says which note it is; otherwise the body does, and the time if it is sent. */
export function addNote(account: ModelAccount, sent: SentNote): Result {
  const known = account.notes.find(({ body, created_at, external_id }) =>
    sent.external_id === undefined
      ? body === sent.body && (sent.created_at ?? created_at) === created_at
      : external_id === sent.external_id,
  );
  if (known === undefined) {
    account.notes.push({ created_at: NOW, is_pinned: false, ...sent });
    return { shows: ['NOTE_CREATION_SUCCESS'], differences: [] };
  }
  const isPinned = sent.is_pinned ?? false;
  const values = { body: sent.body, created_at: sent.created_at ?? known.created_at, is_pinned: isPinned };
  return { shows: ['NOTE_ALREADY_EXISTS'], differences: differing(values, known) };
}

/** Behaviour 4.5: known ones are skipped, and those outside the open statement period are moved into it. */
function addTransactions(account: ModelAccount, sent: SentTransaction[], checked: boolean): Result[] {
  const moved: [string, string, string][] = [];
  const results = sent.map((transaction): Result => {
    const { transaction_id, transaction_date, pence } = transaction;
    const known = account.transactions.find((one) => one.transaction_id === transaction_id);
    if (checked && known !== undefined) {
      const before = { ...known, transaction_date: known.original_transaction_date ?? known.transaction_date };
      return {
        shows: ['TRANSACTION_ALREADY_EXISTS', known.transaction_date, pounds(known.pence)],
        differences: differing(asSent(transaction), asSent(before)),
      };
    }
    const day = storedDay(account, transaction_date);
    const isMoved = day !== transaction_date;
    if (isMoved) moved.push([transaction_id, transaction_date, day]);
    account.transactions.push({
      ...transaction,
      ...(isMoved && { transaction_date: day, original_transaction_date: transaction_date }),
    });
    return { shows: ['TRANSACTION_ADDED_TO_ACCOUNT', day, pounds(pence)], differences: [] };
  });
  if (moved.length > 0) account.notes.push({ body: '', created_at: NOW, is_pinned: true, moved });
  return results;
}

/** Those that the account does not have yet. */
function addStatements({ statements }: ModelAccount, sent: SentStatement[]): void {
  for (const one of sent) {
    if (!statements.some(({ statement_id }) => statement_id === one.statement_id)) statements.push(one);
  }
}

/** The open statement period begins after the last day billed or, without one, when the account was created. */
function storedDay({ payload }: ModelAccount, day: string): string {
  if (payload.billedTo === null || day === FUTURE) return TODAY;
  return day <= payload.billedTo ? dayAfter(payload.billedTo) : day;
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}

const asSent = ({ transaction_date, type, pence }: SentTransaction) => ({
  ...{ transaction_date, type, amount: pence, reason: type === 'CHARGE' },
});

function differing<Values extends object>(sent: Values, stored: Values): string[] {
  const names = Object.keys(sent) as (keyof Values & string)[];
  return names.filter((name) => sent[name] !== stored[name]).sort();
}

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
