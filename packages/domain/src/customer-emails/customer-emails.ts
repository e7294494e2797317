import type {
  CountUnsettledEmailsRequest,
  CountUnsettledEmailsResponse,
  CustomerEmail,
  ListCustomerEmailsRequest,
  ListSupplierEmailsRequest,
  ListSupplierEmailsResponse,
  SendEmailAgainRequest,
} from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { findStaffAccountImport } from '../account-imports/staff-account-import.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import {
  COUNT_UNSETTLED_EMAILS,
  LIST_CUSTOMER_EMAILS,
  LIST_QUEUED_EMAILS,
  LIST_SENDING_EMAILS,
  LIST_SETTLED_EMAILS,
  LIST_UNSETTLED_EMAILS,
  SEND_EMAIL_AGAIN,
} from './customer-emails.sql.ts';

/** The e-mails of an account, or why it has none (behaviour 29.6). Refuses with `account_not_found`. */
export async function listCustomerEmails(
  context: Context,
  request: ListCustomerEmailsRequest,
): Promise<CustomerEmail[]> {
  await findStaffAccountImport(context, request);
  const { id } = accountKey(request.code, request.external_account_number);
  return (await context.database.query(LIST_CUSTOMER_EMAILS, { id })).map(withUtcDatetimes);
}

/**
 * E-mails of a supplier: in one state, or those that somebody has to look at (behaviour 29.6). An unknown code is
 * `import_supplier_does_not_exist`.
 */
export async function listSupplierEmails(
  context: Context,
  { code, state, limit }: ListSupplierEmailsRequest,
): Promise<ListSupplierEmailsResponse> {
  await findImportSupplier(context, code, 'code');
  const rows = await rowsIn(context, { code, limit: pageSize({ limit }), state });
  return rows.map(withUtcDatetimes);
}

/** Each kind of state has an index of its own. */
function rowsIn(
  { database }: Context,
  { code, limit, state }: { code: string; limit: number; state: ListSupplierEmailsRequest['state'] },
): Promise<RowOf<typeof LIST_UNSETTLED_EMAILS>[]> {
  if (state === 'QUEUED') return database.query(LIST_QUEUED_EMAILS, { code, limit });
  if (state === 'SENDING') return database.query(LIST_SENDING_EMAILS, { code, limit });
  if (state === 'SENT' || state === 'NOT_SENT') return database.query(LIST_SETTLED_EMAILS, { code, limit, state });
  return database.query(LIST_UNSETTLED_EMAILS, { code, limit, state: state ?? null });
}

/**
 * How many e-mails of a supplier somebody has to look at, by state (behaviour 29.6). An unknown code is
 * `import_supplier_does_not_exist`.
 */
export async function countUnsettledEmails(
  context: Context,
  { code }: CountUnsettledEmailsRequest,
): Promise<CountUnsettledEmailsResponse> {
  await findImportSupplier(context, code, 'code');
  const [counts] = await context.database.query(COUNT_UNSETTLED_EMAILS, { code });
  return counts ?? { refused: 0, given_up: 0, in_doubt: 0 };
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
  const { is_changed: _changed, is_suppressed: _suppressed, has_address: _address, ...record } = withUtcDatetimes(row);
  return record;
}

function whyNot({ state, reason, is_suppressed, has_address }: RowOf<typeof SEND_EMAIL_AGAIN>): string {
  if (state === 'QUEUED') return 'This e-mail is QUEUED: it will be sent anyway.';
  if (state === 'SENDING') return 'This e-mail is being sent: wait until it is known what happened to it.';
  if (!has_address) return `There is no address to send this e-mail to (${reason ?? 'ERASED'}).`;
  if (is_suppressed) return 'Its address is on the suppression list: remove it from there first.';
  return 'This e-mail changed meanwhile: look at it again.';
}
