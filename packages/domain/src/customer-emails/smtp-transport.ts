import { LIMITS, senderParts } from '@causeway/contracts';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { DkimSettings, EmailSettings } from './email-settings.ts';
import type { EmailOutcome, EmailTransport, OutgoingEmail, Unheard } from './email-transport.ts';
import {
  HandOverFailure,
  LEAVING,
  openSmtpSession,
  SMTP_TIMEOUTS,
  type SmtpError,
  type SmtpSession,
  type SmtpTimeouts,
} from './smtp-connection.ts';

/**
 * Hands messages to a mail server over connections that are kept, as many as there are messages at the same time. A
 * message is tried once: whether it may be tried again is for the caller to say.
 */
export function createSmtpTransport({
  server,
  dkim,
  timeouts = SMTP_TIMEOUTS,
}: Pick<EmailSettings, 'server' | 'dkim'> & { timeouts?: SmtpTimeouts }): EmailTransport {
  const idle: SmtpSession[] = [];
  let isClosed = false;

  async function handOverWith(session: SmtpSession, envelope: { from: string; to: string }, message: Buffer) {
    try {
      const answer = await session.handOver(envelope, message);
      if (session.isOpen && !isClosed) idle.push(session);
      else session.close();
      return answer;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** The server may have left a connection that was kept: then nothing of the message was sent, and it is tried anew. */
  async function handOver(envelope: { from: string; to: string }, message: Buffer): Promise<string> {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (!kept.isOpen) continue;
      try {
        return await handOverWith(kept, envelope, message);
      } catch (error) {
        if (!isStale(error)) throw error;
        break;
      }
    }
    return handOverWith(await openSmtpSession(server, timeouts), envelope, message);
  }

  return {
    async send(email) {
      const { from, to } = email;
      try {
        const message = await composeMessage(email, dkim);
        const answer = await handOver({ from: senderParts(from).address, to }, message);
        return { outcome: 'sent', answer: withoutAddress(answer, to) };
      } catch (error) {
        return judgeFailure(error, to);
      }
    },
    close() {
      isClosed = true;
      for (const session of idle.splice(0)) session.close();
    },
  };
}

function isStale(error: unknown): boolean {
  if (!(error instanceof HandOverFailure) || error.isHandedOver) return false;
  return [undefined, LEAVING].includes(error.cause.responseCode);
}

/**
 * The bytes of a message, signed if there is a key. Its `Message-ID` is made of its id: anyone who gets it twice can tell.
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

/**
 * The server knows no such mailbox, by the codes of RFC 3463. A bare 550 says nothing of the address: a relay that does not
 * know us answers so too, and one that has us on a list of bad senders.
 */
const NO_MAILBOX = /^5\d\d[ -]5\.1\.(?:[1236]|10)\b/;

/**
 * What a failed hand-over means. Only an answer of the server to this message refuses it, or puts it off. Without such an
 * answer it is in doubt once its text was sent, whatever else the server says: it may have kept it. Before that, nothing
 * has happened.
 */
export function judgeFailure(error: unknown, to: string): EmailOutcome {
  if (!(error instanceof HandOverFailure)) return unheard('not_reached', error as SmtpError, to);
  const { cause, isHandedOver } = error;
  const { responseCode = 0, command } = cause;
  const answer = withoutAddress(cause.response ?? '', to);
  const isRefusal = responseCode >= 500 && responseCode < 600;
  const isPutOff = responseCode >= 400 && responseCode < 500;
  if (isHandedOver && !isRefusal && !isPutOff) return { outcome: 'in_doubt', answer };
  // What the server has against the sender is not the recipient's fault; with 421 it leaves, whatever it was asked.
  if (command === 'MAIL FROM' && (isRefusal || isPutOff) && responseCode !== LEAVING) {
    return unheard('sender_refused', cause, to);
  }
  // To the end of the text it is an answer to this message, even if the server leaves with it.
  const isOfMessage = isHandedOver || (command !== 'CONN' && responseCode !== LEAVING);
  if (isOfMessage && isRefusal) {
    return { outcome: 'refused', answer, isNoMailbox: command === 'RCPT TO' && NO_MAILBOX.test(answer) };
  }
  if (isOfMessage && isPutOff) return { outcome: 'put_off', answer };
  // Refused here, before the server was asked: such as an address in another script, which the server cannot take.
  if (responseCode === 0 && (cause.code === 'EENVELOPE' || cause.code === 'EMESSAGE')) {
    return {
      outcome: 'refused',
      answer: 'The mail server cannot take such an address or message.',
      isNoMailbox: false,
    };
  }
  return unheard('left', cause, to);
}

function unheard(why: Unheard['why'], cause: SmtpError, to: string): EmailOutcome {
  return { outcome: 'unheard', why, answer: withoutAddress(cause.response ?? '', to), cause: withoutWords(cause) };
}

const CODES = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/;
/** Whatever may be an address: it begins where a word does, so that a long line without one is read once. */
const ADDRESS = /(?:"[^"]*"|(?<![^\s<>()[\]",;:@])[^\s<>()[\]",;:@]+)@[^\s<>()[\]",;:]*/gu;
const STANDS_FOR_ADDRESS = '[address]';
const SHORTEST_LOCAL_PART = 3;

/**
 * What a server said, without addresses: servers repeat the one to which they refuse something, or its local part, and
 * name those that it is forwarded to. The reply codes and all other words stay: they say why.
 */
export function withoutAddress(words: string, address: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const [codes = ''] = CODES.exec(line) ?? [];
  let rest = line.slice(codes.length).replaceAll(ADDRESS, STANDS_FOR_ADDRESS);
  const local = address.slice(0, address.lastIndexOf('@'));
  const [withoutTag = ''] = local.split('+');
  for (const name of [local, withoutTag]) {
    if (name.length >= SHORTEST_LOCAL_PART) rest = rest.replaceAll(wholeWord(name), STANDS_FOR_ADDRESS);
  }
  return [...codes, ...rest].slice(0, LIMITS.email_answer).join('');
}

function wholeWord(word: string): RegExp {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu');
}

/** For the log: the server's words may hold an address. */
function withoutWords({ code, command, responseCode }: SmtpError): Error {
  const facts = [command, responseCode, code].filter(Boolean).join(' ');
  return Object.assign(new Error(`The mail server did not listen: ${facts}`), { code });
}
