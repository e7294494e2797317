import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeUtf8, JsonRefusal, parseStrictJson, plainJson, requireObject } from '@causeway/rules';
import type { Request, RequestHandler, Response } from 'express';
import { type RequestFacts, requestFacts } from '../http/request-facts.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import type { TakeTurn } from './loop-turns.ts';
import type { Pieces } from './pieces.ts';
import { type BodyLimits, receiveBody } from './receive-body.ts';

/** Called once the request is complete. Its result is awaited before the body is read. */
export type CountWork = (response: ServerResponse, bytes?: number) => Promise<void> | undefined;

/** Called when a body is there; where it throws, the body is not read. */
type Admit = (request: Request, response: Response, bytes: number) => Promise<void>;

/** What sentences call the JSON. */
const BODY = 'request body';

/** The caller may have lost access since the head of the request came, and is authenticated again after so long. */
export const LATE_BODY_MS = 100;

/**
 * From here on reading and validating takes about a millisecond, and 50 of them at once would keep a refusal waiting.
 */
export const LARGE_BODY_BYTES = 16_384;

/** From here on it takes so long that each step of the work has a turn of its own. */
const VERY_LARGE_BODY_BYTES = 262_144;

const objects = new WeakMap<IncomingMessage, Record<string, unknown>>();

/**
 * The way in for bodies as a layer of Express (behaviour 11): a POST continues only with a sane JSON object, which
 * `parsedBody` then returns; the request itself carries no body any more. Everything else goes to the error handler
 * as a WireRefusal: `unsupported_media_type`, `payload_too_large`, `request_timeout`, or a code of `parseStrictJson`.
 * A client that goes away is not answered and nothing further runs.
 */
export function createGate(limits: BodyLimits, admit?: Admit): RequestHandler {
  return async (request, response, next) => {
    if (request.method === 'POST') {
      const body = await receiveBody(request, response, limits);
      if (body === undefined) return;
      await admit?.(request, response, body.bytes);
      const object = await readObject(body, response, limits);
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
  body: Pieces,
  response: ServerResponse,
  { takeTurn }: Pick<BodyLimits, 'takeTurn'>,
): Promise<Record<string, unknown> | undefined> {
  const text = await readText(body, response, takeTurn);
  if (text === undefined) return undefined;
  const object = asWire(() => requireObject(parseStrictJson(text, BODY), BODY));
  await requestFacts(response).nextStep?.();
  return response.destroyed ? undefined : object;
}

async function readText(body: Pieces, response: ServerResponse, takeTurn: TakeTurn): Promise<string | undefined> {
  const nextStep = stepsOf(body, response, takeTurn);
  if (body.bytes > LARGE_BODY_BYTES) await takeTurn(requestFacts(response).party);
  if (response.destroyed) return undefined;
  const text = asWire(() => decodeUtf8(body.join(), BODY));
  if (nextStep !== undefined) await nextStep();
  return response.destroyed ? undefined : text;
}

/** How the work on a very large body waits for the turn of its next step; the later ones find it in the facts. */
function stepsOf({ bytes }: Pieces, response: ServerResponse, takeTurn: TakeTurn): RequestFacts['nextStep'] {
  if (bytes <= VERY_LARGE_BODY_BYTES) return undefined;
  const facts = requestFacts(response);
  facts.nextStep = () => takeTurn(facts.party);
  return facts.nextStep;
}

/** What the gate let through for this request; an empty object where there was no body to read. */
export function parsedBody(request: IncomingMessage): Record<string, unknown> {
  return objects.get(request) ?? {};
}

/**
 * The same strictness for /trpc, where any JSON value and no body at all are inputs, and a GET brings its input in the
 * query. A request that is all there counts as at work. The text is left in `request.body`, from where tRPC takes it:
 * it never reads the socket itself. Returns whether there is somebody to answer.
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
  const body = await receiveBody(request, response, limits);
  if (body === undefined) return false;
  await countWork(response, body.bytes);
  const text = await readText(body, response, limits.takeTurn);
  if (text === undefined) return false;
  request.body = text === '' ? '' : asWire(() => plainJson(text, BODY));
  await requestFacts(response).nextStep?.();
  return !response.destroyed;
}

/** Applies the strictness of bodies to JSON that came in a query parameter. */
export function checkQueryJson(text: string): void {
  if (text !== '') asWire(() => parseStrictJson(text, 'query parameter input'));
}

/** What the reader of JSON refuses is refused by the wire. */
function asWire<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    const { code, message, attr } = error;
    throw new WireRefusal(code, message, attr === undefined ? {} : { attr });
  }
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
