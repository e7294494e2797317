import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { beginChanges, withConnection } from './connect.ts';
import { LOCK_TIMEOUT, type Tell } from './migrate.ts';

/** An index that could not be built: what works without it is slower. The next start tries again. */
export interface MissingIndex {
  index: string;
  /** The database's own message. */
  reason: string;
}

interface Index {
  name: string;
  table: string;
  /** What follows the table in CREATE INDEX. */
  definition: string;
  isUnique?: true;
}

/**
 * The indexes of tables that were already in use: a migration would block other sessions while it reads each table,
 * because the locks of all migrations last until they are committed.
 */
const INDEXES: readonly Index[] = [
  // For the removal of payloads, oldest first: its cost depends on the payloads to remove, not on the number of
  // accounts.
  {
    name: 'account_imports_completed_at_with_payload_idx',
    table: 'account_imports',
    definition: '(completed_at) WHERE completed_at IS NOT NULL AND payload IS NOT NULL',
  },
  // For the list of imported accounts.
  {
    name: 'account_imports_import_supplier_code_completion_idx',
    table: 'account_imports',
    definition: `(import_supplier_code, coalesce(completion_order, staging_order)) WHERE state = 'COMPLETED'`,
  },
  // For the refusals that were in flight during an erasure: few accounts are erased.
  {
    name: 'account_imports_erased_at_idx',
    table: 'account_imports',
    definition: '(erased_at) WHERE erased_at IS NOT NULL',
  },
  // For the counts of kept fields, newest accounts first: most suppliers have none.
  {
    name: 'account_imports_newest_with_kept_fields_idx',
    table: 'account_imports',
    definition: '(import_supplier_code, staging_order) WHERE kept_fields IS NOT NULL',
  },
  // For the beginning of a number, state by state. Patterns have an operator class of their own, whatever the collation.
  // Prisma takes that for a difference, but not in a partial index.
  {
    name: 'account_imports_external_account_number_idx',
    table: 'account_imports',
    definition:
      '(import_supplier_code, state, external_account_number text_pattern_ops) WHERE external_account_number IS NOT NULL',
  },
  {
    name: 'account_imports_service_account_number_idx',
    table: 'account_imports',
    definition:
      '(import_supplier_code, service_account_number text_pattern_ops) WHERE service_account_number IS NOT NULL',
  },
  // For the beginning of a name or an e-mail address.
  {
    name: 'customers_given_name_idx',
    table: 'customers',
    definition:
      '(lower(given_name) text_pattern_ops, lower(family_name) text_pattern_ops) WHERE given_name IS NOT NULL',
  },
  {
    name: 'customers_family_name_idx',
    table: 'customers',
    definition: '(lower(family_name) text_pattern_ops) WHERE family_name IS NOT NULL',
  },
  {
    name: 'customers_email_idx',
    table: 'customers',
    definition: '(lower(email) text_pattern_ops) WHERE email IS NOT NULL',
  },
  // The name of a business may be of any length, and a row of an index may not. On the bills of households are the names
  // of customers.
  {
    name: 'accounts_business_name_idx',
    table: 'accounts',
    definition: `(left(lower(coalesce(details #>> '{business,name}', billing_name)), 100) text_pattern_ops)
      WHERE account_type <> 'DOMESTIC' AND coalesce(details #>> '{business,name}', billing_name) IS NOT NULL`,
  },
  {
    name: 'accounts_domestic_business_name_idx',
    table: 'accounts',
    definition: `(left(lower(details #>> '{business,name}'), 100) text_pattern_ops)
      WHERE account_type = 'DOMESTIC' AND details #>> '{business,name}' IS NOT NULL`,
  },
  {
    name: 'customers_company_name_idx',
    table: 'customers',
    definition: `(left(lower(details ->> 'company_name'), 100) text_pattern_ops) WHERE details ->> 'company_name' IS NOT NULL`,
  },
  // For the id of a request, the service's own or the caller's.
  { name: 'audit_events_request_id_idx', table: 'audit_events', definition: '(request_id)' },
  {
    name: 'audit_events_caller_request_id_idx',
    table: 'audit_events',
    definition: '(caller_request_id) WHERE caller_request_id IS NOT NULL',
  },
  // For what the service team did, newest first.
  { name: 'audit_events_of_staff_idx', table: 'audit_events', definition: `(api_key_id, id) WHERE actor = 'staff'` },
  {
    name: 'account_import_refusals_request_id_idx',
    table: 'account_import_refusals',
    definition: '(request_id)',
  },
  // For the accounts that a job has created.
  {
    name: 'accounts_created_by_job_idx',
    table: 'accounts',
    definition: '(created_by_job) WHERE created_by_job IS NOT NULL',
  },
  // For the e-mails of a supplier that have ended well, newest first. Those that wait need none.
  {
    name: 'customer_emails_settled_idx',
    table: 'customer_emails',
    definition: `(import_supplier_code, state, updated_at, id) WHERE state IN ('SENT', 'NOT_SENT')`,
  },
  // One for each address of an account, and one more for each that was undone.
  {
    ...{ name: 'customer_emails_of_account_key', isUnique: true },
    table: 'customer_emails',
    definition: `(account_import_id, address_digest, coalesce(undone_number, ''), template)
      WHERE account_import_id IS NOT NULL`,
  },
  // For what a mailbox was sent of late: the expression is that of the function emails_to_mailbox.
  {
    name: 'customer_emails_mailbox_idx',
    table: 'customer_emails',
    definition: `(lower(regexp_replace(address, '[+][^@]*@', '@')), updated_at) WHERE state IN ('SENDING', 'SENT', 'IN_DOUBT')`,
  },
  // For the messages of an endpoint that were not accepted, newest first: few among very many.
  {
    name: 'webhook_deliveries_undelivered_idx',
    table: 'webhook_deliveries',
    definition: `(webhook_endpoint_id, state, creation_order) WHERE state <> 'DELIVERED'`,
  },
  { name: 'idempotency_keys_account_import_id_idx', table: 'idempotency_keys', definition: '(account_import_id)' },
  { name: 'refresh_tokens_family_reused_at_idx', table: 'refresh_tokens', definition: '(family, reused_at)' },
];

