import type {
  CustomerEmail,
  ListCustomerEmailsRequest,
  ListUnsettledEmailsRequest,
  ListUnsettledEmailsResponse,
  SendEmailAgainRequest,
} from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { findStaffAccountImport } from '../account-imports/staff-account-import.ts';
import { accountKey } from '../account-key.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../dates.ts';
import { DomainError } from '../errors.ts';
import { pageSize } from '../list-page.ts';
import { LIST_CUSTOMER_EMAILS, LIST_UNSETTLED_EMAILS, SEND_EMAIL_AGAIN } from './customer-emails.sql.ts';

type EmailRow = RowOf<typeof LIST_CUSTOMER_EMAILS>;

function emailRecord(row: EmailRow): CustomerEmail {
  const { id, recipient, state, reason, answer, attempts, template_language, template_version } = row;
  return {
    ...{ id, recipient, state, reason, answer, attempts, template_language, template_version },
    created_at: utcDatetime(row.created_at),
    updated_at: utcDatetime(row.updated_at),
    next_attempt_at: utcDatetimeOrNull(row.next_attempt_at),
    sent_at: utcDatetimeOrNull(row.sent_at),
  };
}

/** The e-mails of an account, or why it has none (behaviour 29.6). Refuses with `account_not_found`. */
export async function listCustomerEmails(
  context: Context,
  request: ListCustomerEmailsRequest,
): Promise<CustomerEmail[]> {
  await findStaffAccountImport(context, request);
  const { id } = accountKey(request.code, request.external_account_number);
  return (await context.database.query(LIST_CUSTOMER_EMAILS, { id })).map(emailRecord);
}

/** The e-mails of a supplier that were refused, given up or are in doubt (behaviour 29.6). */
export async function listUnsettledEmails(
  context: Context,
  { code, limit }: ListUnsettledEmailsRequest,
): Promise<ListUnsettledEmailsResponse> {
  const rows = await context.database.query(LIST_UNSETTLED_EMAILS, { code, limit: pageSize({ limit }) });
  return rows.map((row) => ({ ...emailRecord(row), external_account_number: row.external_account_number }));
}

/**
 * Sends an e-mail again that has ended, with an audit event (behaviour 29.6). Refuses with
 * `customer_email_does_not_exist` and `customer_email_state_not_allowed`.
 */
export async function sendEmailAgain(context: Context, { id }: SendEmailAgainRequest): Promise<CustomerEmail> {
  const { id: _, ...audit } = auditValues(context, id);
  const [row] = await context.database.query(SEND_EMAIL_AGAIN, { ...audit, email: id });
  if (row === undefined) {
    throw new DomainError('customer_email_does_not_exist', 'There is no e-mail with this id.', { attr: 'id' });
  }
  if (!row.is_changed) {
    throw new DomainError('customer_email_state_not_allowed', whyNot(row), { attr: 'id' });
  }
  return emailRecord(row);
}

function whyNot({ state, reason, is_suppressed, has_address }: RowOf<typeof SEND_EMAIL_AGAIN>): string {
  if (state === 'QUEUED') return 'This e-mail is QUEUED: it is sent without that.';
  if (state === 'SENDING') return 'This e-mail is being sent: wait until it is known what became of it.';
  if (!has_address) return `There is no address to send this e-mail to (${reason ?? 'ERASED'}).`;
  if (is_suppressed) return 'Its address is on the suppression list: remove it from there first.';
  return 'This e-mail changed meanwhile: look at it again.';
}
