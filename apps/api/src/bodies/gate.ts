import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { FairShare } from '../overload/fair-share.ts';
import { requestFacts } from '../request/request-facts.ts';
import { continueBody, waitsToContinue } from '../request/request-head.ts';
import { WireRefusal } from '../request/wire-refusal.ts';
import { decodeUtf8, parseStrictJson, plainJson, requireObject } from './strict-json.ts';
import { takeTurn } from './take-turn.ts';

export interface BodyLimits {
  maxBodyBytes: number;
  /** How long a body may take from the moment it is waited for, and the rest of a refused one to be thrown away. */
  bodyTimeoutMs: number;
  /** The bodies that the instance holds together, those that are still arriving included. */
  held?: FairShare;
}

/** Called when all of the request is there; what it returns is to be waited for before the body is read. */
export type CountWork = (response: ServerResponse, bytes?: number) => Promise<void> | undefined;

/** With any parameters, of which a charset must be UTF-8. */
const JSON_MEDIA_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")|(?!charset=)[\w-]+=(?:[\w.+:/-]+|"[^"]*"))[ \t]*)*(?:;[ \t]*)?$/i;

/** The caller may have lost access since the head of the request came, and is authenticated again after so long. */
export const LATE_BODY_MS = 1_000;

/** From here on reading and validating takes about a millisecond, and 50 of them at once would keep a refusal waiting. */
const LARGE_BODY_BYTES = 16_384;

const objects = new WeakMap<IncomingMessage, Record<string, unknown>>();

/**
 * The way in for bodies as a layer of Express (design 4.1): a POST goes on only with a sane JSON object, which
 * `parsedBody` then returns; the request itself carries no body any more. Everything else goes to the error handler
 * as a WireRefusal: `unsupported_media_type`, `payload_too_large`, `request_timeout`, or a code of `parseStrictJson`.
 * A client that goes away is not answered and nothing further runs.
 */
export function createGate(limits: BodyLimits): RequestHandler {
  return async (request, response, next) => {
    if (request.method === 'POST') {
      const bytes = await receiveBody(request, response, limits);
      if (bytes === undefined) return;
      const object = await readObject(bytes, response);
      if (object === undefined) return;
      objects.set(request, object);
    }
    next();
  };
}

/**
 * A body as the JSON object that it must be. A large one waits for its turn: the service stays open for all others.
 * Undefined when the client went away meanwhile: what it left costs an empty turn.
 */
export async function readObject(
  bytes: Uint8Array,
  response: ServerResponse,
): Promise<Record<string, unknown> | undefined> {
  await turnOf(bytes);
  return response.destroyed ? undefined : requireObject(parseStrictJson(bytes));
}

function turnOf({ length }: Uint8Array): Promise<void> | undefined {
  return length > LARGE_BODY_BYTES ? takeTurn() : undefined;
}

/** What the gate let through for this request; an empty object where there was no body to read. */
export function parsedBody(request: IncomingMessage): Record<string, unknown> {
  return objects.get(request) ?? {};
}

/**
 * The same strictness for /trpc, where any JSON value and no body at all are inputs, and a GET brings its input in the
 * query. A request that is all there counts as at work. The text is left in `request.body`, from where tRPC takes it: it
 * never reads the socket itself. Returns whether there is somebody to answer.
 */
export async function receiveTrpcInput(
  request: Request,
  response: Response,
  { limits, countWork }: { limits: BodyLimits; countWork: CountWork },
): Promise<boolean> {
  request.body = '';
  checkQueryInputs(request.url);
  if (request.method !== 'POST') {
    await countWork(response);
    return !response.destroyed;
  }
  const bytes = await receiveBody(request, response, limits);
  if (bytes === undefined) return false;
  await countWork(response, bytes.length);
  await turnOf(bytes);
  if (response.destroyed) return false;
  const text = decodeUtf8(bytes);
  request.body = text === '' ? '' : plainJson(text);
  return true;
}

/** Applies the strictness of bodies to JSON that came in a query parameter; throws what `parseStrictJson` throws. */
export function checkQueryJson(text: string): void {
  if (text !== '') parseStrictJson(text, 'query parameter input');
}

function checkQueryInputs(url: string): void {
  const start = url.indexOf('?');
  if (start === -1) return;
  const query = url.slice(start + 1);
  try {
    decodeURIComponent(query);
  } catch {
    throw new WireRefusal('invalid_utf8', 'The query string is not valid UTF-8, percent-encoded.');
  }
  new URLSearchParams(query).getAll('input').forEach(checkQueryJson);
}

