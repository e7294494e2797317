import type { FastifyInstance } from 'fastify';
import { usableSupplier } from '../shared/callers.ts';
import { type Fields, inTransaction } from '../shared/database.ts';
import { TransactionsQuery, TransactionsRequest } from '../shared/payloads.ts';
import { Refusal } from '../shared/refusal.ts';
import { utcSeconds } from '../shared/values.ts';
import { audit, lockAccount } from './imports.ts';
import { insertNotes } from './note-calls.ts';
import { parse } from './refusals.ts';

const TRANSACTION_COLUMNS = `transaction_id, transaction_date, original_transaction_date, amount, type, reason, display_note,
  note, reference, payment_type, product_code, line_items, tax_items, description`;
type StoredTransaction = Fields & { transaction_id: string };
const shownTransaction = ({ original_transaction_date: _moved, ...data }: Fields) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null && value !== undefined));

/** The transaction with its date moved to the nearest day from `from` to `to`, which a description tells. */
function movedInside<Record extends { transaction_date: string }>(record: Record, from: string, to: string) {
  const original_transaction_date = record.transaction_date;
  if (original_transaction_date >= from && original_transaction_date <= to) return record;
  const transaction_date = original_transaction_date < from ? from : to;
  const description =
    `The original date ${original_transaction_date} lies outside the open statement period (${from} to ${to}); ` +
    `the transaction was added on ${transaction_date}.`;
  return { ...record, transaction_date, original_transaction_date, description };
}

/** Adds transactions. */
export function transactionCalls(app: FastifyInstance): void {
  app.post('/v1/data-import/transactions/create', async (request, reply) => {
    const body = parse(TransactionsRequest, request.body);
    const { check_previously_added, force_add_to_current_statement } = parse(TransactionsQuery, request.query);
    await usableSupplier(request, body.import_supplier);
    const results = await inTransaction(async (query) => {
      const account = await lockAccount(query, body, 400);
      const to = new Date().toISOString().slice(0, 10);
      const [from = to] = [account.open_statement_from, to].sort();
      const known = new Map<string, Fields>();
      if (check_previously_added === 'true') {
        const stored = await query<StoredTransaction>(
          'known-transactions',
          `SELECT ${TRANSACTION_COLUMNS} FROM transactions
          WHERE account_import_id = $1 AND transaction_id = ANY ($2::text[]) ORDER BY id DESC`,
          [account.id, body.transactions.map(({ transaction_id }) => transaction_id)],
        );
        for (const transaction of stored) known.set(transaction.transaction_id, transaction);
      }
      const added: Fields[] = [];
      const notes: Fields[] = [];
      const answers = body.transactions.map((transaction) => {
        const before = known.get(transaction.transaction_id);
        if (before !== undefined) {
          const transaction_data = { ...shownTransaction(before), status: 'TRANSACTION_IMPORT_SUCCESS' };
          return { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data };
        }
        const sent = { ...transaction, amount: transaction.amount.toFixed(2) };
        const record = movedInside(sent, from, to);
        if ('description' in record) {
          if (force_add_to_current_statement === 'false') {
            const error_detail = 'The transaction is not within the open statement period.';
            const extra = { transaction_data: sent, error_detail, status: 'TRANSACTION_IMPORT_ERROR' };
            throw new Refusal(400, 'transaction_outside_open_statement_period', error_detail, extra);
          }
          const note = `Transaction ${record.transaction_id}: ${record.description}`;
          notes.push({ body: note, document_paths: [], created_at: utcSeconds(new Date()), is_pinned: true });
        }
        if (check_previously_added === 'true') known.set(record.transaction_id, record);
        added.push(record);
        return { status: 'TRANSACTION_ADDED_TO_ACCOUNT', transaction_data: shownTransaction(record) };
      });
      if (added.length > 0) {
        await query(
          'transactions',
          `INSERT INTO transactions (account_import_id, created_at, ${TRANSACTION_COLUMNS})
          SELECT $1, $2, record.* FROM json_to_recordset($3::json) AS record (transaction_id text, transaction_date date,
            original_transaction_date date, amount numeric, type text, reason text, display_note text, note text,
            reference text, payment_type text, product_code text, line_items jsonb, tax_items jsonb, description text)`,
          [account.id, new Date(), JSON.stringify(added)],
        );
        await insertNotes(query, account.id, notes);
        const event = { id: account.id, action: 'transactions_imported', detail: { transactions: added.length } };
        await audit(query, request, event);
      }
      return answers;
    });
    reply.code(201);
    return { results };
  });
}
