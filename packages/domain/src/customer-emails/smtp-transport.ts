import { senderParts } from '@causeway/contracts';
import { composeMessage } from './compose-message.ts';
import type { EmailSettings } from './email-settings.ts';
import type { EmailTransport } from './email-transport.ts';
import { judgeFailure, withoutAddress } from './judge-failure.ts';
import {
  HandOverFailure,
  LEAVING,
  openSmtpSession,
  SMTP_TIMEOUTS,
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
