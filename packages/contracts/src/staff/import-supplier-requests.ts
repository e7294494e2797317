import { z } from 'zod';
import { field, optional } from '../field.ts';
import { Uuid } from '../formats.ts';
import { CODE_RULE, ImportSupplierCode, ImportSupplierCodeInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { type Rule, withRules } from '../rules.ts';
import { prose } from '../text.ts';
import {
  accountTypes,
  balanceCheck,
  bulkParallelism,
  code,
  concurrencyLimit,
  country,
  documentRoot,
  emailSender,
  emailUnsubscribe,
  emptyMeansOmitted,
  exampleOrganisationId,
  name,
  organisationId,
  rejectUndocumentedFields,
  sendCustomerEmails,
  statementAmountUnit,
  status,
  suppliersMayUndo,
  suspectData,
  suspectDataByCode,
  type UndocumentedFieldsMode,
  undocumentedFieldsMode,
  undoHours,
  zeroAmounts,
} from './import-supplier-fields.ts';
import { limit } from './listing.ts';

// The older of the two settings is still accepted, alone or in agreement with the newer one.
const agreeOnUndocumentedFields: Rule<{
  reject_undocumented_fields?: boolean | undefined;
  undocumented_fields?: UndocumentedFieldsMode | undefined;
}> = {
  reads: ['reject_undocumented_fields', 'undocumented_fields'],
  check: ({ reject_undocumented_fields: reject, undocumented_fields: mode }) => {
    if (reject === undefined || mode === undefined || reject === (mode === 'REJECT')) return undefined;
    const detail = `Contradicts undocumented_fields ${mode}: leave one of them out.`;
    return { code: 'contradicts_another_field', path: ['reject_undocumented_fields'], detail };
  },
};

const balanceCheckDecidesAboutSums: Rule<{
  suspect_data_by_code?: Partial<Record<string, unknown>> | undefined;
}> = {
  reads: ['suspect_data_by_code'],
  check: ({ suspect_data_by_code: modes }) => {
    if (modes?.balance_does_not_add_up === undefined) return undefined;
    const detail = 'balance_check decides about balance_does_not_add_up: leave it out here.';
    return { code: 'contradicts_another_field', path: ['suspect_data_by_code', 'balance_does_not_add_up'], detail };
  },
};

const isFoundTooLateToRefuse: Rule<{
  suspect_data_by_code?: Partial<Record<string, unknown>> | undefined;
}> = {
  reads: ['suspect_data_by_code'],
  check: ({ suspect_data_by_code: modes }) => {
    if (modes?.meter_point_in_two_accounts !== 'REFUSE') return undefined;
    const detail = 'Must be OFF or REPORT: it is found after the accounts are stored.';
    return { code: 'invalid_choice', path: ['suspect_data_by_code', 'meter_point_in_two_accounts'], detail };
  },
};

/** The request that creates an import supplier (behaviour 14.4). */
export const CreateImportSupplierRequest = withRules(
  z.object({
    code: field(ImportSupplierCode, `The code, unique over all organisations: ${CODE_RULE}.`),
    name,
    organisation_id: organisationId,
    country: country.default('GB'),
    document_root: optional(
      documentRoot,
      'The part of the bucket to which document paths are relative; it follows the rules of a document path, without a leading slash. Default: the code.',
    ),
    send_customer_emails: sendCustomerEmails.default(false),
    email_sender: emailSender.default(null),
    email_unsubscribe: emailUnsubscribe.default(null),
    process_concurrency_limit: field(
      concurrencyLimit.nullable(),
      `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; 40 is usual. Null, the default, is no limit.`,
    ).default(null),
    reject_undocumented_fields: rejectUndocumentedFields.optional(),
    undocumented_fields: optional(
      undocumentedFieldsMode,
      `${undocumentedFieldsMode.meta()?.description} Default: REPORT, or REJECT if \`reject_undocumented_fields\` is true.`,
    ),
    empty_means_omitted: emptyMeansOmitted.default(false),
    statement_amount_unit: statementAmountUnit.default('MAJOR'),
    account_types: accountTypes.default([]),
    balance_check: balanceCheck.default('REPORT'),
    suspect_data: suspectData.default('REPORT'),
    suspect_data_by_code: suspectDataByCode.default({}),
    zero_amounts: zeroAmounts.default('KEEP'),
    undo_hours: undoHours.default(0),
    suppliers_may_undo: suppliersMayUndo.default(false),
    bulk_parallelism: bulkParallelism.default(LIMITS.bulk_parallelism_default),
  }),
  agreeOnUndocumentedFields,
  balanceCheckDecidesAboutSums,
  isFoundTooLateToRefuse,
).meta({
  id: 'CreateImportSupplierRequest',
  description: 'Creates an import supplier of an organisation; it is ONGOING.',
  examples: [
    {
      code: 'NORTHWIND-2026',
      name: 'Northwind, spring migration',
      organisation_id: exampleOrganisationId,
      country: 'GB',
      document_root: 'northwind/2026',
    },
  ],
});
export type CreateImportSupplierRequest = z.infer<typeof CreateImportSupplierRequest>;

export const UpdateImportSupplierRequest = withRules(
  z.object({
    code,
    name: name.optional(),
    country: country.optional(),
    document_root: documentRoot.optional(),
    send_customer_emails: sendCustomerEmails.optional(),
    email_sender: emailSender.optional(),
    email_unsubscribe: emailUnsubscribe.optional(),
    process_concurrency_limit: optional(
      concurrencyLimit.nullable(),
      `How many accounts may be processed concurrently, 1 to ${limitText(LIMITS.process_concurrency_limit)}; null removes the limit.`,
    ),
    reject_undocumented_fields: optional(
      rejectUndocumentedFields,
      'True: `undocumented_fields` becomes REJECT. False: REPORT, if it is REJECT.',
    ),
    undocumented_fields: undocumentedFieldsMode.optional(),
    empty_means_omitted: emptyMeansOmitted.optional(),
    statement_amount_unit: statementAmountUnit.optional(),
    account_types: optional(
      accountTypes,
      `All account types that the supplier may send in addition to the published ones: UPPER_SNAKE names, at most ${limitText(LIMITS.account_types)}.`,
    ),
    balance_check: balanceCheck.optional(),
    suspect_data: suspectData.optional(),
    suspect_data_by_code: suspectDataByCode.optional(),
    zero_amounts: zeroAmounts.optional(),
    undo_hours: undoHours.optional(),
    suppliers_may_undo: suppliersMayUndo.optional(),
    bulk_parallelism: bulkParallelism.optional(),
  }),
  agreeOnUndocumentedFields,
  balanceCheckDecidesAboutSums,
  isFoundTooLateToRefuse,
).meta({
  id: 'UpdateImportSupplierRequest',
  description: 'Changes the configuration of an import supplier; fields that are left out stay unchanged.',
  examples: [{ code: 'NORTHWIND-2026', process_concurrency_limit: 40 }],
});
export type UpdateImportSupplierRequest = z.infer<typeof UpdateImportSupplierRequest>;

export const SetImportSupplierStatusRequest = z
  .object({
    code,
    status,
    reason: optional(
      prose(LIMITS.staff_reason),
      'Why, for the audit trail; required to reopen an import supplier that is COMPLETE, and to make one COMPLETE while ' +
        '`overview.readiness` has conditions that are not met.',
      'A second cohort arrived',
    ),
  })
  .meta({
    id: 'SetImportSupplierStatusRequest',
    description:
      'ONGOING and PAUSED can change into each other and into COMPLETE, with a reason if `overview.readiness` is not ' +
      'ready; COMPLETE can change into ONGOING with a reason.',
    examples: [{ code: 'NORTHWIND-2026', status: 'PAUSED' }],
  });
export type SetImportSupplierStatusRequest = z.infer<typeof SetImportSupplierStatusRequest>;

export const ListImportSuppliersRequest = z
  .object({
    organisation_id: optional(Uuid, 'Only those of this organisation. Default: all.', exampleOrganisationId),
    limit,
    after: optional(ImportSupplierCodeInPath, 'The code of the last import supplier that you received.'),
  })
  .meta({
    id: 'ListImportSuppliersRequest',
    description: 'Asks for the import suppliers, in the order of their codes. The input can be left out.',
    examples: [{ organisation_id: exampleOrganisationId }],
  })
  .default({});
export type ListImportSuppliersRequest = z.infer<typeof ListImportSuppliersRequest>;
