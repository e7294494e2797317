import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { answerPage, type KeptMail } from './mailbox-pages.ts';

/** A mail server that keeps what it takes, and pages that show it: nothing leaves the machine (behaviour 18.12). */
export interface Mailbox {
  smtpUrl: string;
  /** Where to look at the e-mails. */
  url: string;
  close(): void;
}

/** The newest ones: what somebody has just caused is among them, however large the book was. */
const MAX_KEPT = 1_000;
const MAX_BYTES = 1_000_000;

/** Starts one on free ports of 127.0.0.1. */
export async function startMailbox({ maxKept = MAX_KEPT } = {}): Promise<Mailbox> {
  const mails: KeptMail[] = [];
  let taken = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    async onData(stream, _session, done) {
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      const { to, subject = '', html = '', text = '' } = await PostalMime.parse(Buffer.concat(pieces));
      mails.push({ number: taken, to: to?.[0]?.address ?? '', subject, html, text, at: new Date() });
      taken += 1;
      if (mails.length > maxKept) mails.shift();
      done();
    },
  });
  // A service that is killed leaves in the middle.
  server.on('error', () => undefined);
  const smtpPort = await listening(server.listen(0, '127.0.0.1') as Server);
  const pages = createServer((request, response) => answerPage(mails, request, response));
  const port = await listening(pages.listen(0, '127.0.0.1'));
  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      pages.close();
      pages.closeAllConnections();
    },
  };
}

async function listening(server: Server): Promise<number> {
  if (!server.listening) {
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  }
  return (server.address() as AddressInfo).port;
}
