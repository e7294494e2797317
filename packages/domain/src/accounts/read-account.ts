import {
  type AccountFigures,
  AccountPayload,
  type AccountPayloadAsStored,
  asStored,
  type MaskedAccount,
  moneyText,
  type ReadAccountRequest,
  type ReadMaskedAccountRequest,
  type StoredAccount,
  TransactionType,
} from '@causeway/contracts';
import { sql } from '@causeway/db';
import { accountNotStaged } from '../account-imports/refuse-unless-pending.ts';
import { keptFieldsOf } from '../kept-fields/kept-fields.ts';
import { openRefusalsOf } from '../refusals/open-refusals.ts';
import { refuseReadOnly } from '../shared/actor.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { oneAtATime } from '../shared/one-at-a-time.ts';
import { withoutMadeUpNames } from '../shared/refused-fields.ts';
import { maskAccount, maskKeptFields, withoutErased } from './mask-account.ts';
import { READ_ACCOUNTS, type ReadAccountRow } from './read-account.sql.ts';
import { type StoredRows, storedDocument } from './stored-document.ts';

const readTogether = groupedStatement(READ_ACCOUNTS);

/**
 * What is stored of one account, staged or created: its data as it was sent, what was added to it in figures (behaviour
 * 4.16), and what of it is refused (behaviour 4.15), in one statement. A view by the service team is recorded before.
 * Refuses with `import_supplier_does_not_exist`, and with `account_not_found` if nothing was ever staged.
 */
export async function getAccount(context: Context, request: ReadAccountRequest): Promise<StoredAccount> {
  const { import_supplier_code, external_account_number } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const key = accountKey(import_supplier_code, external_account_number);
  const row = await readRow(context, key);
  if (row.erased_at === null) {
    await recordView(context, key);
  }
  if (row.is_large) await context.waitForTurn?.();
  const account = storedAccount(key, row);
  // Another one to write it: both together would keep the others waiting for twice as long.
  if (row.is_large) await context.waitForTurn?.();
  return account;
}

/**
 * The same for the service team, with every value masked that might describe a person: no view is recorded (behaviour
 * 14.8.6). Refuses in the same way.
 */
export async function getMaskedAccount(
  context: Context,
  { code, external_account_number }: ReadMaskedAccountRequest,
): Promise<MaskedAccount> {
  await findImportSupplier(context, code, 'code');
  const key = accountKey(code, external_account_number);
  const row = await readRow(context, key);
  if (row.is_large) await context.waitForTurn?.();
  const { account, undocumented_fields, ...record } = storedAccount(key, row);
  if (row.is_large) await context.waitForTurn?.();
  return {
    ...record,
    account: account === null ? null : maskAccount({ ...account }),
    undocumented_fields: maskKeptFields(undocumented_fields),
    refusals: record.refusals.map(withoutMadeUpNames),
  };
}

function storedAccount(key: AccountKey, row: ReadAccountRow): StoredAccount {
  const refusals = openRefusalsOf(row.refusals);
  return {
    import_supplier: key.import_supplier_code,
    external_account_number: key.external_account_number,
    state: row.state,
    service_account_number: row.service_account_number,
    operations_team_name: row.operations_team_name,
    transfer_balance: row.transfer_balance === null ? null : moneyText(row.transfer_balance),
    staged_at: utcDatetime(row.staged_at),
    account_created_at: utcDatetimeOrNull(row.account_created_at),
    erased_at: utcDatetimeOrNull(row.erased_at),
    complete: row.state === 'COMPLETED' && !refusals.some(({ refused }) => refused),
    refusals,
    figures: figuresOf(row),
    account: documentOf(key, row),
    undocumented_fields: keptFieldsOf(row.kept),
  };
}

/** Large data takes a turn like a large body, one at a time for each caller: it is in memory as a whole. */
async function readRow({ database, countAsLarge }: Context, key: AccountKey): Promise<ReadAccountRow> {
  const row = await readTogether(database, { ...key, any_size: false });
  if (row === undefined) {
    throw accountNotStaged(key.external_account_number);
  }
  if (!row.is_large) {
    return row;
  }
  await countAsLarge?.();
  const [whole] = await oneAtATime(database, 'large-account', () => {
    const calls = JSON.stringify([{ ...key, any_size: true }]);
    return database.query(READ_ACCOUNTS, { calls });
  });
  return whole ?? row;
}

function documentOf(key: AccountKey, { stored, service_account_number, erased_at }: ReadAccountRow) {
  if (stored === null) return null;
  const parsed: unknown = JSON.parse(stored);
  const isCreated = service_account_number !== null;
  const document = isCreated ? storedDocument(key, parsed as StoredRows) : asStored(AccountPayload, parsed);
  return (erased_at === null ? document : withoutErased(document)) as AccountPayloadAsStored;
}

const NONE = { count: 0, sum: '0.00' };

function figuresOf({ figures }: ReadAccountRow): AccountFigures {
  const { transactions, superseded_payment_instructions: superseded, ...others } = figures;
  const by_type = Object.fromEntries(
    TransactionType.options.map((type) => [type, transactions.by_type?.[type] ?? NONE]),
  );
  return {
    transactions: { ...transactions, by_type: by_type as AccountFigures['transactions']['by_type'] },
    ...others,
    ...(superseded !== null && { superseded_payment_instructions: superseded }),
  };
}

/**
 * Records that the service team sees personal data of an account, before it does (behaviour 4.16.8). A supplier that
 * reads its own leaves nothing. Refuses a key that may only read.
 */
export async function recordView(context: Context, { id }: AccountKey): Promise<void> {
  if (context.actor.kind === 'staff') {
    refuseReadOnly(context);
    await context.database.query(RECORD_VIEW, auditValues(context, id));
  }
}

/** One event a request, however many pages of the account it reads. */
const RECORD_VIEW = sql('record-view')`
  INSERT INTO audit_events ${AUDITED} 'account_import', 'payload_viewed', NULL
  WHERE NOT EXISTS (
    SELECT FROM audit_events
    WHERE subject_id = ${'id'} AND action = 'payload_viewed' AND request_id = ${'request_id'}
  )`;