/**
 * For answering before the request's body has arrived, which many clients only notice when they have sent it: throws
 * away what still comes, for `bodyTimeoutMs`, then cuts the connection. The answer says `keep-alive` to everybody, since
 * after a `close` Node resets the connection while the client is sending, and the answer is lost.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse, bodyTimeoutMs: number): void {
  if (request.complete || request.destroyed || response.hasHeader('Connection') || !hasBody(request)) return;
  if (waitsToContinue(request)) {
    // It may never send the body: what comes next could be either that or another request.
    response.setHeader('Connection', 'close');
    return;
  }
  response.setHeader('Connection', 'keep-alive');
  // With the answer Node throws it away by itself, for less; but this one waits for others on its connection.
  if (response.socket === null) request.resume();
  const timer = setTimeout(() => request.destroy(), bodyTimeoutMs);
  request.once('close', () => clearTimeout(timer));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** All bytes of the body; undefined when the client went away. Throws for content that is not taken, or too much. */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  try {
    refuseForeignContent(request.headers);
    if (Number(request.headers['content-length']) > limits.maxBodyBytes) throw tooLarge(limits);
    return await readBody(request, response, limits);
  } catch (error) {
    const isLate = error instanceof WireRefusal && error.code === 'request_timeout';
    if (isLate) response.setHeader('Connection', 'close');
    else discardBody(request, response, limits.bodyTimeoutMs);
    throw error;
  }
}

function refuseForeignContent(headers: IncomingHttpHeaders): void {
  const { 'content-type': contentType = '', 'content-encoding': encoding = 'identity' } = headers;
  if (contentType !== 'application/json' && !JSON_MEDIA_TYPE.test(contentType)) {
    throw new WireRefusal('unsupported_media_type', 'Send the body as JSON, with "Content-Type: application/json".');
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new WireRefusal('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.');
  }
}

function tooLarge({ maxBodyBytes }: BodyLimits): WireRefusal {
  return new WireRefusal('payload_too_large', `The request body may have ${maxBodyBytes} bytes at most.`);
}

function tooMuchAtOnce(): WireRefusal {
  return new WireRefusal('service_unavailable', 'The service holds as much as it can at the moment: try again.');
}

/**
 * The whole body; undefined when the client went away before its end. Its bytes count as held until it is answered.
 * A body that is not as long as its Content-Length says is an error of ours: nothing is decided on part of a body.
 */
async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Uint8Array | undefined> {
  if (request.destroyed) return undefined;
  continueBody(request, response);
  const hold = holder(response, limits);
  // A small body comes with the head and is here by now: no listeners and no timer then, which are 4 % of a request.
  const chunks = request.complete
    ? readArrived(request, hold)
    : await readArriving(request, hold, limits.bodyTimeoutMs);
  if (chunks === undefined) return undefined;
  const [first] = chunks;
  const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) !== body.length) {
    throw new Error(`Of a body of ${declared} bytes ${body.length} were read`);
  }
  return body;
}

type Hold = (bytes: number) => WireRefusal | undefined;

/** The buffers of a body that has arrived. One `read()` may return the first of them alone. */
function readArrived(request: IncomingMessage, hold: Hold): Buffer[] {
  const chunks: Buffer[] = [];
  for (let chunk: Buffer | null = request.read(); chunk !== null; chunk = request.read()) {
    chunks.push(chunk);
    const refusal = hold(chunk.length);
    if (refusal !== undefined) throw refusal;
  }
  return chunks;
}

/** The buffers of a body that is still arriving; undefined when the client goes away before its end. */
function readArriving(request: IncomingMessage, hold: Hold, timeoutMs: number): Promise<Buffer[] | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const stop = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: WireRefusal) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      const refusal = hold(chunk.length);
      if (refusal !== undefined) fail(refusal);
    };
    const onEnd = () => {
      stop();
      resolve(chunks);
    };
    const onClose = () => {
      stop();
      resolve(undefined);
    };
    const onLate = () => fail(new WireRefusal('request_timeout', 'The request body did not arrive in time.'));
    const timer = setTimeout(onLate, timeoutMs);
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** Counts bytes of a body as held until it is answered; returns the refusal where they are too many. */
function holder(response: ServerResponse, limits: BodyLimits): Hold {
  const { held } = limits;
  const { party = '' } = requestFacts(response);
  let bytes = 0;
  response.on('close', () => held?.take(party, -bytes));
  return (more) => {
    bytes += more;
    held?.take(party, more);
    const refusal =
      bytes > limits.maxBodyBytes ? tooLarge(limits) : held?.mayTakeMore(party) === false ? tooMuchAtOnce() : undefined;
    if (refusal !== undefined) {
      // What has come of it is thrown away.
      held?.take(party, -bytes);
      bytes = 0;
    }
    return refusal;
  };
}
