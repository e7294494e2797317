import {
  type Call,
  type CallOf,
  CREATED,
  isStaffs,
  type ModelAccount,
  type ModelSupplier,
  OK,
  type Prediction,
  refused,
} from './account.ts';
import { addHistory, predictImport, UNKNOWN_REFERENCE } from './imports.ts';

/** Predicts the answer to a call and applies its effect to the model. A new account number is set afterwards. */
export function predict(suppliers: readonly [ModelSupplier, ModelSupplier], call: Call): Prediction {
  const supplier = suppliers[call.owner];
  const account = supplier.accounts.get(call.account);
  // The service team may do everything.
  if (!isStaffs(call) && call.owner !== call.caller) return refused('import_supplier_does_not_exist');
  switch (call.kind) {
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
    case 'undo':
      return predictUndo(account, call);
    default:
      if (account?.state !== 'COMPLETED') return { answer: `${call.kind === 'notes' ? 404 : 400} account_not_found` };
      return predictImport(account, call);
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
    supplier.accounts.set(name, { state: 'STAGED', failed: false, payload, ...withoutRows() });
  } else Object.assign(account, { state: 'STAGED', failed: false, payload });
  return account === undefined ? CREATED : OK;
}

function predictProcess(
  { status }: ModelSupplier,
  account: ModelAccount | undefined,
  { dryRun, knownTeam }: CallOf<'process'>,
): Prediction {
  if (status === 'PAUSED') return refused('import_supplier_migration_not_ongoing');
  if (account === undefined || account.state === 'UNDONE') return refused('import_process_does_not_exist');
  const refusal = refusedUnlessPending(account);
  if (refusal !== undefined) return refusal;
  if (!knownTeam) {
    if (!dryRun) Object.assign(account, { state: 'FAILED', failed: true });
    return refused('operations_team_name_does_not_exist');
  }
  if (account.payload?.history?.reference === UNKNOWN_REFERENCE) return refused('payment_vendor_rejected');
  if (dryRun) return refused('dry_run_rolled_back');
  account.state = 'COMPLETED';
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
  else if (account.state === 'SKIPPED') account.state = stateBefore(account);
  return OK;
}

function stateBefore({ payload, failed }: ModelAccount): ModelAccount['state'] {
  if (payload === null) return 'UNDONE';
  return failed ? 'FAILED' : 'STAGED';
}

/** Behaviour 30.1.2: the payload stays if it alone creates all of it again. */
function predictUndo(account: ModelAccount | undefined, { dryRun }: CallOf<'undo'>): Prediction {
  if (account === undefined) return { answer: 'account_not_found' };
  if (account.state !== 'COMPLETED') return { answer: 'account_not_created' };
  if (dryRun) return { answer: 'dry_run_rolled_back' };
  const left = account.hasMore ? { state: 'UNDONE' as const, payload: null } : { state: 'STAGED' as const };
  delete account.serviceAccountNumber;
  Object.assign(account, { ...left, ...withoutRows(), failed: false });
  return OK;
}

const withoutRows = () => ({ notes: [], transactions: [], statements: [], reference: null, hasMore: false });
