import type { Prisma } from '@causeway/db';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';

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

/** Of which suppliers the change leaves no e-mails without a sender. */
export function whereEmailsCanBeSent(
  sent: EmailSettingsSent,
): Pick<Prisma.ImportSupplierWhereInput, 'email_sender' | 'send_customer_emails'> {
  const { send_customer_emails, email_sender } = sent;
  if (email_sender === null) return send_customer_emails === false ? {} : { send_customer_emails: false };
  return send_customer_emails && email_sender === undefined ? { email_sender: { not: null } } : {};
}
