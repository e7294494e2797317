export { type Accepted, accept, acceptOrExplain } from './acceptor.ts';
export * from './account/account-payload.ts';
export { ACCOUNT_TYPES, UNKNOWN_ACCOUNT_TYPE } from './account/account-type.ts';
export { BillingAddress } from './account/address.ts';
export { AccountBillingOptions } from './account/billing.ts';
export { AccountCampaign, Business, Portfolio } from './account/business.ts';
export * from './account/consent.ts';
export * from './account/consumption.ts';
export * from './account/customer.ts';
export * from './account/customer-preferences.ts';
export { AgedDebt, Debt, DunningPath, WarmHomeDiscount } from './account/debt.ts';
export { AccountPaymentInstruction } from './account/history.ts';
export * from './account/history-of-account.ts';
export { Ledger } from './account/ledger.ts';
export { AccountMetadata, AccountReference } from './account/metadata.ts';
export * from './account/meter.ts';
export { Agreement, MeterPoint } from './account/meter-point.ts';
export * from './account/payment-schedule.ts';
export { LabelledPhoneNumber } from './account/phones.ts';
export * from './account/prepay-details.ts';
export * from './account/priority-service.ts';
export * from './account/property-administrator.ts';
export { IntervalReading, MeterReading, Register } from './account/register.ts';
export * from './account/replace-account.ts';
export { FIELDS_OF_SPECIAL_WEIGHT } from './account/special-weight.ts';
export * from './account/supply-address.ts';
export * from './account-imports.ts';
export * from './book/book-line.ts';
export * from './book/result-line.ts';
export * from './bulk/bulk-figures.ts';
export * from './bulk/bulk-job.ts';
export {
  BulkJobKind,
  BulkJobOptions,
  BulkJobOptionsRequest,
  BulkJobReason,
  BulkJobSelection,
  BulkJobSelectionRequest,
  BulkJobState,
  BulkRunMode,
} from './bulk/bulk-job-fields.ts';
export * from './bulk/bulk-job-requests.ts';
export * from './bulk/bulk-part.ts';
export * from './bulk/bulk-problems.ts';
export * from './bulk/bulk-report.ts';
export * from './bulk/undo-bulk-job.ts';
export { faultOfIdentifier, faultOfLookup, type TextFault } from './characters.ts';
export { differingFields } from './differing-fields.ts';
export { pathBelowRoot } from './document-path.ts';
export * from './dry-run-error-body.ts';
export * from './emails/customer-email.ts';
export * from './emails/email-suppression.ts';
export * from './emails/email-template.ts';
export type { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from './emails/template-names.ts';
export * from './error-codes/remarks.ts';
export * from './error-codes/token-codes.ts';
export * from './error-codes.ts';
export {
  AlreadyImportedErrorBody,
  AttemptFailure,
  ErrorBody,
  FieldError,
  TransactionImportErrorBody,
} from './errors.ts';
export { Event, EventType } from './events/event.ts';
export * from './events/list-events.ts';
export * from './field-codes.ts';
export { descriptionOfField } from './field-description.ts';
export * from './field-errors.ts';
export { isUnusualEmailAddress, senderParts } from './formats.ts';
export * from './import-transactions.ts';
export { type FieldsToKeep, fieldsToKeep, KeptField, tooMuchToKeep } from './kept-fields.ts';
export { hasMadeUpName, kindOfPath } from './kind-of-path.ts';
export * from './limits.ts';
export * from './manifests/lodged-line.ts';
export * from './manifests/manifest.ts';
export { ManifestLine, ManifestTotals } from './manifests/manifest-figures.ts';
export {
  CreateManifestRequest,
  ListManifestsRequest,
  ManifestLinesRequest,
  ManifestRequest,
  WithdrawManifestRequest,
} from './manifests/manifest-requests.ts';
export { DAMAGED_NUMBER, MAY_BE_DECODED_WRONGLY, PLACEHOLDER } from './may-be-doubtful.ts';
export * from './notes.ts';
export { decimalText, moneyText } from './numbers.ts';
export * from './obtain-token.ts';
export * from './own-import-suppliers.ts';
export * from './payment-instructions.ts';
export * from './reconciliations/difference.ts';
export { ListReconciliationsResponse, Reconciliation, ReconciliationRecord } from './reconciliations/reconciliation.ts';
export * from './reconciliations/reconciliation-report.ts';
export * from './reconciliations/reconciliation-requests.ts';
export * from './reconciliations/sign-off.ts';
export * from './refusals.ts';
export { type Shape, shapeOf } from './schema-shape.ts';
export { documentedPaths, requiredFields, schemasAtPath } from './schemas-at-path.ts';
export * from './staff/account-imports.ts';
export * from './staff/account-timeline.ts';
export * from './staff/api-keys.ts';
export { AuditEvent, ListAuditEventsRequest, ListAuditEventsResponse } from './staff/audit.ts';
export * from './staff/decide-remark.ts';
export * from './staff/dismiss-refusal.ts';
export * from './staff/find-accounts.ts';
export { ImportSupplierStatus, SuspectDataMode, UndocumentedFieldsMode } from './staff/import-supplier-fields.ts';
export * from './staff/import-supplier-records.ts';
export * from './staff/import-supplier-requests.ts';
export * from './staff/kept-fields.ts';
export { MASK } from './staff/mask.ts';
export * from './staff/masked-account.ts';
export * from './staff/operations-teams.ts';
export * from './staff/organisations.ts';
export * from './staff/overview.ts';
export * from './staff/problem-accounts.ts';
export * from './staff/readiness.ts';
export * from './staff/skip-accounts.ts';
export * from './staff/staff-audit.ts';
export { StaffRole } from './staff/staff-role.ts';
export * from './staff/undo-accounts.ts';
export * from './staff/who-am-i.ts';
export * from './statements.ts';
export * from './stored/account-data.ts';
export { type AsStored, asStored, fieldsOf } from './stored/as-stored.ts';
export * from './stored/read-account.ts';
export * from './stored/read-account-pages.ts';
export { LineItem, TaxItem } from './transaction-items.ts';
export * from './transactions.ts';
export * from './undo-account.ts';
export * from './undocumented-fields.ts';
export {
  ListWebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookFailure,
} from './webhooks/webhook-delivery.ts';
export {
  ListWebhookEndpointsResponse,
  WebhookDisabledReason,
  WebhookEndpoint,
  WebhookEndpointState,
  WebhookEndpointWithSecret,
} from './webhooks/webhook-endpoint.ts';
export * from './webhooks/webhook-requests.ts';
export { withoutEmptyFields } from './without-empty-fields.ts';
