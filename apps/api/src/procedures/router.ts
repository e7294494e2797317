import { accountStatus } from './account-imports/account-status.ts';
import { countForSkip } from './account-imports/count-for-skip.ts';
import { findAccountImports } from './account-imports/find-account-imports.ts';
import { getAccountImport } from './account-imports/get-account-import.ts';
import { listAccountImports } from './account-imports/list-account-imports.ts';
import { listImportedAccounts } from './account-imports/list-imported-accounts.ts';
import { listPendingImports } from './account-imports/list-pending-imports.ts';
import { processAccount } from './account-imports/process-account.ts';
import { searchAccountImports } from './account-imports/search-account-imports.ts';
import { skipAccountImport } from './account-imports/skip-account-import.ts';
import { skipMany } from './account-imports/skip-many.ts';
import { stageAccount } from './account-imports/stage-account.ts';
import { unskipAccountImport } from './account-imports/unskip-account-import.ts';
import { validateAccount } from './account-imports/validate-account.ts';
import { accountTimeline } from './accounts/account-timeline.ts';
import { eraseAccount } from './accounts/erase-account.ts';
import { getAccount } from './accounts/get-account.ts';
import { getMaskedAccount } from './accounts/get-masked-account.ts';
import { getPaymentInstruction } from './accounts/get-payment-instruction.ts';
import { listAccountNotes } from './accounts/list-account-notes.ts';
import { listAccountStatements } from './accounts/list-account-statements.ts';
import { listAccountTransactions } from './accounts/list-account-transactions.ts';
import { listPaymentInstructions } from './accounts/list-payment-instructions.ts';
import { issueApiKey } from './api-keys/issue-api-key.ts';
import { issueStaffApiKey } from './api-keys/issue-staff-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { listAuditEvents } from './audit/list-audit-events.ts';
import { listStaffEvents } from './audit/list-staff-events.ts';
import { bulkJob } from './bulk-jobs/bulk-job.ts';
import { bulkJobErrors } from './bulk-jobs/bulk-job-errors.ts';
import { bulkJobParts } from './bulk-jobs/bulk-job-parts.ts';
import { bulkJobResults } from './bulk-jobs/bulk-job-results.ts';
import { cancelBulkJob } from './bulk-jobs/cancel-bulk-job.ts';
import { createBulkJob } from './bulk-jobs/create-bulk-job.ts';
import { listBulkJobs } from './bulk-jobs/list-bulk-jobs.ts';
import { pauseBulkJob } from './bulk-jobs/pause-bulk-job.ts';
import { resumeBulkJob } from './bulk-jobs/resume-bulk-job.ts';
import { setBulkJobLimits } from './bulk-jobs/set-bulk-job-limits.ts';
import { startBulkJob } from './bulk-jobs/start-bulk-job.ts';
import { addEmailSuppression } from './customer-emails/add-email-suppression.ts';
import { countUnsettledEmails } from './customer-emails/count-unsettled-emails.ts';
import { getEmailTemplate } from './customer-emails/get-email-template.ts';
import { listCustomerEmails } from './customer-emails/list-customer-emails.ts';
import { listEmailSuppressions } from './customer-emails/list-email-suppressions.ts';
import { listEmailTemplates } from './customer-emails/list-email-templates.ts';
import { listSupplierEmails } from './customer-emails/list-supplier-emails.ts';
import { previewEmailTemplate } from './customer-emails/preview-email-template.ts';
import { removeEmailSuppression } from './customer-emails/remove-email-suppression.ts';
import { sendEmailAgain } from './customer-emails/send-email-again.ts';
import { setEmailTemplate } from './customer-emails/set-email-template.ts';
import { listEvents } from './events/list-events.ts';
import { createImportSupplier } from './import-suppliers/create-import-supplier.ts';
import { getImportSupplier } from './import-suppliers/get-import-supplier.ts';
import { listImportSuppliers } from './import-suppliers/list-import-suppliers.ts';
import { listKeptFields } from './import-suppliers/list-kept-fields.ts';
import { listOwnImportSuppliers } from './import-suppliers/list-own-import-suppliers.ts';
import { ownImportSupplier } from './import-suppliers/own-import-supplier.ts';
import { setImportSupplierStatus } from './import-suppliers/set-import-supplier-status.ts';
import { updateImportSupplier } from './import-suppliers/update-import-supplier.ts';
import { createManifest } from './manifests/create-manifest.ts';
import { listManifests } from './manifests/list-manifests.ts';
import { manifest } from './manifests/manifest.ts';
import { manifestLines } from './manifests/manifest-lines.ts';
import { sealManifest } from './manifests/seal-manifest.ts';
import { withdrawManifest } from './manifests/withdraw-manifest.ts';
import { importNotes } from './notes/import-notes.ts';
import { createOperationsTeam } from './operations-teams/create-operations-team.ts';
import { listOperationsTeams } from './operations-teams/list-operations-teams.ts';
import { createOrganisation } from './organisations/create-organisation.ts';
import { listOrganisations } from './organisations/list-organisations.ts';
import { listMigrations } from './overview/list-migrations.ts';
import { listProgress } from './overview/list-progress.ts';
import { readReadiness } from './overview/read-readiness.ts';
import { importPaymentInstruction } from './payment-instructions/import-payment-instruction.ts';
import { listByProblem } from './problems/list-by-problem.ts';
import { listProblems } from './problems/list-problems.ts';
import { router } from './procedure.ts';
import { cancelReconciliation } from './reconciliations/cancel-reconciliation.ts';
import { createReconciliation } from './reconciliations/create-reconciliation.ts';
import { listReconciliations } from './reconciliations/list-reconciliations.ts';
import { reconciliation } from './reconciliations/reconciliation.ts';
import { reconciliationDifferences } from './reconciliations/reconciliation-differences.ts';
import { signOffReconciliation } from './reconciliations/sign-off-reconciliation.ts';
import { whoAmI } from './session/who-am-i.ts';
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
  organisations: router({ create: createOrganisation, list: listOrganisations }),
  apiKeys: router({ issue: issueApiKey, issueStaff: issueStaffApiKey, revoke: revokeApiKey, list: listApiKeys }),
  importSuppliers: router({
    create: createImportSupplier,
    update: updateImportSupplier,
    setStatus: setImportSupplierStatus,
    list: listImportSuppliers,
    get: getImportSupplier,
    keptFields: listKeptFields,
  }),
  operationsTeams: router({ create: createOperationsTeam, list: listOperationsTeams }),
  accountImports: router({
    list: searchAccountImports,
    find: findAccountImports,
    listByProblem,
    get: getAccountImport,
    skip: skipAccountImport,
    unskip: unskipAccountImport,
    countForSkip,
    skipMany,
  }),
  accounts: router({
    get: getAccount,
    getMasked: getMaskedAccount,
    notes: listAccountNotes,
    transactions: listAccountTransactions,
    statements: listAccountStatements,
    paymentInstruction: getPaymentInstruction,
    paymentInstructions: listPaymentInstructions,
    timeline: accountTimeline,
    erase: eraseAccount,
  }),
  bulkJobs: router({ setLimits: setBulkJobLimits }),
  customerEmails: router({
    list: listCustomerEmails,
    listOfSupplier: listSupplierEmails,
    countUnsettled: countUnsettledEmails,
    sendAgain: sendEmailAgain,
  }),
  emailTemplates: router({
    set: setEmailTemplate,
    get: getEmailTemplate,
    list: listEmailTemplates,
    preview: previewEmailTemplate,
  }),
  emailSuppressions: router({ list: listEmailSuppressions, add: addEmailSuppression, remove: removeEmailSuppression }),
  overview: router({ migrations: listMigrations, progress: listProgress, readiness: readReadiness }),
  reconciliations: router({ signOff: signOffReconciliation }),
  audit: router({ list: listAuditEvents, listOfStaff: listStaffEvents }),
  session: router({ whoAmI }),
});

/** The only view of the service that `packages/client` and trpc-to-openapi have. */
export type AppRouter = typeof appRouter;
