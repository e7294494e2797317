import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { isDenied, isRolledBack } from '../database-errors.ts';
import { beginChanges, withConnection } from './connect.ts';
import { MIGRATIONS_DIRECTORY } from './migration-list.ts';
import { openRecord, record } from './migration-record.ts';
import { unappliedMigrations } from './pending-migrations.ts';

/** The migration that makes the tables of version 0.1.0. */
export const BASELINE = '20261127230000_create_tables';

/** The migrations with which version 0.1.0 made them, and the checksums of their scripts. */
const REPLACED = `
73fca09786a3cea7e3581026bc375aebf7bd16036e635208cab3110d9d4e3764 20261120192534_create_account_migration_tables
d6b66ec22804d2a8dafc0a942cbe2a47cd95ce1889e85cef6110532bc3164a0d 20261120213239_add_service_account_number_to_imports
5a090800728bdacb312aa9d1b9c3b32795db8baea2d62f8b1e7467b9ac37d8c7 20261122021920_add_constraints
95b161d0391d5fca28a867a03c879cd8ae9cb3c8d6bc264895f12cbc1e98a6bf 20261122022000_add_import_supplier_lock
c425430b0ec400731bdf590b9d00bd3503c27a9177ea2bb6ec82dc12ae9d706e 20261122022100_keep_audit_events
f471c4527f68ec821a4bf3f6479690d646a7f34185978af0b62d0c0b39f77bae 20261122024500_add_refresh_token_families
cbbd12e8ddd874b2fc3216edeae181fdad811fd028a61abe5419e3348a7ee092 20261122024500_add_removal_of_personal_data
38c8c15b3ae41ca2021c37df583813a0e3b4da68ea37dac6972586fbb3273d45 20261122024600_add_request_ids_of_callers
f210d0ab826b223ff956aabd8fb5fa68864a76323ef919e5a9e0c3ead0285dd2 20261122024700_add_organisations_of_teams
d03765d17f01353c02e6e234e3b147b0feaad75bc9797a2c0e3b2af00609b34b 20261122181000_add_fields_of_notes_and_transactions
cafb5e5594a6f0df30ce2a88853834f4ad614ae0be14781e902fe71383ffdc34 20261122182000_add_completion_order
5d7fed577cf1a569f06944729d4aab593fe29dbfa55b3e8c92886ab1d5902598 20261122183000_add_details_of_supply_and_schedules
0cdaaec09bc0f0ce4409b6c8afb7341713f5d71b7a6a2dba4c2750d2769e44f8 20261122184000_add_account_import_refusals
e2cc8ee731f2e9e28c98f0d3bf53ba1e705a1504e22cf0d5a8d36a43db3aea25 20261122185000_add_payload_size
796820a3c19898acabbb66fc9156b2bf70595d665b47ea1ad8359cbf73d86eb1 20261122186000_add_import_supplier_settings
8889a806a0e12b4af585b76bee8cd3d370b7f05e3b6c9a2b8db8b1eb5d33bc3a 20261122186100_keep_undocumented_fields
a030051802a051e60248d6ef2660d9c728c64d9f70d88a6f491b7ac8468bc797 20261122187000_add_account_history
b5bc71485b08663befe17e213dea090a6dcfa8c8bf3133c05995aedb4c9e6e74 20261122188000_count_incomplete_accounts
c62989f2bb747f18d2aa66980b182d1200f52685981cca8c875a51fc9dab19b1 20261122189000_settle_refusals_with_reports
231b493399ecdc80ea5a2d6ebb4a4bd63d2c420d09d8041b660951a23b29a27d 20261122189100_settle_late_refusals
5ac0730946880e9b27c61b1d000eb3cebf2f3d1c3004b498a0b8fe70f32a4627 20261123040000_add_bulk_jobs
02de6f3977eb38147015f323586bd208ce31e55ebbf82e8a2ca39060b6366070 20261123041000_measure_progress
cae1b0250889c1131f11cbe6c7322a79484b62825b051c0b7c1a23150ec5e728 20261123080000_add_reconciliation
733c9ce58d3669049628960a07ffc5c1da9049ddb2ca82eaff6857e140761912 20261123081000_fold_bulk_chunks
a16880ce5d8538c18a5a301d81a02e8f53cb9c125a1c5fe82a57a0c6f5238697 20261123082000_stop_jobs_of_revoked_keys
1cb9fd0f15248e5787084c2980de5b78711c68ee55c8d55c4d5b2660f3537b67 20261123083000_count_stored_bulk_files
29f80ebe077331465e9fadc0370cdaf752ae8b63b2937612d30300b1612816c7 20261123090000_read_ranges_again
92a6a3b99d09255d10b514f1bdc36d22b2c32b7dea646ac550dc34481890c1c3 20261123100000_add_report_keys
02c21de82caaabfc095fcc016fb75d47ba0ee34ec1669312d7b877acaa8f8b71 20261123150225_add_withdrawn_reason
9df171d44a6bc3ca03a24e81cc041db080d5b7258402f2557d5d92e98bad554a 20261123160000_add_read_only_keys
266f7393325fc7ee3e83b56b5d54ad98b189b810f93b8565c92549e77921329b 20261123170000_add_events
f6c77ee12dcc23a6be6d30323187d5d234c3910969e5b6cb5bfcd13e16886203 20261123180000_add_webhooks
568a58cc916717e368ce0b60fa8401afb13ca3a753e0b519752605c2ee725309 20261123190000_add_customer_emails
b4f72cff7ff6dc067ac13f01dfd002d43924bf07920a99eead2baf35575eb10b 20261124080000_add_webhook_revisions
875f76c64e069ee238cdac7860dcf6afd3dec1d83749818496c3a8811c8d2c36 20261124081000_add_import_suppliers_of_webhooks
f0d49775f7596c52c18971f2beab29647668f9b72195237b80fbf2a21c889d9e 20261124082000_read_events_in_order
67a130bde9cdec3add3ff3a7de62883e1d76f0164fdc5a2c44ee8e701c8339c9 20261126000000_number_events_by_one_look_up
5017d5c270d22dd1e6bb66402a189427ccfa3f1bae60fedb9df9bfb9618196f1 20261127080000_allow_a_slash_before_document_paths
6643a5d6b57e1b627b57c8dd18f168a385d586d8a817632f1f029f2ab5d1e8bc 20261127081000_allow_statements_without_details
15b558ab6069cfda99cd7e17dcf1d6110a4bcc8d8e77381e5ddda3f2b496bab1 20261127100000_add_template_failure
9146224c1ed882d3615549c6504c8fbe954fcc492166a7e77a4a6a5c2ce5943e 20261127101000_limit_emails_per_mailbox
b374ba14139c1a818ada1a7990467b820ddcda1192a56ed52529321f8252a547 20261127110000_list_problems_by_accounts
e4128efa236fd25be3e8a71f9649c29fadeeaac6ed1cbde05cd980b9b55d0be3 20261127140000_keep_types_of_refused_instructions
452714a30a2af20b045f7adde586ab45ed0c134880d8c7fa2b7830658969b31b 20261127170000_check_accounts_by_statement
a3d303cf22701326dc7d14ef8fcf2ea61fc1eb3afb5dc04e535c588fb16bd01f 20261127210000_keep_what_a_refused_line_was_to_bring
9133a876b9e9bfdd2e10563123ec52db052e679927b4a959f037809c06b19682 20261127235000_remember_refused_lines_by_themselves
`;

