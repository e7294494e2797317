/** The state of one account that a careful reader of docs/behaviour.md expects. */
export interface ModelAccount {
  state: 'STAGED' | 'SKIPPED' | 'COMPLETED';
  /** Of the payload that was staged last. */
  billingName: string;
  serviceAccountNumber?: string;
  notes: Set<string>;
  /** By transaction_id, in pence; several where they were added without a check. */
  transactions: Map<string, number[]>;
  /** By statement_id, in pence. */
  statements: Map<string, number>;
  instruction?: string;
}

/** One import supplier; accounts in the order of their first staging. */
export interface ModelSupplier {
  status: 'ONGOING' | 'PAUSED';
  accounts: Map<string, ModelAccount>;
}

interface On {
  /** Whose import supplier. */
  owner: 0 | 1;
  /** Who asks. */
  caller: 0 | 1;
  account: string;
}
interface Amount {
  id: string;
  pence: number;
}

/** One call of a random sequence. */
export type Call = On &
  (
    | { kind: 'stage'; billingName: string }
    | { kind: 'status' }
    | { kind: 'skip' | 'unskip' | 'pause' | 'resume' }
    | { kind: 'process'; dryRun: boolean; knownTeam: boolean }
    | { kind: 'notes'; bodies: string[] }
    | { kind: 'transactions'; added: Amount[]; checked: boolean }
    | { kind: 'statements'; sent: Amount[] }
    | { kind: 'instruction'; reference: string }
    | { kind: 'list'; of: 'all' | 'pending' | 'imported' }
  );

/** The answer that the model expects: its name, and the relevant part of its body. */
export interface Prediction {
  answer: string;
  shows?: unknown;
}

export const pounds = (pence: number): string => (pence / 100).toFixed(2);

const OK: Prediction = { answer: '200' };
const CREATED: Prediction = { answer: '201' };
const refused = (code: string): Prediction => ({ answer: `400 ${code}` });

/** Predicts the answer to a call and applies its effect to the model. A new account number is set afterwards. */
export function predict(suppliers: readonly [ModelSupplier, ModelSupplier], call: Call): Prediction {
  const supplier = suppliers[call.owner];
  const account = supplier.accounts.get(call.account);
  if (call.owner !== call.caller && isSuppliersOwn(call)) {
    const isPath = call.kind === 'status' || call.kind === 'list';
    return { answer: `${isPath ? 404 : 400} import_supplier_does_not_exist` };
  }
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
    case 'status':
      if (account === undefined) return { answer: '404 account_not_found' };
      return { ...OK, shows: statusOf(account) };
    case 'list':
      return { ...OK, shows: listOf(supplier, call.of) };
    default:
      return predictImport(account, call);
  }
}

function isSuppliersOwn({ kind }: Call): boolean {
  return !['pause', 'resume', 'skip', 'unskip'].includes(kind);
}

function predictStage(
  supplier: ModelSupplier,
  account: ModelAccount | undefined,
  { account: name, billingName }: Extract<Call, { kind: 'stage' }>,
): Prediction {
  if (supplier.status === 'PAUSED') return refused('import_supplier_migration_not_ongoing');
  if (account === undefined) {
    const empty = { notes: new Set<string>(), transactions: new Map(), statements: new Map() };
    supplier.accounts.set(name, { state: 'STAGED', billingName, ...empty });
    return CREATED;
  }
  const refusal = refusedUnlessPending(account);
  if (refusal === undefined) account.billingName = billingName;
  return refusal ?? OK;
}

function predictProcess(
  { status }: ModelSupplier,
  account: ModelAccount | undefined,
  { dryRun, knownTeam }: Extract<Call, { kind: 'process' }>,
): Prediction {
  if (status === 'PAUSED') return refused('import_supplier_migration_not_ongoing');
  if (account === undefined) return refused('import_process_does_not_exist');
  const refusal = refusedUnlessPending(account);
  if (refusal !== undefined) return refusal;
  if (!knownTeam) return refused('operations_team_name_does_not_exist');
  if (dryRun) return refused('dry_run_rolled_back');
  account.state = 'COMPLETED';
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
  account.state = kind === 'skip' ? 'SKIPPED' : 'STAGED';
  return OK;
}

function predictImport(
  account: ModelAccount | undefined,
  call: Extract<Call, { kind: 'notes' | 'transactions' | 'statements' | 'instruction' }>,
): Prediction {
  if (account?.state !== 'COMPLETED') return { answer: `${call.kind === 'notes' ? 404 : 400} account_not_found` };
  if (call.kind === 'notes') {
    const shows = call.bodies.map((body) => {
      const isNew = !account.notes.has(body);
      account.notes.add(body);
      return isNew ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS';
    });
    return { ...CREATED, shows };
  }
  if (call.kind === 'transactions') {
    return { ...CREATED, shows: call.added.map((one) => addTransaction(account, one, call.checked)) };
  }
  if (call.kind === 'statements') {
    const known = new Map(account.statements);
    for (const { id, pence } of call.sent) {
      if ((known.get(id) ?? pence) !== pence) return refused('historical_statement_already_exists');
      known.set(id, pence);
    }
    account.statements = known;
    return CREATED;
  }
  account.instruction ??= call.reference;
  return account.instruction === call.reference ? CREATED : refused('payment_instruction_already_active');
}

function addTransaction(account: ModelAccount, { id, pence }: Amount, checked: boolean): [string, string] {
  const [known, ...more] = account.transactions.get(id) ?? [];
  if (checked && known !== undefined) return ['TRANSACTION_ALREADY_EXISTS', pounds(known)];
  account.transactions.set(id, known === undefined ? [pence] : [known, ...more, pence]);
  return ['TRANSACTION_ADDED_TO_ACCOUNT', pounds(pence)];
}

function statusOf({ state, serviceAccountNumber }: ModelAccount): [string, string] {
  return state === 'COMPLETED' ? ['COMPLETED', serviceAccountNumber ?? ''] : ['UNKNOWN', ''];
}

function listOf(supplier: ModelSupplier, of: 'all' | 'pending' | 'imported'): [string, string | null][] {
  const state = { all: undefined, pending: 'STAGED', imported: 'COMPLETED' }[of];
  return [...supplier.accounts]
    .filter(([, account]) => state === undefined || account.state === state)
    .map(([name, { serviceAccountNumber = null }]) => [name, serviceAccountNumber]);
}
