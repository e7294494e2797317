import type { ImportSupplier, UndocumentedFieldsMode } from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import type { ImportSupplierRow } from './import-supplier.sql.ts';

/** An import supplier as the service team sees it, with the full location of its documents (behaviour 2.3). */
export function importSupplierRecord(
  { documentBucket }: Pick<Context, 'documentBucket'>,
  row: ImportSupplierRow,
): ImportSupplier {
  const { keep_undocumented_fields: _keep, ...record } = withUtcDatetimes(row);
  const document_location = `${documentBucket}/${row.document_root}/`;
  return { ...record, document_location, undocumented_fields: undocumentedFieldsMode(row) };
}

/** The columns of the setting `undocumented_fields`, and of its older form `reject_undocumented_fields`. */
type UndocumentedFieldsColumns = Pick<ImportSupplierRow, 'reject_undocumented_fields' | 'keep_undocumented_fields'>;

function undocumentedFieldsMode(row: UndocumentedFieldsColumns): UndocumentedFieldsMode {
  if (row.reject_undocumented_fields) return 'REJECT';
  return row.keep_undocumented_fields ? 'KEEP' : 'REPORT';
}

/**
 * The columns to write for the setting as it was sent; none if it was not. `reject_undocumented_fields: false` alone
 * leaves the other column: what is kept is still kept.
 */
export function undocumentedFieldsColumns(
  mode: UndocumentedFieldsMode | undefined,
  reject: boolean | undefined,
): Partial<UndocumentedFieldsColumns> {
  if (mode !== undefined || reject) return columnsOfMode(mode ?? 'REJECT');
  return reject === undefined ? {} : { reject_undocumented_fields: false };
}

/** The columns that together hold the setting `undocumented_fields`. */
export function columnsOfMode(mode: UndocumentedFieldsMode): UndocumentedFieldsColumns {
  return { reject_undocumented_fields: mode === 'REJECT', keep_undocumented_fields: mode === 'KEEP' };
}

/** What a request says of e-mails to customers. */
interface EmailSettingsSent {
  send_customer_emails?: boolean | undefined;
  email_sender?: string | null | undefined;
}

const attr = 'send_customer_emails';

/** E-mails are not switched on where nothing could send them (behaviour 29.2). */
export function refuseWithoutMailServer({ sendsEmails }: Context, { send_customer_emails }: EmailSettingsSent): void {
  if (!send_customer_emails || sendsEmails) return;
  const detail = 'This service has no mail server: set SMTP_URL and start it again, then switch the e-mails on.';
  throw new DomainError('customer_emails_not_possible', detail, { attr });
}

export function emailsNeedSender(): DomainError {
  const detail = 'E-mails to customers need a sender: send `email_sender` too, or switch the e-mails off first.';
  return new DomainError('customer_emails_not_possible', detail, { attr });
}

/** What a supplier must have before the change, so that it leaves no e-mails without a sender. */
export function neededBefore({ send_customer_emails, email_sender }: EmailSettingsSent) {
  return {
    needs_no_emails: email_sender === null && send_customer_emails !== false,
    needs_sender: send_customer_emails === true && email_sender === undefined,
  };
}
