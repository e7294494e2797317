import { WhoAmI } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { accountStatus } from './account-imports/account-status.ts';
import { listAccountImports } from './account-imports/list-account-imports.ts';
import { listImportedAccounts } from './account-imports/list-imported-accounts.ts';
import { listPendingImports } from './account-imports/list-pending-imports.ts';
import { processAccount } from './account-imports/process-account.ts';
import { replaceAccount } from './account-imports/replace-account.ts';
import { stageAccount } from './account-imports/stage-account.ts';
import { undoAccount } from './account-imports/undo-account.ts';
import { validateAccount } from './account-imports/validate-account.ts';
import { getAccount } from './accounts/get-account.ts';
import { getPaymentInstruction } from './accounts/get-payment-instruction.ts';
import { listAccountNotes } from './accounts/list-account-notes.ts';
import { listAccountStatements } from './accounts/list-account-statements.ts';
import { listAccountTransactions } from './accounts/list-account-transactions.ts';
import { listPaymentInstructions } from './accounts/list-payment-instructions.ts';
import { bulkJob } from './bulk-jobs/bulk-job.ts';
import { bulkJobErrors } from './bulk-jobs/bulk-job-errors.ts';
import { bulkJobParts } from './bulk-jobs/bulk-job-parts.ts';
import { bulkJobResults } from './bulk-jobs/bulk-job-results.ts';
import { cancelBulkJob } from './bulk-jobs/cancel-bulk-job.ts';
import { createBulkJob } from './bulk-jobs/create-bulk-job.ts';
import { listBulkJobs } from './bulk-jobs/list-bulk-jobs.ts';
import { pauseBulkJob } from './bulk-jobs/pause-bulk-job.ts';
import { resumeBulkJob } from './bulk-jobs/resume-bulk-job.ts';
import { startBulkJob } from './bulk-jobs/start-bulk-job.ts';
import { undoBulkJob } from './bulk-jobs/undo-bulk-job.ts';
import { listEvents } from './events/list-events.ts';
import { listOwnImportSuppliers } from './import-suppliers/list-own-import-suppliers.ts';
import { ownImportSupplier } from './import-suppliers/own-import-supplier.ts';
import { createManifest } from './manifests/create-manifest.ts';
import { listManifests } from './manifests/list-manifests.ts';
import { manifest } from './manifests/manifest.ts';
import { manifestLines } from './manifests/manifest-lines.ts';
import { sealManifest } from './manifests/seal-manifest.ts';
import { withdrawManifest } from './manifests/withdraw-manifest.ts';
import { importNotes } from './notes/import-notes.ts';
import { importPaymentInstruction } from './payment-instructions/import-payment-instruction.ts';
import { listProblems } from './problems/list-problems.ts';
import { callerProcedure, router } from './procedure.ts';
import { cancelReconciliation } from './reconciliations/cancel-reconciliation.ts';
import { createReconciliation } from './reconciliations/create-reconciliation.ts';
import { listReconciliations } from './reconciliations/list-reconciliations.ts';
import { reconciliation } from './reconciliations/reconciliation.ts';
import { reconciliationDifferences } from './reconciliations/reconciliation-differences.ts';
import { accountImports } from './staff/account-imports.ts';
import { accounts } from './staff/accounts.ts';
import { apiKeys } from './staff/api-keys.ts';
import { audit } from './staff/audit.ts';
import { bulkJobs } from './staff/bulk-jobs.ts';
import { customerEmails, emailSuppressions, emailTemplates } from './staff/customer-emails.ts';
import { importSuppliers } from './staff/import-suppliers.ts';
import { operationsTeams, organisations } from './staff/organisations.ts';
import { overview } from './staff/overview.ts';
import { reconciliations } from './staff/reconciliations.ts';
import { importStatements } from './statements/import-statements.ts';
import { importTransactions } from './transactions/import-transactions.ts';
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { sendWebhookAgain } from './webhooks/send-webhook-again.ts';
import { testWebhookEndpoint } from './webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts';
import { webhookEndpoint } from './webhooks/webhook-endpoint.ts';

/**
 * All procedures: the table of contents. `dataImport` and the reads of `accounts` are mounted on REST too; the rest is
 * for the service team, but for `session`, which is for everyone with a token.
 */
export const appRouter = router({
  dataImport: router({
    validateAccount,
    stageAccount,
    processAccount,
    undoAccount,
    replaceAccount,
    importNotes,
    importTransactions,
    importStatements,
    importPaymentInstruction,
    accountStatus,
    listAccountImports,
    listPendingImports,
    listImportedAccounts,
    listProblems,
    listOwnImportSuppliers,
    ownImportSupplier,
    createBulkJob,
    startBulkJob,
    pauseBulkJob,
    resumeBulkJob,
    cancelBulkJob,
    undoBulkJob,
    bulkJob,
    listBulkJobs,
    bulkJobParts,
    bulkJobErrors,
    bulkJobResults,
    createManifest,
    sealManifest,
    withdrawManifest,
    manifest,
    manifestLines,
    listManifests,
    createReconciliation,
    cancelReconciliation,
    listReconciliations,
    reconciliation,
    reconciliationDifferences,
    listEvents,
    createWebhookEndpoint,
    listWebhookEndpoints,
    webhookEndpoint,
    updateWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    testWebhookEndpoint,
    listWebhookDeliveries,
    sendWebhookAgain,
  }),
  organisations: router(organisations),
  apiKeys: router(apiKeys),
  importSuppliers: router(importSuppliers),
  operationsTeams: router(operationsTeams),
  accountImports: router(accountImports),
  accounts: router({
    get: getAccount,
    notes: listAccountNotes,
    transactions: listAccountTransactions,
    statements: listAccountStatements,
    paymentInstruction: getPaymentInstruction,
    paymentInstructions: listPaymentInstructions,
    ...accounts,
  }),
  bulkJobs: router(bulkJobs),
  customerEmails: router(customerEmails),
  emailTemplates: router(emailTemplates),
  emailSuppressions: router(emailSuppressions),
  overview: router(overview),
  reconciliations: router(reconciliations),
  audit: router(audit),
  session: router({
    /** Whose key the caller has (behaviour 14.3.4). */
    whoAmI: callerProcedure.output(WhoAmI).query(({ ctx }) => domain.whoAmI(ctx)),
  }),
});

/** The only view of the service that `packages/client` and trpc-to-openapi have. */
export type AppRouter = typeof appRouter;