/** The advisory lock of the instance that builds. */
const INDEX_LOCK = 4_210_003;
const POLL_INTERVAL_MS = 100;

const MISSING = `
  SELECT wanted.name FROM unnest($1::text[], $2::text[]) AS wanted (name, table_name)
  LEFT JOIN pg_index ON indexrelid = to_regclass(wanted.name)
  WHERE indisvalid IS NOT TRUE
    AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = to_regclass(wanted.table_name)), 'USAGE')`;

async function listMissing(client: pg.Client): Promise<Index[]> {
  const values = [INDEXES.map(({ name }) => name), INDEXES.map(({ table }) => table)];
  const { rows } = await client.query<{ name: string }>(MISSING, values);
  return INDEXES.filter(({ name }) => rows.some((row) => row.name === name));
}

/** Polls: an index build waits for older statements to end, so no statement may wait for it. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [INDEX_LOCK]);
    if (rows[0]?.mine === true) return;
    await delay(POLL_INTERVAL_MS);
  }
}

async function build(client: pg.Client, { name, table, definition, isUnique }: Index): Promise<MissingIndex[]> {
  try {
    // An index left by an interrupted start is invalid, and never becomes valid.
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await client.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ON ${table} ${definition}`);
    return [];
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return [{ index: name, reason: error.message }];
  }
}

/**
 * Builds the indexes that the migrations leave out, while other sessions read and write. Instances that start
 * concurrently wait for the first one. If nothing is missing it costs one query; a role that does not own the tables
 * changes nothing.
 *
 * @returns the indexes that are still missing
 */
export async function buildIndexes(url: string, report: Tell = () => undefined): Promise<MissingIndex[]> {
  return withConnection(url, async (client) => {
    if ((await listMissing(client)).length === 0) return [];
    await beginChanges(url, client);
    await takeTurn(client);
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    const failed: MissingIndex[] = [];
    for (const index of await listMissing(client)) {
      const found = await build(client, index);
      if (found.length === 0) report(`Built index ${index.name}.`);
      failed.push(...found);
    }
    return failed;
  });
}
