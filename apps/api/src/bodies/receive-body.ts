import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { requestFacts } from '../http/request-facts.ts';
import { continueBody } from '../http/request-head.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { TOO_BUSY } from '../overload/limits.ts';
import type { Party, Share } from '../overload/party.ts';
import { discardBody } from './discard-body.ts';
import type { TakeTurn } from './loop-turns.ts';
import { areTiny, bringsTiny, Pieces } from './pieces.ts';

export interface BodyLimits {
  maxBodyBytes: number;
  /** How long a body may take from the moment it is waited for, and the rest of a refused one to be thrown away. */
  bodyTimeoutMs: number;
  /** Throws for a media type, or an encoding, that is not taken. Default: everything but plain JSON. */
  refuseContent?: (headers: IncomingHttpHeaders) => void;
  /** The memory of all bodies that the instance holds, those that are still arriving included. */
  held: Share;
  /** Large bodies are read in turns of the event loop. */
  takeTurn: TakeTurn;
}

/** The least size of a body's pieces on average, once there are many. */
const MIN_PIECE_BYTES = 64;

/** With any parameters, of which a charset must be UTF-8. */
const JSON_MEDIA_TYPE =
  /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-?8|"utf-?8")|(?!charset=)[\w-]+=(?:[\w.+:/-]+|"[^"]*"))[ \t]*)*(?:;[ \t]*)?$/i;

/**
 * The whole body, in the pieces in which it came: a large one is put together in its turn. Undefined when the client
 * went away. Throws for content that is not taken, or too much.
 */
export async function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Pieces | undefined> {
  try {
    (limits.refuseContent ?? refuseForeignContent)(request.headers);
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
    throw new WireRefusal('unsupported_media_type', whyNot(contentType));
  }
  if (encoding.toLowerCase() !== 'identity') {
    throw new WireRefusal('unsupported_media_type', NOT_PACKED);
  }
}

const NOT_PACKED =
  'This call accepts no Content-Encoding but identity: send the body as it is, not packed. Parts of bulk jobs and of ' +
  'manifests may be packed with gzip or zstd.';
/** Of JSON: the charset that was named, if it is one. */
const CHARSET = /^application\/json[ \t]*;(?:.*;)?[ \t]*charset=["']?([\w.:+-]{1,40})/i;

function whyNot(contentType: string): string {
  const charset = CHARSET.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset)
    ? 'Send the body as JSON, with "Content-Type: application/json".'
    : `The body was sent with the charset ${charset}; only UTF-8 is accepted. Send it in UTF-8, with "Content-Type: application/json".`;
}

function tooLarge({ maxBodyBytes }: BodyLimits): WireRefusal {
  return new WireRefusal('payload_too_large', `The request body is too large: the limit is ${maxBodyBytes} bytes.`);
}

const TOO_MANY_PIECES = new WireRefusal(
  'payload_too_large',
  'The request body comes in too many small chunks: send it in larger ones.',
);

/**
 * The whole body; undefined when the client went away before its end. Its bytes count as held until it is answered.
 * A body that is not as long as its Content-Length says is an error of ours: nothing is decided on part of a body.
 */
async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Pieces | undefined> {
  if (request.destroyed) return undefined;
  continueBody(request, response);
  const keeper = createKeeper(response, limits);
  const declared = request.headers['content-length'];
  const length = declared === undefined ? undefined : Number(declared);
  // A small body comes with the head and is here by now: no listeners and no timer then (docs/decisions/0014).
  const pieces =
    request.complete || request.readableLength === length
      ? readArrived(request, keeper)
      : await readArriving(request, keeper, limits.bodyTimeoutMs);
  if (pieces === undefined) return undefined;
  if (length !== undefined && length !== pieces.bytes) {
    throw new Error(`Of a body of ${length} bytes ${pieces.bytes} were read`);
  }
  return pieces;
}

/** Keeps what comes of a body. */
interface Keeper {
  pieces: Pieces;
  /** Returns the refusal where it is too much. */
  keep: (piece: Buffer) => WireRefusal | undefined;
}

/** The pieces of a body that has arrived. One `read()` may return the first of them alone. */
function readArrived(request: IncomingMessage, { pieces, keep }: Keeper): Pieces {
  for (let piece: Buffer | null = request.read(); piece !== null; piece = request.read()) {
    const refusal = keep(piece);
    if (refusal !== undefined) throw refusal;
  }
  return pieces;
}

/** The pieces of a body that is still arriving; undefined when the client goes away before its end. */
function readArriving(
  request: IncomingMessage,
  { pieces, keep }: Keeper,
  timeoutMs: number,
): Promise<Pieces | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: WireRefusal) => {
      stop();
      reject(error);
    };
    const onData = (piece: Buffer) => {
      const refusal = keep(piece);
      if (refusal !== undefined) fail(refusal);
    };
    const onEnd = () => {
      stop();
      resolve(pieces);
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

/** Counts the memory that a body takes as held until it is answered. */
function createKeeper(response: ServerResponse, limits: BodyLimits): Keeper {
  const { held } = limits;
  const { party } = requestFacts(response);
  const pieces = new Pieces();
  let taken = 0;
  const take = (bytes: number) => {
    taken += bytes;
    held.take(party, bytes);
  };
  response.on('close', () => take(-taken));
  return {
    pieces,
    keep(piece) {
      take(pieces.add(piece));
      const isTiny = pieces.bytes < pieces.count * MIN_PIECE_BYTES;
      const isOneOfMany = isTiny && bringsTiny(response.req.socket, piece, MIN_PIECE_BYTES);
      const refusal = isOneOfMany ? TOO_MANY_PIECES : refusalOf(pieces, limits, party);
      if (refusal !== undefined) {
        pieces.drop();
        take(-taken);
      }
      return refusal;
    },
  };
}

/** Counts what a body has become as held until it is answered; throws if that is too much at once. */
export function holdMore(response: ServerResponse, { held }: BodyLimits, bytes: number): void {
  const { party } = requestFacts(response);
  held.take(party, bytes);
  response.on('close', () => held.take(party, -bytes));
  if (!held.mayTakeMore(party)) throw TOO_BUSY;
}

function refusalOf(pieces: Pieces, limits: BodyLimits, party: Party): WireRefusal | undefined {
  if (pieces.bytes > limits.maxBodyBytes) return tooLarge(limits);
  if (areTiny(pieces, MIN_PIECE_BYTES)) return TOO_MANY_PIECES;
  return limits.held.mayTakeMore(party) ? undefined : TOO_BUSY;
}
