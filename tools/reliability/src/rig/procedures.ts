import type { Inputs } from '@causeway/client';
import { operationOn } from './operations.ts';
import type { Supplier } from './start-world.ts';

/** The names in a call: an import supplier, one of its accounts, and its organisation's ids. */
export interface Target extends Supplier {
  account: string;
  apiKeyId: string;
}

interface ProcedureCall<Input> {
  kind: 'query' | 'mutation';
  input: Input;
}

type AllCalls = { [Area in keyof Inputs]: { [Name in keyof Inputs[Area]]: ProcedureCall<Inputs[Area][Name]> } };

/** One valid call of every procedure; a new procedure that is missing here does not compile. */
function callsOf(target: Target): AllCalls {
  const { code, account, organisationId, apiKeyId, teamName } = target;
  const query = <Input>(input: Input) => ({ kind: 'query' as const, input });
  const mutation = <Input>(input: Input) => ({ kind: 'mutation' as const, input });
  const key = { code, external_account_number: account };
  const path = { import_supplier_code: code };
  // There is none with this id.
  const job = { job_id: apiKeyId };
  const manifest = { manifest_id: apiKeyId };
  const endpoint = { webhook_endpoint_id: apiKeyId };
  const counted = { source_system: 'x', as_of: '2026-04-16T22:00:00Z', totals: { accounts: 1 } };
  const imported = <Input>(name: Parameters<typeof operationOn>[2]) =>
    mutation(operationOn(target, account, name).body as Input);
  return {
    dataImport: {
      validateAccount: imported('stage'),
      stageAccount: imported('stage'),
      processAccount: imported('process'),
      importNotes: imported('notes'),
      importTransactions: imported('transactions'),
      importStatements: imported('statements'),
      importPaymentInstruction: imported('instruction'),
      accountStatus: query({ ...path, external_account_number: account }),
      listAccountImports: query(path),
      listPendingImports: query({ ...path, limit: 5 }),
      listImportedAccounts: query(path),
      listProblems: query(path),
      listOwnImportSuppliers: query({}),
      ownImportSupplier: query(path),
      createBulkJob: mutation({ import_supplier: code, kind: 'STAGE' as const }),
      startBulkJob: mutation({ ...job, run_mode: 'REAL' as const }),
      pauseBulkJob: mutation(job),
      resumeBulkJob: mutation(job),
      cancelBulkJob: mutation(job),
      bulkJob: query(job),
      listBulkJobs: query({ import_supplier: code }),
      bulkJobParts: query(job),
      bulkJobErrors: query(job),
      bulkJobResults: query(job),
      createManifest: mutation({ import_supplier: code, ...counted }),
      sealManifest: mutation(manifest),
      withdrawManifest: mutation(manifest),
      manifest: query(manifest),
      manifestLines: query(manifest),
      listManifests: query({ import_supplier: code }),
      createReconciliation: mutation({ manifest_id: apiKeyId }),
      listReconciliations: query({ import_supplier: code }),
      cancelReconciliation: mutation({ reconciliation_id: apiKeyId }),
      reconciliation: query({ reconciliation_id: apiKeyId }),
      reconciliationDifferences: query({ reconciliation_id: apiKeyId }),
      listEvents: query({ organisation_id: organisationId }),
      createWebhookEndpoint: mutation({ organisation_id: organisationId, url: `https://hooks.example/${account}` }),
      listWebhookEndpoints: query({ organisation_id: organisationId }),
      webhookEndpoint: query(endpoint),
      updateWebhookEndpoint: mutation({ ...endpoint, enabled: true }),
      deleteWebhookEndpoint: mutation(endpoint),
      rotateWebhookSecret: mutation(endpoint),
      testWebhookEndpoint: mutation(endpoint),
      listWebhookDeliveries: query(endpoint),
      sendWebhookAgain: mutation({ ...endpoint, message_id: 'evt_none' }),
    },
    organisations: { create: mutation({ name: `Organisation ${code}` }), list: query({}) },
    apiKeys: {
      issue: mutation({ organisation_id: organisationId, label: 'x' }),
      issueStaff: mutation({ label: 'x' }),
      revoke: mutation({ id: apiKeyId }),
      list: query({ organisation_id: organisationId }),
    },
    importSuppliers: {
      create: mutation({ code, name: code, organisation_id: organisationId }),
      update: mutation({ code, name: 'Another name' }),
      setStatus: mutation({ code, status: 'PAUSED' }),
      list: query({ organisation_id: organisationId }),
      get: query({ code }),
      keptFields: query({ code }),
    },
    operationsTeams: { create: mutation({ name: teamName }), list: query({}) },
    accountImports: {
      list: query({ code }),
      find: query({ text: account }),
      listByProblem: query({
        code,
        problem: { operation: 'stage' as const, refused: true, code: 'required' as const, attr: 'account_type' },
      }),
      get: query(key),
      skip: mutation({ ...key, reason: 'A duplicate' }),
      unskip: mutation(key),
      countForSkip: query({ code, filter: { state: 'FAILED' as const } }),
      skipMany: mutation({ code, filter: { number_prefix: 'NONE-' }, reason: 'None', expected_count: 1 }),
    },
    accounts: {
      get: query({ ...path, external_account_number: account }),
      notes: query({ ...path, external_account_number: account }),
      transactions: query({ ...path, external_account_number: account, limit: 5 }),
      statements: query({ ...path, external_account_number: account }),
      paymentInstruction: query({ ...path, external_account_number: account }),
      paymentInstructions: query({ ...path, external_account_number: account }),
      getMasked: query(key),
      timeline: query(key),
      erase: mutation({ ...key, reason: 'Asked for' }),
    },
    customerEmails: {
      list: query(key),
      listOfSupplier: query({ code }),
      countUnsettled: query({ code }),
      sendAgain: mutation({ id: apiKeyId }),
    },
    emailTemplates: {
      set: mutation({ code, language: 'en', subject: 'Moved', text: 'Moved', html: '<p>Moved</p>' }),
      get: query({ code, language: 'en' }),
      list: query({ code }),
      preview: mutation({ code, language: 'en' }),
    },
    emailSuppressions: {
      list: query({ code }),
      add: mutation({ code, address: 'sam@example.com' }),
      remove: mutation({ code, id: apiKeyId }),
    },
    bulkJobs: { setLimits: mutation({ id: apiKeyId, parallelism: 1 }) },
    overview: {
      migrations: query(undefined),
      progress: query({ code, from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }),
      readiness: query({ code }),
    },
    reconciliations: { signOff: mutation({ id: apiKeyId, note: 'x' }) },
    session: { whoAmI: query(undefined) },
    audit: { list: query({ subject: 'import_supplier', code }), listOfStaff: query({ limit: 5 }) },
  };
}

