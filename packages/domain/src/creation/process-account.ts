import type { ProcessAccountRequest, ProcessAccountResponse } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { changedAllTheTime, MAX_ATTEMPTS, refuseUnlessPending } from '../account-imports/refuse-unless-pending.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier, migrationNotOngoing } from '../shared/find-import-supplier.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { oneAtATime } from '../shared/one-at-a-time.ts';
import { processLockKey } from '../shared/process-locks.ts';
import { type Creation, creationValues } from './account-rows.ts';
import { CREATE_BUNDLES } from './create-bundle.sql.ts';
import { LOCK_ACCOUNT_IMPORT, PROCESS_ACCOUNTS, type ProcessAccountRow } from './creations.sql.ts';
import { expectHistories, foreseeBundle } from './foresee-bundle.ts';
import { type Bundle, bundleValues, type CarriedHistory, prepareBundle } from './prepare-bundle.ts';
import { recordFailedAttempt } from './record-failed-attempt.ts';

/** The same of a call, which takes its slot itself. */
interface CalledCreation extends Creation {
  /** Its import supplier limits how many accounts are created at the same time. */
  isLimited: boolean;
}

/** What one attempt came to: the account, or the history that is to be decided first; neither: try again. */
interface Outcome {
  response?: ProcessAccountResponse;
  carried?: CarriedHistory;
}

/** One attempt to create the account, with its history once that is decided. */
type Attempt = (bundle: Bundle | undefined) => Promise<Outcome>;

/**
 * Creates the platform account from the staged data (behaviour 4.3): one statement that takes the account's lock,
 * checks, takes a slot and writes every row, so that it is atomic and happens at most once. A second call waits for the
 * first. If the payload carries a history, that statement writes nothing and returns it; the rules decide, the payment
 * vendor is asked, and a second statement does all of it again and writes everything (behaviour 4.17). Where a history
 * is expected, it is read and decided first, and the second statement is the only one. `dry_run` runs the same
 * statements and rolls them back: `dry_run_rolled_back` says that it would have succeeded.
 * Refuses, in this order, with `import_supplier_does_not_exist`, `import_supplier_migration_not_ongoing`,
 * `import_process_does_not_exist`, `account_import_process_skipped`, `account_import_process_already_imported`,
 * `operations_team_name_does_not_exist` and `concurrency_limit_exceeded`; then as the imports of the history do.
 */
export async function processAccount(
  context: Context,
  request: ProcessAccountRequest,
): Promise<ProcessAccountResponse> {
  const { import_supplier_code, external_account_number, operations_team_name, dry_run } = request;
  const supplier = await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const key = accountKey(import_supplier_code, external_account_number);
  const creation = { ...key, operations_team_name, isLimited: supplier.process_concurrency_limit !== null };
  const work = () => (dry_run ? tryAndUndo(context, creation) : createOrRecordFailure(context, creation));
  // Waiting here holds no database connection. Within a transaction the call already holds one, which the call that it
  // waits for may need.
  return context.ifUndone === undefined ? oneAtATime(context.database, creation.id, work) : work();
}

/** Each attempt in a transaction of its own, so that none is open while the history is decided. */
function tryAndUndo(context: Context, creation: CalledCreation): Promise<ProcessAccountResponse> {
  return createAccount(context, creation, (bundle) =>
    context.database.transaction(async (transaction) => {
      const outcome = await tryToCreate(context, transaction, { creation, bundle });
      if (outcome.response === undefined) return outcome;
      throw new DomainError(
        'dry_run_rolled_back',
        'The account would import successfully. Nothing was stored: this was a dry run and was rolled back.',
      );
    }),
  );
}

async function createOrRecordFailure(context: Context, creation: CalledCreation): Promise<ProcessAccountResponse> {
  try {
    return await createAccount(context, creation, (bundle) =>
      tryToCreate(context, context.database, { creation, bundle }),
    );
  } catch (error) {
    await recordFailedAttempt(context, creation.id, error);
    context.ifUndone?.((outside) => recordFailedAttempt(outside, creation.id, error));
    throw error;
  }
}

/**
 * Retries if the drawn number was taken, if the account became pending after the statement read it, or if its history
 * was staged again after it was decided.
 */
async function createAccount(context: Context, creation: Creation, attempt: Attempt): Promise<ProcessAccountResponse> {
  let bundle = await foreseeBundle(context, creation);
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const { response, carried } = await attempt(bundle);
    if (response !== undefined) return response;
    bundle = carried && (await prepareBundle(context, carried));
  }
  throw changedAllTheTime();
}

/** What an attempt is about. */
interface Attempted {
  creation: CalledCreation;
  bundle: Bundle | undefined;
}

const createTogether = groupedStatement(PROCESS_ACCOUNTS);
const createWithHistoryTogether = groupedStatement(CREATE_BUNDLES);

async function tryToCreate(context: Context, queryable: Queryable, attempted: Attempted): Promise<Outcome> {
  const { creation, bundle } = attempted;
  const { isLimited: alone, ...called } = creation;
  const values = creationValues(context, called);
  const { service_account_number } = values;
  const row =
    bundle === undefined
      ? await createTogether(queryable, values, { alone })
      : await createWithHistoryTogether(
          queryable,
          { ...values, ...bundleValues(bundle, service_account_number) },
          { alone },
        );
  if (row?.created) {
    const { external_account_number } = creation;
    return { response: { service_account_number, external_account_number } };
  }
  if (row?.locked === false) {
    return waitAndCreate(context, queryable, attempted);
  }
  if (row !== undefined && !row.number_taken && !row.slot_found) {
    await refuse(queryable, creation, row);
  }
  const { history = null, times_staged = null } = row ?? {};
  if (history === null || times_staged === null) return {};
  expectHistories(creation.import_supplier_code);
  return { carried: { times_staged, text: history } };
}

/**
 * Creates a staged account with the history that was decided for it, within the transaction of `context`: nothing that
 * the history depends on changes in it. Refuses as `processAccount` does; the attempt is not recorded.
 */
export async function createStagedAccount(
  context: Context,
  creation: Creation,
  bundle: Bundle,
): Promise<ProcessAccountResponse> {
  const attempted = { creation: { ...creation, isLimited: true }, bundle };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const { response } = await tryToCreate(context, context.database, attempted);
    if (response !== undefined) return response;
  }
  throw changedAllTheTime();
}

/** Another instance is working on the account: waits for it, then reads the result. */
async function waitAndCreate(context: Context, queryable: Queryable, attempted: Attempted): Promise<Outcome> {
  const account_lock = processLockKey(attempted.creation.id);
  const work = async (transaction: Queryable) => {
    await transaction.query(LOCK_ACCOUNT_IMPORT, { account_lock });
    return tryToCreate(context, transaction, attempted);
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
    'This import supplier has reached its limit of accounts processed at once: try again after others finish.',
  );
}
