import {
  type AddEmailSuppressionRequest,
  type EmailSuppression,
  type ListEmailSuppressionsRequest,
  MASK,
  type RemoveEmailSuppressionRequest,
} from '@causeway/contracts';
import { refuseReadOnly } from '../shared/actor.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier, unknownImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import {
  ADD_EMAIL_SUPPRESSION,
  LIST_EMAIL_SUPPRESSIONS,
  RECORD_SUPPRESSIONS_VIEW,
  REMOVE_EMAIL_SUPPRESSION,
} from './customer-emails.sql.ts';

const auditOf = (context: Context, code: string) => auditValues(context, derivedId('import_supplier', code));

/**
 * The addresses that get no e-mail of a supplier, oldest first (behaviour 29.5). They are personal data: that they are
 * shown is recorded before, unless they are masked. Refuses a key that may only read unless masked, and if it asks for
 * an address: it would learn whether it is there. An unknown code is `import_supplier_does_not_exist`.
 */
export async function listEmailSuppressions(
  context: Context,
  { code, after, limit, address, masked = false }: ListEmailSuppressionsRequest,
): Promise<EmailSuppression[]> {
  if (!masked) refuseReadOnly(context);
  if (address !== undefined) refuseReadOnly(context, 'A read-only key cannot look up a single address.');
  await findImportSupplier(context, code, 'code');
  const page = { code, after: after ?? null, address: address ?? null, limit: pageSize({ limit }) };
  const rows = (await context.database.query(LIST_EMAIL_SUPPRESSIONS, page)).map(withUtcDatetimes);
  if (masked) return rows.map((row) => ({ ...row, address: row.address && MASK }));
  if (rows.length > 0) await context.database.query(RECORD_SUPPRESSIONS_VIEW, auditOf(context, code));
  return rows;
}

/** Adds an address to the list (behaviour 29.5). An unknown code is `import_supplier_does_not_exist`. */
export async function addEmailSuppression(
  context: Context,
  { code, address }: AddEmailSuppressionRequest,
): Promise<EmailSuppression> {
  const [row] = await context.database.query(ADD_EMAIL_SUPPRESSION, { ...auditOf(context, code), code, address });
  if (row === undefined) throw unknownImportSupplier();
  return withUtcDatetimes(row);
}

/** Removes an entry from the list; refuses with `email_suppression_does_not_exist`. */
export async function removeEmailSuppression(
  context: Context,
  { code, id }: RemoveEmailSuppressionRequest,
): Promise<void> {
  const values = { ...auditOf(context, code), code, suppression: id };
  const [row] = await context.database.query(REMOVE_EMAIL_SUPPRESSION, values);
  if (row === undefined) {
    const detail = 'The suppression list has no entry with this id.';
    throw new DomainError('email_suppression_does_not_exist', detail, { attr: 'id' });
  }
}
