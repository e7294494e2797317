import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { boundSocket, isBounded } from '../shared/bound-socket.ts';
import type { SmtpServer } from './email-settings.ts';

export interface SmtpTimeouts {
  /** Until a connection is there, with its login. */
  connectMs: number;
  /** For one message. */
  handOverMs: number;
}

export const SMTP_TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, handOverMs: 30_000 };
const CLOSE_TIMEOUT_MS = 1_000;
const MAX_ANSWER_BYTES = 65_536;
/** For one message, and to get a connection: a dozen replies of some lines each. */
const SOCKET_LIMITS = { bytes: 262_144, reads: 1_000 };
const LOOKED_AT_EVERY_MS = 20;

/** A message is handed over, or is not, after this at the latest: over a connection that was kept, and then a new one. */
export const sendTimeoutMs = ({ connectMs, handOverMs }: SmtpTimeouts): number => connectMs + 2 * handOverMs;

/** With this reply the server leaves, whatever it was asked (RFC 5321 4.2.1). */
export const LEAVING = 421;

/** An error of the connection, as nodemailer throws it. */
export interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** What was handed over when an attempt failed. */
export class HandOverFailure extends Error {
  override readonly name = 'HandOverFailure';
  /** The server was sent the message, or the end of it may have been on its way. */
  readonly isHandedOver: boolean;
  override readonly cause: SmtpError;

  constructor(cause: SmtpError, isHandedOver: boolean) {
    super('The message was not handed over', { cause });
    this.isHandedOver = isHandedOver;
    this.cause = cause;
  }
}

/** One connection to a mail server, for one message after the other. */
export interface SmtpSession {
  readonly isOpen: boolean;
  /** Resolves with the server's words once it has taken the message; rejects with a `HandOverFailure`. */
  handOver(envelope: { from: string; to: string }, message: Buffer): Promise<string>;
  close(): void;
}

/** Connects and logs in. nodemailer is told to log nothing: what passes is personal data. */
export async function openSmtpSession(server: SmtpServer, timeouts: SmtpTimeouts): Promise<SmtpSession> {
  const { host, port, secure, requireTLS, login } = server;
  const { connectMs, handOverMs } = timeouts;
  const connection = new SMTPConnection({
    ...{ host, port, secure, requireTLS, logger: false },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: handOverMs,
    // A connection that is closed is gone: whatever the server still has to say.
    socketCloseTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
  });
  let isOpen = true;
  connection.on('end', () => {
    isOpen = false;
  });
  const bounding = setInterval(() => bound(connection, { again: false }), LOOKED_AT_EVERY_MS);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer);
      connection.close();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('The mail server is too slow')), connectMs);
    const done = (error?: Error | null) => {
      if (error) return fail(error);
      clearTimeout(timer);
      resolve();
    };
    connection.on('error', fail);
    connection.connect((error) => {
      if (error || login === undefined) return done(error);
      const credentials = { user: login.user, pass: login.password };
      connection.login({ ...credentials, credentials }, done);
    });
  }).finally(() => clearInterval(bounding));
  return {
    get isOpen() {
      return isOpen;
    },
    handOver: (envelope, message) => handOver({ connection, timeoutMs: handOverMs }, envelope, message),
    close() {
      connection.quit();
      // Whatever a server answers to that, it is not waited for.
      setTimeout(() => connection.close(), CLOSE_TIMEOUT_MS).unref();
    },
  };
}

/** It has a socket as soon as it knows the server's address, and another one with TLS. */
function bound({ _socket: socket }: SMTPConnection, { again }: { again: boolean }): void {
  if (socket && (again || !isBounded(socket))) boundSocket(socket, SOCKET_LIMITS);
}

function handOver(
  { connection, timeoutMs }: { connection: SMTPConnection; timeoutMs: number },
  { from, to }: { from: string; to: string },
  message: Buffer,
): Promise<string> {
  bound(connection, { again: true });
  const stream = Readable.from([message], { objectMode: false });
  return new Promise((resolve, reject) => {
    const fail = (error: SmtpError) => {
      clearTimeout(timer);
      reject(new HandOverFailure(error, stream.readableDidRead));
    };
    // A server that answers a byte from time to time is never silent.
    const timer = setTimeout(() => {
      fail(new Error('The mail server is too slow'));
      connection.close();
    }, timeoutMs);
    connection.send({ from, to: [to], size: message.length }, stream, (error, info) => {
      clearTimeout(timer);
      if (error) fail(error as SmtpError);
      else resolve(info?.response ?? '');
    });
  });
}
