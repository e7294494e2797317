import { CREATED, type ImportCall, type ModelAccount, type Prediction, refused } from './account.ts';
import { FUTURE, NOW, pounds, type SentNote, type SentStatement, type SentTransaction, TODAY } from './content.ts';

/** No vendor knows it. */
export const UNKNOWN_REFERENCE = 'pm_gone';

/** Imports into an account that exists; a dry run shows what it would have answered. */
export function predictImport(account: ModelAccount, call: ImportCall): Prediction {
  const { dryRun } = call;
  const rows = countOf(account);
  const prediction = importInto(dryRun ? structuredClone(account) : account, call);
  account.hasMore ||= countOf(account) !== rows;
  const { answer, shows } = prediction;
  return dryRun && answer === CREATED.answer ? { answer: '400 dry_run_rolled_back', shows } : prediction;
}

/** Rows are only ever added. */
const countOf = ({ notes, transactions, statements, reference }: ModelAccount): number =>
  notes.length + transactions.length + statements.length + (reference === null ? 0 : 1);

function importInto(account: ModelAccount, call: ImportCall): Prediction {
  switch (call.kind) {
    case 'notes':
      return reporting(call.sent.map((note) => addNote(account, note)));
    case 'transactions': {
      const { sent, checked, force } = call;
      const mayNotBeMoved = ({ transaction_id, transaction_date }: SentTransaction) =>
        storedDay(account, transaction_date) !== transaction_date &&
        !(checked && account.transactions.some((one) => one.transaction_id === transaction_id));
      if (!force && sent.some(mayNotBeMoved)) return refused('transaction_outside_open_statement_period');
      return reporting(addTransactions(account, sent, checked));
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

const reporting = (results: Result[]): Prediction => ({
  ...CREATED,
  shows: results.map(({ shows, differences }) => [...shows, differences]),
});

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
  const billedTo = payload?.billedTo ?? null;
  if (billedTo === null || day === FUTURE) return TODAY;
  return day <= billedTo ? dayAfter(billedTo) : day;
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
  const history = account.payload?.history;
  if (history == null) return;
  for (const note of history.notes) addNote(account, note);
  for (const one of history.closed) account.transactions.push({ ...one, is_historical: true });
  addTransactions(account, history.transactions, true);
  addStatements(account, history.statements);
  account.reference = history.reference;
}