/** By their names. */
export const CHECKSUMS_OF_REPLACED: ReadonlyMap<string, string> = new Map(
  REPLACED.trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([checksum = '', name = '']) => [name, checksum]),
);

// A key that version 0.1.0 has dropped once it had built `payment_instructions_type_key`, after its migrations.
const APPLIED = `
  SELECT DISTINCT migration_name AS name, checksum, to_regclass('payment_instructions_pkey') IS NOT NULL AS "hasOldKey"
  FROM _prisma_migrations
  WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;

/**
 * Whether version 0.1.0 has made the tables of the baseline; false for an empty database.
 *
 * @throws if it has made only some of them, or if something else has
 */
export async function hasTablesOfBaseline(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string; checksum: string; hasOldKey: boolean }>(APPLIED);
  if (rows.length === 0) return false;
  const strange = rows.find(({ name, checksum }) => CHECKSUMS_OF_REPLACED.get(name) !== checksum);
  if (strange !== undefined) {
    throw new Error(
      `its migration ${strange.name} is not one of version 0.1.0. Use a database that version 0.1.0 has brought up to date, ` +
        'or an empty one',
    );
  }
  const { size } = CHECKSUMS_OF_REPLACED;
  if (rows.length < size || rows[0]?.hasOldKey === true) {
    throw new Error(
      `it is older than version 0.1.0 (${rows.length} of ${size} migrations). Start version 0.1.0 on it once`,
    );
  }
  return true;
}

/** The advisory lock of the instance that migrates; the number is Prisma's own, so that its CLI waits for us too. */
export const MIGRATION_LOCK = 72_707_369;
/** A table lock that is not granted soon would block every request that queues behind it. */
export const LOCK_TIMEOUT = '15s';
/** A migration locks tables one after the other, and may deadlock with a call in flight: it is retried. */
const ATTEMPTS = 5;
const REMEDY = 'Set DATABASE_OWNER_URL to a role that owns the tables: it migrates, and grants the service its rights.';

/** Called with a sentence for each thing that was done. */
export type Tell = (done: string) => void;

/** @param isDone the database has what the migration makes */
async function apply(client: pg.Client, directory: string, [name, isDone]: [string, boolean]): Promise<string> {
  try {
    const script = await readFile(path.join(directory, name, 'migration.sql'), 'utf8');
    await record(client, { name, script, isDone });
    return isDone ? `Recorded migration ${name}, whose tables there are.` : `Applied migration ${name}.`;
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

async function applyPending(client: pg.Client, directory: string): Promise<string[]> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await openRecord(client);
  // Checks again: the previous holder of the lock may have applied them.
  const pending = await unappliedMigrations(client, directory);
  const hasTables = pending.includes(BASELINE) && (await hasTablesOfBaseline(client));
  const done: string[] = [];
  for (const name of pending) done.push(await apply(client, directory, [name, hasTables && name === BASELINE]));
  await client.query('COMMIT');
  return done;
}

async function applyOnceMoreAfterDeadlock(client: pg.Client, directory: string): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyPending(client, directory);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRolledBack(error)) throw error;
      await client.query('ROLLBACK');
    }
  }
}

function explain(error: unknown, pending: string[]): Error {
  const remedy = isDenied(error) ? REMEDY : 'Start again once that is put right.';
  const named = isDenied(error) && pending.length > 0 ? ` Pending: ${pending.join(', ')}.` : '';
  const message = `The database was not changed: ${(error as Error).message}.${named} ${remedy}`;
  return new Error(message, { cause: error });
}

/**
 * Brings a database up to date. All pending migrations and the record of them are one transaction: they are atomic,
 * even if this process is killed, and the next start begins again. Instances that start concurrently wait for the first
 * one. A database that is up to date costs one query. Applied migrations are identified by their names: unknown ones
 * belong to a newer version and are ignored. What version 0.1.0 has brought up to date has the baseline.
 *
 * @param url of the database, in PostgreSQL's form; the role need not be the owner if nothing is pending
 * @throws if the database cannot be reached or is older than version 0.1.0, or a migration fails, with its name and the
 *   database's reason
 */
export async function migrate(
  url: string,
  directory = MIGRATIONS_DIRECTORY,
  report: Tell = () => undefined,
): Promise<void> {
  await withConnection(url, async (client) => {
    let pending: string[] = [];
    try {
      pending = await unappliedMigrations(client, directory);
      if (pending.length === 0) return;
      await beginChanges(url, client);
      for (const done of await applyOnceMoreAfterDeadlock(client, directory)) report(done);
    } catch (error) {
      throw explain(error, pending);
    }
  });
}
