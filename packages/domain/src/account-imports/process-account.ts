import { randomInt } from 'node:crypto';
import type { ProcessAccountRequest, ProcessAccountResponse } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { type AccountKey, accountKey } from '../account-key.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { dayIn } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { findImportSupplier, migrationNotOngoing } from '../import-suppliers/find-import-supplier.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { LOCK_ACCOUNT_IMPORT, PROCESS_ACCOUNT, type ProcessAccountRow } from './process-account.sql.ts';
import { processLockKey, processSlotKey } from './process-locks.ts';
import { recordFailedAttempt } from './record-failed-attempt.ts';
import { changedAllTheTime, MAX_ATTEMPTS, refuseUnlessPending } from './refuse-unless-pending.ts';

/** A request with the key of its account. */
interface Creation extends AccountKey {
  operations_team_name: string;
}

/**
 * Creates the platform account from the staged data (behaviour 4.3): one statement that takes the account's lock,
 * checks, takes a slot and writes every row, so that it is atomic and happens at most once. A second call waits for the
 * first. `dry_run` runs the same statement and rolls it back: `dry_run_rolled_back` says that it would have succeeded.
 * Refuses, in this order, with `import_supplier_does_not_exist`, `import_supplier_migration_not_ongoing`,
 * `import_process_does_not_exist`, `account_import_process_skipped`, `account_import_process_already_imported`,
 * `operations_team_name_does_not_exist` and `concurrency_limit_exceeded`.
 */
export async function processAccount(
  context: Context,
  request: ProcessAccountRequest,
): Promise<ProcessAccountResponse> {
  const { import_supplier_code, external_account_number, operations_team_name, dry_run } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const creation = { ...accountKey(import_supplier_code, external_account_number), operations_team_name };
  const work = () => (dry_run ? tryAndUndo(context, creation) : createOrRecordFailure(context, creation));
  // Waiting here holds no database connection. Within a transaction the call already holds one, which the call that it
  // waits for may need.
  return context.ifUndone === undefined ? oneAtATime(context.database, creation.id, work) : work();
}

function tryAndUndo(context: Context, creation: Creation): Promise<never> {
  return context.database.transaction(async (transaction) => {
    await createAccount(context, transaction, creation);
    throw new DomainError(
      'dry_run_rolled_back',
      'The account would import successfully. Nothing was stored: this was a dry run and was rolled back.',
    );
  });
}

async function createOrRecordFailure(context: Context, creation: Creation): Promise<ProcessAccountResponse> {
  try {
    return await createAccount(context, context.database, creation);
  } catch (error) {
    await recordFailedAttempt(context, creation.id, error);
    context.ifUndone?.((outside) => recordFailedAttempt(outside, creation.id, error));
    throw error;
  }
}

/** Retries if the drawn number was taken, or if the account became pending after the statement read it. */
async function createAccount(
  context: Context,
  queryable: Queryable,
  creation: Creation,
): Promise<ProcessAccountResponse> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const created = await tryToCreate(context, queryable, creation);
    if (created !== undefined) return created;
  }
  throw changedAllTheTime();
}

async function tryToCreate(
  context: Context,
  queryable: Queryable,
  creation: Creation,
): Promise<ProcessAccountResponse | undefined> {
  const serviceAccountNumber = randomServiceAccountNumber();
  const [row] = await queryable.query(PROCESS_ACCOUNT, {
    ...auditValues(context, creation.id),
    ...creation,
    service_account_number: serviceAccountNumber,
    account_lock: processLockKey(creation.id),
    first_slot: processSlotKey(creation.import_supplier_code),
    today: dayIn(context.timeZone, context.clock()),
  });
  if (row?.created) {
    return { service_account_number: serviceAccountNumber };
  }
  if (row?.locked === false) {
    return waitAndCreate(context, queryable, creation);
  }
  if (row !== undefined && !row.number_taken && !row.slot_found) {
    await refuse(queryable, creation, row);
  }
  return undefined;
}

/** Another instance is working on the account: waits for it, then reads the result. */
async function waitAndCreate(
  context: Context,
  queryable: Queryable,
  creation: Creation,
): Promise<ProcessAccountResponse> {
  const account_lock = processLockKey(creation.id);
  const work = async (transaction: Queryable) => {
    await transaction.query(LOCK_ACCOUNT_IMPORT, { account_lock });
    return createAccount(context, transaction, creation);
  };
  return queryable === context.database ? context.database.transaction(work) : work(queryable);
}

/** Throws for the first failed check; returns if the account has become pending since the statement read it. */
async function refuse(queryable: Queryable, creation: Creation, row: ProcessAccountRow): Promise<void> {
  if (row.supplier_status !== 'ONGOING') {
    throw migrationNotOngoing(row.supplier_status, 'import_supplier_code');
  }
  if (row.state !== 'STAGED' && row.state !== 'FAILED') {
    return refuseUnlessPending(queryable, creation);
  }
  if (row.operations_team_id === null) {
    throw new DomainError('operations_team_name_does_not_exist', 'There is no operations team with this name.', {
      attr: 'operations_team_name',
    });
  }
  throw new DomainError(
    'concurrency_limit_exceeded',
    'As many accounts are being processed as this import supplier allows at once: try again after others finish.',
  );
}

// No I, L, O or U: people read the number out on the telephone (behaviour 2.1).
const NUMBER_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomServiceAccountNumber(): string {
  const characters = Array.from({ length: 8 }, () => NUMBER_ALPHABET[randomInt(NUMBER_ALPHABET.length)]);
  return `A-${characters.join('')}`;
}
