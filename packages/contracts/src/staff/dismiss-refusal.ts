import { z } from 'zod';
import { field } from '../field.ts';
import { ExternalAccountNumberInPath, ImportSupplierCodeInPath, NamedInPath } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { OpenRefusal } from '../refusals.ts';
import { prose } from '../text.ts';

const example = {
  code: 'NORTHWIND-2026',
  external_account_number: 'NW-0001482',
  operation: 'line' as const,
  request_id: '3f1c2a34-8a55-4c0e-9b0e-5d4f0a1b2c3d',
  reason: 'The customer has cancelled the direct debit, ticket 4711',
};

/** Resolves an open refusal of a created account (behaviour 14.6.10). */
export const DismissRefusalRequest = z
  .object({
    code: field(ImportSupplierCodeInPath, 'The code of the import supplier.'),
    external_account_number: field(ExternalAccountNumberInPath, "The migrating party's own account number."),
    operation: OpenRefusal.shape.operation,
    request_id: field(
      NamedInPath,
      "The service's own id of the latest refused request, as the open refusal has it.",
      example.request_id,
    ),
    reason: field(prose(LIMITS.staff_reason), 'Why, for the audit trail.', example.reason),
  })
  .meta({
    id: 'DismissRefusalRequest',
    description:
      'Resolves an open refusal of a created account: what was refused is not to come. One that was refused again since stays open.',
    examples: [example],
  });
export type DismissRefusalRequest = z.infer<typeof DismissRefusalRequest>;

export const DismissRefusalResponse = z.array(OpenRefusal).meta({
  id: 'DismissRefusalResponse',
  description: 'What is still open of the account.',
  examples: [[]],
});
