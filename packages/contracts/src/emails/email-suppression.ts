import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { EmailAddress, UtcDatetime, Uuid } from '../formats.ts';
import { ImportSupplierCodeInPath, NamedInPath } from '../identifiers.ts';
import { limit } from '../staff/listing.ts';
import { MASK } from '../staff/mask.ts';

const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');
const id = field(Uuid, 'The id of the entry.', '3d3a0d8e-31b8-4f7b-8a27-6a3f6a3b6c11');

/** An address that gets no e-mail of an import supplier (behaviour 29.5). */
export const EmailSuppression = z
  .object({
    id,
    address: field(
      z.string().nullable(),
      `The address; null if an account with it was erased. It gets no e-mail anyway. Masked it is \`${MASK}\`.`,
      'zoe.hartley@example.com',
    ),
    reason: field(
      z.enum(['REFUSED', 'STAFF']),
      'REFUSED: a mail server said that there is no such mailbox. STAFF: the service team added it.',
      'REFUSED',
    ),
    created_at: field(UtcDatetime, 'Since when it is there, in UTC.', '2026-04-17T09:30:14Z'),
  })
  .apply(documented, 'EmailSuppression', 'An address that gets no e-mail of an import supplier.');
export type EmailSuppression = z.infer<typeof EmailSuppression>;

export const ListEmailSuppressionsRequest = z
  .object({
    code,
    limit,
    after: optional(Uuid, 'The id of the last entry that you received.', '3d3a0d8e-31b8-4f7b-8a27-6a3f6a3b6c11'),
    address: optional(
      NamedInPath,
      'Only this address, also after its account was erased. Upper and lower case are the same. A READ_ONLY key cannot ask for one.',
      'zoe.hartley@example.com',
    ),
    masked: optional(
      z.boolean(),
      'Whether the addresses are hidden. Then no view of them is recorded. Default: false.',
      true,
    ),
  })
  .meta({
    id: 'ListEmailSuppressionsRequest',
    description: 'Asks for the addresses that get no e-mail of an import supplier, oldest first.',
    examples: [{ code: 'NORTHWIND-2026', limit: 100 }],
  });
export type ListEmailSuppressionsRequest = z.infer<typeof ListEmailSuppressionsRequest>;

export const ListEmailSuppressionsResponse = z
  .array(EmailSuppression)
  .apply(documented, 'ListEmailSuppressionsResponse', 'The addresses, oldest first.');

export const AddEmailSuppressionRequest = z
  .object({ code, address: field(EmailAddress, 'The address; upper and lower case are the same.', 'sam@example.com') })
  .apply(
    documented,
    'AddEmailSuppressionRequest',
    'Adds an address that gets no e-mail of an import supplier. One that is there already stays.',
  );
export type AddEmailSuppressionRequest = z.infer<typeof AddEmailSuppressionRequest>;

export const RemoveEmailSuppressionRequest = z
  .object({ code, id })
  .apply(
    documented,
    'RemoveEmailSuppressionRequest',
    'Removes an address from the suppression list. E-mails that were not sent are not sent by that.',
  );
export type RemoveEmailSuppressionRequest = z.infer<typeof RemoveEmailSuppressionRequest>;
