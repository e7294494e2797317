import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** How the mail server treats a message. `answer` is its whole reply, such as `550 5.1.1 No such mailbox`. */
export type MailBehaviour =
  | { kind: 'take'; delayMs?: number }
  /** Takes it, and answers nothing more on this connection. */
  | { kind: 'take-and-hang' }
  /** Keeps it, and says these words of its own instead of a reply to its end. */
  | { kind: 'say'; words: string }
  /** With a code of 500 or more for good, with one of 400 or more for now. At MAIL also by the address of a sender. */
  | { kind: 'refuse'; at: 'MAIL' | 'RCPT' | 'DATA'; answer: string }
  /** Never answers: to the recipient, or to the end of the message, which it keeps if `keeps`. */
  | { kind: 'hang'; at: 'RCPT' | 'DATA'; keeps?: boolean }
  /** Breaks the connection: at the recipient, or once it has the whole message, which it keeps if `keeps`. */
  | { kind: 'cut'; at: 'RCPT' | 'DATA'; keeps?: boolean };

export interface TakenMail {
  from: string;
  to: string;
  raw: string;
  parsed: Email;
}

/** A mail server with an SMTP of its own, that is never anywhere but here. */
export interface MailServer {
  readonly url: string;
  readonly port: number;
  /** Every message that it has kept, oldest first. */
  readonly mails: readonly TakenMail[];
  /** For every address without its own. Default: it takes everything. */
  behave(behaviour: MailBehaviour): void;
  behaveFor(address: string, behaviour: MailBehaviour): void;
  /** Breaks every connection. */
  hangUp(): void;
  /** How often an address was named as a recipient. */
  attempts(address?: string): number;
  close(): Promise<void>;
}

/** Starts one on a free port of 127.0.0.1, or on this one. */
export async function startMailServer({ port = 0 }: { port?: number } = {}): Promise<MailServer> {
  const mails: TakenMail[] = [];
  const named: string[] = [];
  const behaviours = new Map<string, MailBehaviour>();
  let general: MailBehaviour = { kind: 'take' };
  const server = createServer({
    of: (address) => behaviours.get(address.toLowerCase()) ?? general,
    name: (address) => named.push(address),
    keep: (mail) => mails.push(mail),
  });
  const listening = server.listen(port, '127.0.0.1');
  await new Promise((resolve, reject) => listening.once('listening', resolve).once('error', reject));
  const { port: taken } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    mails,
    behave(behaviour) {
      general = behaviour;
    },
    behaveFor: (address, behaviour) => void behaviours.set(address.toLowerCase(), behaviour),
    hangUp: () => hangUp(server),
    attempts: (address) => named.filter((each) => address === undefined || each === address).length,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      hangUp(server);
      await closed;
    },
  };
}

interface Memory {
  of(address: string): MailBehaviour;
  name(address: string): unknown;
  keep(mail: TakenMail): unknown;
}

function createServer(memory: Memory): SMTPServer {
  const hanging = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onMailFrom({ address }, { id }, done) {
      if (hanging.has(id)) return;
      const behaviour = memory.of(address);
      done(behaviour.kind === 'refuse' && behaviour.at === 'MAIL' ? refusal(behaviour.answer) : null);
    },
    onRcptTo({ address }, { id }, done) {
      memory.name(address);
      const behaviour = memory.of(address);
      if (!('at' in behaviour) || behaviour.at !== 'RCPT') return done();
      if (behaviour.kind === 'refuse') return done(refusal(behaviour.answer));
      if (behaviour.kind === 'cut') cut(server, id);
    },
    onData(stream, session, done) {
      receive(stream, session, done).catch(done);
    },
  });
  // A client that leaves in the middle is an error for it.
  server.on('error', () => undefined);

  async function receive(
    stream: SMTPServerDataStream,
    { id, envelope: { mailFrom, rcptTo } }: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const raw = await text(stream);
    const to = rcptTo[0]?.address ?? '';
    const behaviour = memory.of(to);
    if (behaviour.kind === 'refuse' && behaviour.at === 'DATA') return done(refusal(behaviour.answer));
    const isKept = (behaviour.kind !== 'cut' && behaviour.kind !== 'hang') || behaviour.keeps;
    if (isKept) {
      const from = mailFrom === false ? '' : mailFrom.address;
      memory.keep({ from, to, raw, parsed: await PostalMime.parse(raw) });
    }
    if (behaviour.kind === 'hang') return;
    if (behaviour.kind === 'take-and-hang') hanging.add(id);
    if (behaviour.kind === 'cut') cut(server, id);
    else if (behaviour.kind === 'say') say(server, id, behaviour.words);
    else setTimeout(done, 'delayMs' in behaviour ? behaviour.delayMs : 0);
  }

  return server;
}

const connectionsOf = ({ connections }: SMTPServer) => connections as unknown as Set<{ id: string; _socket: Socket }>;

function cut(server: SMTPServer, session: string): void {
  for (const { id, _socket } of connectionsOf(server)) if (id === session) _socket.destroy();
}

function say(server: SMTPServer, session: string, words: string): void {
  for (const { id, _socket } of connectionsOf(server)) if (id === session) _socket.write(words);
}

function hangUp(server: SMTPServer): void {
  for (const { _socket } of connectionsOf(server)) _socket.destroy();
}

function refusal(answer: string): Error {
  return Object.assign(new Error(answer.slice(4)), { responseCode: Number(answer.slice(0, 3)) });
}
