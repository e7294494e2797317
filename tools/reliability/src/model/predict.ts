import {
  type Call,
  type CallOf,
  CREATED,
  type ModelAccount,
  type ModelSupplier,
  OK,
  type Prediction,
  refused,
} from './account.ts';
import {
  addHistory,
  balanceProblem,
  faultsForOwner,
  faultsOf,
  predictImport,
  UNKNOWN_REFERENCE,
  unequalStatements,
  unequalTransactions,
} from './imports.ts';
import { predictRead } from './reads.ts';
import { rememberOutcome } from './refusals.ts';

/** Predicts the answer to a call and applies its effect to the model. A new account number is set afterwards. */
export function predict(suppliers: readonly [ModelSupplier, ModelSupplier], call: Call): Prediction {
  const prediction = predictAnswer(suppliers[call.owner], call);
  // Nothing is remembered of who asks for another's account.
  if (isByOwner(call)) rememberOutcome(suppliers[call.owner], call, prediction);
  return prediction;
}

/** The service team may do everything. */
function isByOwner(call: Call): boolean {
  const isStaffs = ['pause', 'resume', 'skip', 'unskip'].includes(call.kind);
  return isStaffs || call.owner === call.caller || (call.kind === 'read' && call.through === 'staff');
}

function predictAnswer(supplier: ModelSupplier, call: Call): Prediction {
  const account = supplier.accounts.get(call.account);
  const faults = faultsOfCall(supplier, call);
  if (faults.length > 0) {
    const isAccount = call.kind === 'validate' || call.kind === 'stage';
    return { ...refused(`${isAccount ? 'account' : 'request'}_failed_validation`), shows: faults };
  }
  if (!isByOwner(call)) {
    const isInPath = ['status', 'list', 'read'].includes(call.kind);
    return { answer: `${isInPath ? 404 : 400} import_supplier_does_not_exist` };
  }
  switch (call.kind) {
    case 'validate':
      return OK;
    case 'stage':
      return predictStage(supplier, account, call);
    case 'process':
      return predictProcess(supplier, account, call);
    case 'pause':
    case 'resume':
      supplier.status = call.kind === 'pause' ? 'PAUSED' : 'ONGOING';
      return OK;
    case 'skip':
    case 'unskip':
      return predictSkip(account, call.kind);
    case 'status':
      if (account === undefined) return { answer: '404 account_not_found' };
      return { ...OK, shows: statusOf(account) };
    case 'list':
      return { ...OK, shows: listOf(supplier, call.of) };
    case 'read':
      return predictRead(supplier, account, call);
    default:
      if (account?.state !== 'COMPLETED') return { answer: `${call.kind === 'notes' ? 404 : 400} account_not_found` };
      return predictImport(account, call);
  }
}

/** Found before anything is looked up: all of them at once. */
function faultsOfCall({ refusesBalance }: ModelSupplier, call: Call): string[] {
  switch (call.kind) {
    case 'validate':
    case 'stage': {
      const ofOwner = isByOwner(call) ? faultsForOwner(call.payload, refusesBalance) : [];
      return [...faultsOf(call.payload), ...ofOwner].sort();
    }
    case 'transactions':
      return call.checked ? unequalTransactions('transactions', call.sent) : [];
    case 'statements':
      return unequalStatements(call.sent);
    default:
      return [];
  }
}

function predictStage(
  supplier: ModelSupplier,
  account: ModelAccount | undefined,
  { account: name, payload }: CallOf<'stage'>,
): Prediction {
  if (supplier.status === 'PAUSED') return refused('import_supplier_migration_not_ongoing');
  const refusal = account && refusedUnlessPending(account);
  if (refusal !== undefined) return refusal;
  if (account === undefined) {
    const empty = { notes: [], transactions: [], statements: [], reference: null };
    supplier.accounts.set(name, { state: 'STAGED', failed: false, payload, ...empty });
  } else Object.assign(account, { state: 'STAGED', failed: false, payload });
  const reports = balanceProblem(payload.history);
  return { ...(account === undefined ? CREATED : OK), ...(reports && { reports }) };
}

function predictProcess(
  { status, accounts }: ModelSupplier,
  account: ModelAccount | undefined,
  { dryRun, knownTeam }: CallOf<'process'>,
): Prediction {
  if (status === 'PAUSED') return refused('import_supplier_migration_not_ongoing');
  if (account === undefined) return refused('import_process_does_not_exist');
  const refusal = refusedUnlessPending(account);
  if (refusal !== undefined) return refusal;
  if (!knownTeam) {
    if (!dryRun) Object.assign(account, { state: 'FAILED', failed: true });
    return refused('operations_team_name_does_not_exist');
  }
  if (account.payload.history?.reference === UNKNOWN_REFERENCE) return refused('payment_vendor_rejected');
  if (dryRun) return refused('dry_run_rolled_back');
  account.state = 'COMPLETED';
  account.completion = accounts
    .values()
    .filter(({ state }) => state === 'COMPLETED')
    .toArray().length;
  addHistory(account);
  return CREATED;
}

function refusedUnlessPending({ state, serviceAccountNumber }: ModelAccount): Prediction | undefined {
  if (state === 'SKIPPED') return refused('account_import_process_skipped');
  if (state !== 'COMPLETED') return undefined;
  return { ...refused('account_import_process_already_imported'), shows: serviceAccountNumber };
}

function predictSkip(account: ModelAccount | undefined, kind: 'skip' | 'unskip'): Prediction {
  if (account === undefined) return { answer: 'account_not_found' };
  if (account.state === 'COMPLETED') return { answer: 'account_import_process_already_imported' };
  if (kind === 'skip') account.state = 'SKIPPED';
  else if (account.state === 'SKIPPED') account.state = account.failed ? 'FAILED' : 'STAGED';
  return OK;
}

function statusOf({ state, serviceAccountNumber }: ModelAccount): [string, string] {
  return state === 'COMPLETED' ? ['COMPLETED', serviceAccountNumber ?? ''] : ['UNKNOWN', ''];
}

function listOf(supplier: ModelSupplier, of: CallOf<'list'>['of']): [string, string | null][] {
  const isListed = ({ state }: ModelAccount) =>
    of === 'all' || (of === 'imported' ? state === 'COMPLETED' : state === 'STAGED' || state === 'FAILED');
  return [...supplier.accounts]
    .filter(([, account]) => isListed(account))
    .sort(([, one], [, other]) => (of === 'imported' ? (one.completion ?? 0) - (other.completion ?? 0) : 0))
    .map(([name, { serviceAccountNumber = null }]) => [name, serviceAccountNumber]);
}
