import { z } from 'zod';
import { field } from '../field.ts';
import { EmailAddress, UtcDatetime, Uuid } from '../formats.ts';
import { ImportSupplierCodeInPath, lookupText } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { limit } from '../staff/listing.ts';
import { MASK } from '../staff/mask.ts';

const exampleSuppression = {
  id: '3d3a0d8e-31b8-4f7b-8a27-6a3f6a3b6c11',
  address: 'zoe.hartley@example.com',
  reason: 'REFUSED' as const,
  created_at: '2026-04-17T09:30:14Z',
};
const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.', 'NORTHWIND-2026');
const id = field(Uuid, 'The id of the entry.', exampleSuppression.id);

/** An address that gets no e-mail of an import supplier (behaviour 29.5). */
export const EmailSuppression = z
  .object({
    id,
    address: field(
      z.string().nullable(),
      `The address; null if an account with it was erased. It gets no e-mail anyway. Masked it is \`${MASK}\`.`,
      exampleSuppression.address,
    ),
    reason: field(
      z.enum(['REFUSED', 'STAFF']),
      'REFUSED: a mail server said that there is no such mailbox. STAFF: the service team added it.',
      exampleSuppression.reason,
    ),
    created_at: field(UtcDatetime, 'Since when it is there, in UTC.', exampleSuppression.created_at),
  })
  .meta({
    id: 'EmailSuppression',
    description: 'An address that gets no e-mail of an import supplier.',
    examples: [exampleSuppression],
  });
export type EmailSuppression = z.infer<typeof EmailSuppression>;

export const ListEmailSuppressionsRequest = z
  .object({
    code,
    limit,
    after: field(Uuid, 'The id of the last entry that you received.', exampleSuppression.id).optional(),
    address: field(
      lookupText(LIMITS.path_parameter),
      'Only this address, also after its account was erased. Upper and lower case are the same. A READ_ONLY key cannot ask for one.',
      exampleSuppression.address,
    ).optional(),
    masked: field(
      z.boolean(),
      'Whether the addresses are hidden. Then no view of them is recorded. Default: false.',
      true,
    ).optional(),
  })
  .meta({
    id: 'ListEmailSuppressionsRequest',
    description: 'Asks for the addresses that get no e-mail of an import supplier, oldest first.',
    examples: [{ code: 'NORTHWIND-2026', limit: 100 }],
  });
export type ListEmailSuppressionsRequest = z.infer<typeof ListEmailSuppressionsRequest>;

export const ListEmailSuppressionsResponse = z.array(EmailSuppression).meta({
  id: 'ListEmailSuppressionsResponse',
  description: 'The addresses, oldest first.',
  examples: [[exampleSuppression]],
});
export type ListEmailSuppressionsResponse = z.infer<typeof ListEmailSuppressionsResponse>;

export const AddEmailSuppressionRequest = z
  .object({ code, address: field(EmailAddress, 'The address; upper and lower case are the same.', 'sam@example.com') })
  .meta({
    id: 'AddEmailSuppressionRequest',
    description: 'Adds an address that gets no e-mail of an import supplier. One that is there already stays.',
    examples: [{ code: 'NORTHWIND-2026', address: 'sam@example.com' }],
  });
export type AddEmailSuppressionRequest = z.infer<typeof AddEmailSuppressionRequest>;

export const RemoveEmailSuppressionRequest = z.object({ code, id }).meta({
  id: 'RemoveEmailSuppressionRequest',
  description: 'Removes an address from the suppression list. E-mails that were not sent are not sent by that.',
  examples: [{ code: 'NORTHWIND-2026', id: exampleSuppression.id }],
});
export type RemoveEmailSuppressionRequest = z.infer<typeof RemoveEmailSuppressionRequest>;
