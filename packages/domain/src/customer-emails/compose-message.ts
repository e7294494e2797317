import { senderParts } from '@causeway/contracts';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { DkimSettings } from './email-settings.ts';
import type { OutgoingEmail } from './email-transport.ts';

/**
 * The bytes of a message, signed if there is a key. Its `Message-ID` is made of its id: whoever gets it twice can tell.
 * It says that no person wrote it (RFC 3834), so that nobody's absence is answered.
 */
export async function composeMessage(email: OutgoingEmail, dkim: DkimSettings | undefined): Promise<Buffer> {
  const { from, to, subject, text, html, unsubscribe } = email;
  const { name = '', address } = senderParts(from);
  const composer = new MailComposer({
    from: { name, address },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${email.id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe !== null && { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` } }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  if (dkim === undefined) return message;
  const signed: Buffer[] = [];
  for await (const piece of new DKIM(dkim).sign(message)) signed.push(piece as Buffer);
  return Buffer.concat(signed);
}
