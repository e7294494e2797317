import assert from 'node:assert/strict';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import type { ModelAccount, ModelNote, ModelSupplier, ModelTransaction } from './account.ts';
import { instructionAsShown, noteAsShown, transactionAsShown } from './as-shown.ts';
import { instructionBody, pounds, statementBody, transactionBody } from './content.ts';

/** Throws if the database holds anything else of a supplier's accounts than the model. */
export async function compareRows(
  world: Pick<ServiceWorld, 'query'>,
  supplier: Supplier,
  model: ModelSupplier,
): Promise<void> {
  const stored = (await readRows(world, supplier)).map(asShown);
  const expected = [...model.accounts].map(([name, account]) => expectedRow(name, account));
  demandEqual(`the rows of ${supplier.code}`, stored, expected);
}

function expectedRow(account: string, model: ModelAccount) {
  const isCreated = model.state === 'COMPLETED';
  return {
    account,
    state: model.state,
    service_account_number: model.serviceAccountNumber ?? null,
    staged_name: model.payload?.billingName ?? null,
    billing_name: isCreated ? model.payload?.billingName : null,
    customers: isCreated ? 1 : 0,
    ...rowsOf(model),
  };
}

/** The rows of an account as they were sent, with what the service changed. */
function rowsOf({ notes, transactions, statements, reference }: ModelAccount) {
  return {
    notes: notes.map(expectedNote),
    transactions: [...transactions]
      .sort((one, other) => compareText(one.transaction_id, other.transaction_id))
      .map(expectedTransaction),
    statements: [...statements]
      .sort((one, other) => compareText(one.statement_id, other.statement_id))
      .map((one) => statementBody(one, pounds)),
    instruction: reference === null ? null : instructionBody(reference),
  };
}

function expectedNote({ moved, body, ...note }: ModelNote) {
  return moved === undefined ? { ...note, body } : { ...note, moved };
}

function expectedTransaction({ original_transaction_date: sent, is_historical, ...transaction }: ModelTransaction) {
  return {
    ...transactionBody(transaction, pounds),
    ...(sent !== undefined && { original_transaction_date: sent, explains: true }),
    ...(is_historical && { is_historical }),
  };
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

type Fields = Record<string, unknown>;

interface Row extends Fields {
  notes: Fields[];
  transactions: Fields[];
  statements: Fields[];
  instruction: Fields | null;
}

function asShown({ notes, transactions, instruction, ...row }: Row) {
  return {
    ...row,
    notes: notes.map(noteAsShown),
    transactions: transactions.map(transactionAsShown),
    instruction: instruction === null ? null : instructionAsShown(instruction),
  };
}

/** Every row below the accounts of a supplier, read past the service. */
function readRows(world: Pick<ServiceWorld, 'query'>, { code }: Supplier): Promise<Row[]> {
  return world.query<Row>(
    `SELECT import.external_account_number AS account, import.state, account.service_account_number,
      import.payload->>'billing_name' AS staged_name, account.billing_name,
      (SELECT count(*)::int FROM customers one WHERE one.account_import_id = import.id) AS customers,
      ${listOf(
        'notes',
        `'body', body, 'created_at', created_at, 'is_pinned', is_pinned, 'external_id', external_id,
        'is_archived', is_archived, 'is_generated', is_generated`,
        'id',
      )},
      ${listOf(
        'transactions',
        `'transaction_id', transaction_id, 'transaction_date', transaction_date, 'type', type,
        'amount', amount::text, 'reason', reason, 'original_transaction_date', original_transaction_date,
        'description', description, 'is_historical', is_historical`,
        'transaction_id, id',
      )},
      ${listOf(
        'statements',
        `'statement_id', statement_id, 'number', number, 'issued_date', issued_date,
        'bill_period_from_date', bill_period_from_date, 'bill_period_to_date', bill_period_to_date,
        'gross_amount', gross_amount::text`,
        'statement_id',
      )},
      (SELECT json_build_object('vendor', vendor, 'reference', reference, 'type', type, 'details', details)
        FROM payment_instructions one WHERE one.account_import_id = import.id) AS instruction
    FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
    WHERE import.import_supplier_code = $1
    ORDER BY import.staging_order`,
    [code],
  );
}

const listOf = (table: string, columns: string, order: string): string =>
  `(SELECT coalesce(json_agg(json_build_object(${columns}) ORDER BY ${order}), '[]')
      FROM ${table} one WHERE one.account_import_id = import.id) AS ${table}`;

/** Throws if two values are not the same as JSON, with where they differ. */
export function demandEqual(what: string, found: unknown, expected: unknown): void {
  assert.deepStrictEqual({ [what]: plain(found) }, { [what]: plain(expected) });
}

/** Without what is undefined. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
