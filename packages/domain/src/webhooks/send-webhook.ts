import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { LIMITS, type WebhookFailure } from '@causeway/contracts';
import { boundSocket, PeerSaysTooMuch } from '../shared/bound-socket.ts';
import { type AddressRules, createNameResolver, hostOf, isForPublic, type NameResolver } from './address-rules.ts';

/** How one attempt ended. `failure` null: it was accepted. */
export interface WebhookAnswer {
  failure: WebhookFailure | null;
  status: number | null;
  duration_ms: number;
  /** The beginning of the answer's body. It is never logged. */
  answer: string | null;
}

/** A message, signed. */
export interface WebhookMessage {
  body: string;
  headers: Record<string, string>;
}

/** Sends to one URL, over connections that it keeps. */
export interface WebhookSender {
  /** Never rejects. */
  send(message: WebhookMessage): Promise<WebhookAnswer>;
  close(): void;
}

export interface WebhookTimeouts {
  /** Until it is known where the host name leads, and then until a connection, with its TLS, is there. */
  connectMs: number;
  /** For the whole attempt. */
  attemptMs: number;
}

export const WEBHOOK_TIMEOUTS: WebhookTimeouts = { connectMs: 5_000, attemptMs: 15_000 };

/** Of an answer that is longer, the rest is not read: its connection ends. */
const ANSWER_READ_BYTES = 16_384;
/** Before the answer, such as `103 Early Hints`: anyone who sends more never answers. */
const MAX_INFORMATIONAL = 10;
/** Of a whole attempt: Node reads 64 kB at a time, and its head may have 16. */
const SOCKET_LIMITS = { bytes: 262_144, reads: 1_000 };
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL stores no NUL, and nobody wants to see the others
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

interface Target {
  url: URL;
  /** Where the host name leads, as far as that is allowed: all connections go there. */
  addresses: readonly string[];
}

export interface WebhookSenderOptions {
  addresses: AddressRules;
  timeouts?: WebhookTimeouts | undefined;
  resolve?: NameResolver | undefined;
}

/**
 * A sender for one URL (behaviour 28.5). The host name is resolved once, and every connection goes to one of the addresses
 * that were found then; one that the rules do not allow is never connected to. Redirects are not followed, and of an
 * answer only the beginning is read.
 */
export async function openWebhookSender(text: string, options: WebhookSenderOptions): Promise<WebhookSender> {
  const {
    addresses,
    timeouts = WEBHOOK_TIMEOUTS,
    resolve = createNameResolver({ asksSystem: options.addresses.hasOwnNetworks }),
  } = options;
  const url = new URL(text);
  const target = await findTarget(url, { addresses, timeouts, resolve });
  if ('failure' in target) {
    const answer = { ...target, status: null, duration_ms: 0, answer: null };
    return { send: async () => answer, close: () => undefined };
  }
  // Each address has its share of the time: by default all but the last have half a second, whatever the time.
  const autoSelectFamilyAttemptTimeout = Math.ceil(timeouts.connectMs / target.addresses.length);
  const agentOptions = { keepAlive: true, autoSelectFamilyAttemptTimeout };
  const agent = new (url.protocol === 'https:' ? HttpsAgent : HttpAgent)(agentOptions);
  return { send: (message) => attempt(target, { message, agent, timeouts }), close: () => agent.destroy() };
}

async function findTarget(
  url: URL,
  {
    addresses: rules,
    timeouts,
    resolve,
  }: { [Name in keyof WebhookSenderOptions]-?: NonNullable<WebhookSenderOptions[Name]> },
): Promise<Target | { failure: WebhookFailure }> {
  const host = hostOf(url);
  const isName = isIP(host) === 0;
  const found = isName ? await resolve(host, timeouts.connectMs) : [host];
  if (found === undefined) return { failure: 'timed_out' };
  const addresses = found.filter((address) => rules.isOwn(address) || (isForPublic(url) && rules.allows(address)));
  if (addresses.length > 0) return { url, addresses };
  // Which names there are in a private network concerns nobody outside.
  return { failure: isName ? 'name_not_found' : 'address_not_allowed' };
}

interface Attempt {
  message: WebhookMessage;
  agent: HttpAgent | HttpsAgent;
  timeouts: WebhookTimeouts;
}

async function attempt(target: Target, { message, agent, timeouts }: Attempt): Promise<WebhookAnswer> {
  const begunAt = performance.now();
  const duration = () => ({ duration_ms: Math.round(performance.now() - begunAt) });
  const ending = new AbortController();
  const { promise: timeIsUp, resolve: stopWaiting } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    ending.abort();
    stopWaiting();
  }, timeouts.attemptMs);
  try {
    const posted = post(target, { message, agent, timeouts, signal: ending.signal });
    // Whatever a receiver answers, it is waited for no longer: an aborted request need not say that it has ended.
    const response = await Promise.race([posted, timeIsUp.then(() => Promise.reject(new AttemptTimeout()))]);
    const { statusCode: status = 0 } = response;
    const answer = await readAnswer(response, timeIsUp);
    return { failure: failureOf(status), status, answer, ...duration() };
  } catch (error) {
    const failure = ending.signal.aborted ? 'timed_out' : failureOfError(error);
    return { failure, status: null, answer: null, ...duration() };
  } finally {
    clearTimeout(timer);
  }
}

class AttemptTimeout extends Error {}
class ConnectTimeout extends Error {}

function post(
  { url, addresses }: Target,
  { message, agent, timeouts, signal }: Attempt & { signal: AbortSignal },
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const body = Buffer.from(message.body);
  const headers = { ...message.headers, 'content-length': body.length };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = send(url, { method: 'POST', agent, headers, signal, lookup: pinnedTo(addresses) });
  sent.once('response', resolve).once('error', reject);
  // Without an error if the receiver wants to speak another protocol (101).
  sent.once('close', () => reject(new Error('The connection has ended without an answer')));
  let informational = 0;
  sent.on('information', () => {
    informational += 1;
    if (informational > MAX_INFORMATIONAL) sent.destroy(new PeerSaysTooMuch());
  });
  sent.once('socket', (socket) => {
    boundSocket(socket, SOCKET_LIMITS);
    if (!socket.connecting) return;
    const timer = setTimeout(() => sent.destroy(new ConnectTimeout()), timeouts.connectMs);
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
  sent.end(body);
  return promise;
}

/** Answers the same addresses, whatever the name: what was checked is what is connected to. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** The beginning of the body. The status is what counts: a body that is cut or never ends changes nothing. */
async function readAnswer(response: IncomingMessage, timeIsUp: Promise<void>): Promise<string> {
  const pieces: Buffer[] = [];
  await Promise.race([collectBeginning(response, pieces), timeIsUp]);
  const text = new TextDecoder().decode(Buffer.concat(pieces).subarray(0, LIMITS.webhook_answer_bytes));
  return text.replace(CONTROL_CHARACTERS, ' ');
}

async function collectBeginning(response: IncomingMessage, pieces: Buffer[]): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > ANSWER_READ_BYTES) break;
    }
  } catch {
    // Cut, or not ended in time.
  }
}

function failureOf(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirected' : 'status';
}

function failureOfError(error: unknown): WebhookFailure {
  if (error instanceof ConnectTimeout) return 'timed_out';
  const { code = '' } = error as { code?: string };
  return /^ERR_TLS|^ERR_SSL|CERT|_SIGNATURE|EPROTO/.test(code) ? 'certificate_refused' : 'connection_failed';
}
