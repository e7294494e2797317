import type { SuppliersProcedure } from '../support/parity.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

/**
 * A good input of every data-import procedure for one account; one without an entry here does not compile. Jobs of
 * another organisation have tests of their own (bulk), and a list of one's own suppliers names none.
 */
export const INPUT_OF: {
  [Procedure in Exclude<SuppliersProcedure, 'listOwnImportSuppliers'>]: (
    code: string,
    number: string,
    supplier: TestSupplier,
  ) => Record<string, unknown>;
} = {
  validateAccount: accountOf,
  stageAccount: accountOf,
  processAccount: (code, number, { teamName }) => ({ ...inPath(code, number), operations_team_name: teamName }),
  importNotes: (code, number) => ({
    ...inBody(code, number),
    notes: [{ body: 'x', unpin_at: '2020-01-01T00:00:00Z' }],
  }),
  importTransactions: (code, number) => ({
    ...inBody(code, number),
    transactions: [{ transaction_id: 'T', transaction_date: '2026-04-05', type: 'CREDIT', amount: 1, reason: 'X' }],
    force_add_to_current_statement: false,
  }),
  importStatements: (code, number) => ({
    ...inBody(code, number),
    statements: [
      {
        statement_id: 'ST',
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
        issued_date: '2026-02-01',
        number: '1',
        gross_amount: 1,
      },
    ],
  }),
  importPaymentInstruction: (code, number) => ({
    ...inBody(code, number),
    vendor: 'SANDBOX',
    reference: 'pm_ok_1',
    type: 'CARD',
  }),
  accountStatus: inPath,
  listAccountImports: (import_supplier_code, after) => ({ import_supplier_code, after }),
  listPendingImports: (import_supplier_code, after) => ({ import_supplier_code, after, limit: 5 }),
  listImportedAccounts: (import_supplier_code) => ({ import_supplier_code }),
  'accounts.get': inPath,
  'accounts.notes': inPath,
  'accounts.transactions': (code, number) => ({ ...inPath(code, number), limit: 5 }),
  'accounts.statements': (code, number) => ({ ...inPath(code, number), after: 'ST' }),
  'accounts.paymentInstruction': inPath,
  'accounts.paymentInstructions': inPath,
  listProblems: (import_supplier_code) => ({ import_supplier_code }),
  ownImportSupplier: (import_supplier_code) => ({ import_supplier_code }),
  createBulkJob: (import_supplier) => ({ import_supplier, kind: 'STAGE' }),
  listBulkJobs: (import_supplier) => ({ import_supplier }),
  startBulkJob: (job_id) => ({ job_id, run_mode: 'REAL' }),
  pauseBulkJob: (job_id) => ({ job_id }),
  resumeBulkJob: (job_id) => ({ job_id }),
  cancelBulkJob: (job_id) => ({ job_id }),
  bulkJob: (job_id) => ({ job_id }),
  bulkJobParts: (job_id) => ({ job_id }),
  bulkJobErrors: (job_id) => ({ job_id }),
  bulkJobResults: (job_id) => ({ job_id }),
  createManifest: (import_supplier) => ({
    import_supplier,
    source_system: 'x',
    as_of: '2026-04-16T22:00:00Z',
    totals: { accounts: 1 },
  }),
  listManifests: (import_supplier) => ({ import_supplier }),
  sealManifest: (manifest_id) => ({ manifest_id }),
  withdrawManifest: (manifest_id) => ({ manifest_id }),
  manifest: (manifest_id) => ({ manifest_id }),
  manifestLines: (manifest_id) => ({ manifest_id }),
  createReconciliation: (manifest_id) => ({ manifest_id }),
  listReconciliations: (import_supplier) => ({ import_supplier }),
  cancelReconciliation: (reconciliation_id) => ({ reconciliation_id }),
  reconciliation: (reconciliation_id) => ({ reconciliation_id }),
  reconciliationDifferences: (reconciliation_id) => ({ reconciliation_id }),
  listEvents: (organisation_id) => ({ organisation_id }),
  createWebhookEndpoint: (organisation_id) => ({ organisation_id, url: 'https://hooks.example/' }),
  listWebhookEndpoints: (organisation_id) => ({ organisation_id }),
  webhookEndpoint: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  updateWebhookEndpoint: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  deleteWebhookEndpoint: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  rotateWebhookSecret: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  testWebhookEndpoint: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  listWebhookDeliveries: (webhook_endpoint_id) => ({ webhook_endpoint_id }),
  sendWebhookAgain: (webhook_endpoint_id) => ({ webhook_endpoint_id, message_id: 'evt_none' }),
};

// The number is no possible one anywhere, and the field is documented nowhere: what depends on the supplier would show.
function accountOf(import_supplier: string, external_account_number: string, supplier: TestSupplier) {
  const customers = [{ family_name: 'X', landline: '1' }];
  return supplier.account({ import_supplier, external_account_number, customers, nickname: 'x' });
}

function inBody(import_supplier: string, external_account_number: string) {
  return { import_supplier, external_account_number };
}

function inPath(import_supplier_code: string, external_account_number: string) {
  return { import_supplier_code, external_account_number };
}