export interface NamedCall extends ProcedureCall<unknown> {
  /** `importSuppliers.get`. */
  procedure: string;
  isStaffs: boolean;
}

const OF_STAFF_IN_ACCOUNTS = ['getMasked', 'timeline', 'erase'];

/** Whether a procedure, `accounts.get`, is open to import suppliers. */
export function isSuppliers(procedure: string): boolean {
  const [area, name = ''] = procedure.split('.');
  return area === 'dataImport' || area === 'session' || (area === 'accounts' && !OF_STAFF_IN_ACCOUNTS.includes(name));
}

/** One valid call of every procedure, by name. */
export function allProcedureCalls(target: Target): NamedCall[] {
  return Object.entries(callsOf(target)).flatMap(([area, procedures]) =>
    // A procedure without an input ignores one.
    Object.entries(procedures as Record<string, ProcedureCall<unknown>>).map(([name, { kind, input = {} }]) => ({
      ...{ procedure: `${area}.${name}`, kind, input, isStaffs: !isSuppliers(`${area}.${name}`) },
    })),
  );
}

/** How a procedure is called over HTTP. */
export function trpcRequest({ procedure, kind, input }: NamedCall): {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
} {
  const text = JSON.stringify(input);
  return kind === 'query'
    ? { method: 'GET', path: `/trpc/${procedure}?input=${encodeURIComponent(text.toWellFormed())}` }
    : { method: 'POST', path: `/trpc/${procedure}`, body: text };
}
