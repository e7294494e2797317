export { accountStatus } from './account-imports/account-status.ts';
export { adoptAccounts } from './account-imports/adopt-accounts.ts';
export { countAccountImports, type MigrationCounts } from './account-imports/count-account-imports.ts';
export { dismissRefusal } from './account-imports/dismiss-refusal.ts';
export { findAccountImports } from './account-imports/find-account-imports.ts';
export type { ListName } from './account-imports/list-account-imports.sql.ts';
export {
  type ListPage,
  listAccountImports,
  listImportedAccounts,
  listPendingImports,
  readListText,
} from './account-imports/list-account-imports.ts';
export { removeStagedPayloads } from './account-imports/remove-staged-payloads.ts';
export { searchAccountImports } from './account-imports/search-account-imports.ts';
export { skipAccountImport, unskipAccountImport } from './account-imports/skip-account-import.ts';
export { countForSkip, skipMany } from './account-imports/skip-many.ts';
export { stageAccount } from './account-imports/stage-account.ts';
export { undoAccount, undoAccountImport } from './account-imports/undo-account.ts';
export { validateAccount } from './account-imports/validate-account.ts';
export { getAccountImport } from './accounts/get-account-import.ts';
export { getAccount, getMaskedAccount } from './accounts/read-account.ts';
export {
  getPaymentInstruction,
  listAccountNotes,
  listAccountStatements,
  listAccountTransactions,
  listPaymentInstructions,
  type StoredPage,
} from './accounts/read-pages.ts';
export { issueApiKey, issueStaffApiKey, listApiKeys, revokeApiKey } from './api-keys/api-keys.ts';
export { ensureStaffApiKey } from './api-keys/ensure-staff-api-key.ts';
export { findActor, whoAmI } from './api-keys/find-actor.ts';
export { exchangeApiKey, exchangeRefreshToken, type RefreshGrant } from './api-keys/refresh-tokens.ts';
export type { BulkDependencies } from './bulk/chunks/bulk-work.ts';
export { foldChunks } from './bulk/chunks/fold-chunks.ts';
export type { CountsJson as ChunkCounts } from './bulk/chunks/line-outcome.ts';
export type { ChunkResult } from './bulk/chunks/run-chunk.ts';
export { runChunk } from './bulk/chunks/run-chunk.ts';
export { listBulkResults } from './bulk/files/read-results.ts';
export { readFailedRows, readUnprocessedRows } from './bulk/files/read-rows.ts';
export { removeBulkFiles } from './bulk/files/remove-bulk-files.ts';
export { cancelBulkJob, pauseBulkJob, resumeBulkJob } from './bulk/jobs/change-bulk-job.ts';
export { createBulkJob } from './bulk/jobs/create-bulk-job.ts';
export { type FoundWork, findBulkWork, takeTurn } from './bulk/jobs/find-work.ts';
export { getBulkJob, listBulkJobs } from './bulk/jobs/get-bulk-job.ts';
export { planBulkJob } from './bulk/jobs/plan-bulk-job.ts';
export { listBulkProblems } from './bulk/jobs/read-problems.ts';
export { setBulkJobLimits } from './bulk/jobs/set-bulk-job-limits.ts';
export { goOnWithRun, pauseIfTooManyRefused, pauseRun, settleRun } from './bulk/jobs/settle-run.ts';
export { startBulkJob } from './bulk/jobs/start-bulk-job.ts';
export { undoBulkJob } from './bulk/jobs/undo-bulk-job.ts';
export { listBulkParts } from './bulk/parts/list-parts.ts';
export { type CutPart, type PartBody, putBulkPart } from './bulk/parts/put-part.ts';
export { newAccount } from './creation/decide-bundle.ts';
export { processAccount } from './creation/process-account.ts';
export { replaceAccount } from './creation/replace-account.ts';
export {
  countUnsettledEmails,
  listCustomerEmails,
  listSupplierEmails,
  sendEmailAgain,
} from './customer-emails/customer-emails.ts';
export { type EmailSettings, readSmtpUrl } from './customer-emails/email-settings.ts';
export {
  addEmailSuppression,
  listEmailSuppressions,
  removeEmailSuppression,
} from './customer-emails/email-suppressions.ts';
export {
  getEmailTemplate,
  listEmailTemplates,
  previewEmailTemplate,
  setEmailTemplate,
} from './customer-emails/email-templates.ts';
export type { EmailOutcome, EmailTransport, OutgoingEmail, Unheard } from './customer-emails/email-transport.ts';
export {
  type EmailDependencies,
  findEmailWork,
  type SentEmails,
  sendEmails,
  setEmailsInDoubt,
} from './customer-emails/send-emails.ts';
export { createSmtpTransport } from './customer-emails/smtp-transport.ts';
export {
  createTemplateRenderer,
  type Rendered,
  type RendererSettings,
  type TemplateRenderer,
} from './customer-emails/template-renderer.ts';
export { listEvents } from './events/list-events.ts';
export {
  BEFORE_ALL_EVENTS,
  currentEventPosition,
  type EventPosition,
  type EventSlice,
  type EventsAfter,
  type PlacedEvent,
  readEvents,
} from './events/read-events.ts';
export { removeOldEvents, setEventRecording } from './events/remove-events.ts';
export {
  answerOnce,
  findKeptAnswer,
  type KeptAnswer,
  type MarkedRequest,
  purgeExpiredAnswers,
} from './idempotency/answer-once.ts';
export { createImportSupplier } from './import-suppliers/create-import-supplier.ts';
export {
  getImportSupplier,
  getOwnImportSupplier,
  listImportSuppliers,
  listOwnImportSuppliers,
} from './import-suppliers/get-import-supplier.ts';
export { updateImportSupplier } from './import-suppliers/update-import-supplier.ts';
export { listKeptFields } from './kept-fields/kept-fields.ts';
export { sealManifest, withdrawManifest } from './manifests/change-manifest.ts';
export { createManifest } from './manifests/create-manifest.ts';
export { getManifest, listManifests } from './manifests/get-manifest.ts';
export { listManifestLines, removeManifestLines } from './manifests/list-manifest-lines.ts';
export { type NumberedLine, putManifestPart, type ReadManifestPart } from './manifests/put-manifest-part.ts';
export { importNotes } from './notes/import-notes.ts';
export { createOperationsTeam, listOperationsTeams } from './organisations/operations-teams.ts';
export { createOrganisation, listOrganisations } from './organisations/organisations.ts';
export { accountTimeline } from './overview/account-timeline.ts';
export { listAuditEvents, listStaffEvents } from './overview/list-audit-events.ts';
export { listMigrations, listProgress } from './overview/list-migrations.ts';
export { readReadiness } from './overview/read-readiness.ts';
export { setImportSupplierStatus } from './overview/set-import-supplier-status.ts';
export { takeProgressSamples, thinProgressSamples } from './overview/take-progress-samples.ts';
export { importPaymentInstruction } from './payment-instructions/import-payment-instruction.ts';
export {
  paymentVendorsFrom,
  readVendorSettings,
  type VendorSettings,
} from './payment-vendors/configure-payment-vendors.ts';
export { httpVendor } from './payment-vendors/http-vendor.ts';
export { eraseAccount } from './personal-data/erase-account.ts';
export { cancelReconciliation, createReconciliation } from './reconciliations/create-reconciliation.ts';
export { getReconciliation, listReconciliations } from './reconciliations/get-reconciliation.ts';
export { listReconciliationDifferences } from './reconciliations/list-differences.ts';
export {
  addReportKey,
  listReportKeys,
  type ReportKey,
  readReport,
  type SignReport,
} from './reconciliations/read-report.ts';
export {
  findReconciliationWork,
  type RangeResult,
  type ReconciliationWork,
  runRanges,
} from './reconciliations/run-ranges.ts';
export { signOffReconciliation } from './reconciliations/sign-off-reconciliation.ts';
export { compareMeterPoints } from './refusals/compare-meter-points.ts';
export { decideRemark } from './refusals/decide-remark.ts';
export { keepProblems, purgeResolvedRefusals } from './refusals/keep-problems.ts';
export { listByProblem, listProblems } from './refusals/list-problems.ts';
export { type Refusal, rememberRefusal } from './refusals/remember-refusal.ts';
export { resolveUnwritten } from './refusals/settle.ts';
export type { Actor } from './shared/actor.ts';
export { actorText } from './shared/audit-values.ts';
export type { BulkSettings, Context, Dependencies } from './shared/context.ts';
export { dayIn, utcDatetime } from './shared/dates.ts';
export { accountImportId, accountKey, derivedId } from './shared/derived-id.ts';
export { DomainError, type DomainErrorOptions } from './shared/errors.ts';
export {
  createImportSupplierDirectory,
  findUsableImportSupplier,
  type ImportSupplierDirectory,
} from './shared/find-import-supplier.ts';
export { oneAtATime } from './shared/one-at-a-time.ts';
export type { PaymentInstructionDetails, PaymentVendor } from './shared/payment-vendor.ts';
export { VendorRejected, VendorUnavailable } from './shared/payment-vendor.ts';
export { ThreadPool } from './shared/thread-pool.ts';
export { importStatements } from './statements/import-statements.ts';
export { importTransactions } from './transactions/import-transactions.ts';
export { type AddressRules, createAddressRules, isNetwork } from './webhooks/address-rules.ts';
export {
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './webhooks/change-webhook-endpoint.ts';
export type { ClaimedEndpoint } from './webhooks/claim-webhooks.ts';
export { claimWebhookEndpoints, hasWebhookWork, renewWebhookLeases } from './webhooks/claim-webhooks.ts';
export { countWebhookEndpoints, type WebhookCounts } from './webhooks/count-webhook-endpoints.ts';
export { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts';
export { deliverSlice, type WebhookDependencies } from './webhooks/deliver-slice.ts';
export type { WebhookSettings } from './webhooks/find-webhook-endpoint.ts';
export { getWebhookEndpoint, listWebhookEndpoints } from './webhooks/find-webhook-endpoint.ts';
export { createSecretBox, type SecretBox, sealSecretsAgain } from './webhooks/secret-box.ts';
export {
  listWebhookDeliveries,
  removeWebhookDeliveries,
  sendWebhookAgain,
  testWebhookEndpoint,
} from './webhooks/webhook-deliveries.ts';
