import type { IncomingHttpHeaders } from 'node:http';
import { type BulkPart, LIMITS, limitText } from '@causeway/contracts';
import { putManifestPart as put, putBulkPart } from '@causeway/domain';
import { sendJson } from '../answers/send-json.ts';
import { LATE_BODY_MS } from '../bodies/gate.ts';
import { holdMore, receiveBody } from '../bodies/receive-body.ts';
import type { Context } from '../http/context.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import type { FileRequest } from './file-request.ts';
import type { PartTask, UnpackedParts } from './part-threads.ts';

const NDJSON = /^application\/x-ndjson[ \t]*(?:;.*)?$/i;
const ENCODINGS = ['identity', 'gzip', 'zstd'] as const;
const WHOLE_NUMBER = /^[1-9][0-9]{0,5}$/;

/** A part whose bytes have arrived. */
export interface ReceivedPart {
  context: Context;
  number: number;
  /** Unpacks it in a thread, when its turn comes. */
  unpack: <Kind extends keyof UnpackedParts>(task: Omit<PartTask<Kind>, 'sent'>) => Promise<UnpackedParts[Kind]>;
}

/**
 * Receives a part, lets `store` store it and answers: 201 or, if it was there, 200 (behaviour 21.4). `maxParts` is the
 * highest number.
 */
export async function receivePart(
  { request, response, limits, ...call }: FileRequest,
  maxParts: number,
  store: (part: ReceivedPart) => Promise<{ part: BulkPart; isNew: boolean }>,
): Promise<void> {
  const number = partNumber(call.pathParameters.number, maxParts);
  const receivedFrom = performance.now();
  const pieces = await receiveBody(request, response, { ...limits, refuseContent });
  if (pieces === undefined) return;
  await call.countWork(response, pieces.bytes);
  if (response.destroyed) return;
  if (performance.now() - receivedFrom > LATE_BODY_MS) await call.authenticate(request, response);
  const context = call.contextOf(response);
  const digest = request.headers['content-digest'];
  const sent = {
    bytes: pieces.join(),
    encoding: encodingOf(request.headers) ?? 'identity',
    digest: typeof digest === 'string' ? digest : undefined,
    maxLineBytes: limits.maxBodyBytes,
  };
  async function unpack<Kind extends keyof UnpackedParts>(task: Omit<PartTask<Kind>, 'sent'>) {
    const { part, heldBytes } = await call.partThreads.unpack<Kind>(response, { ...task, sent } as PartTask<Kind>);
    holdMore(response, limits, heldBytes);
    return part;
  }
  const { part, isNew } = await store({ context, number, unpack });
  sendJson(response, { status: isNew ? 201 : 200, headers: {}, body: JSON.stringify(part) });
}

function partNumber(text = '', maxParts: number): number {
  const number = WHOLE_NUMBER.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= maxParts) return number;
  const detail = `Must be a whole number from 1 to ${limitText(maxParts)}.`;
  throw new WireRefusal('request_failed_validation', 'The number of the part cannot be used.', {
    errors: [{ detail, code: 'invalid', attr: 'number' }],
  });
}

function refuseContent(headers: IncomingHttpHeaders): void {
  if (!NDJSON.test(headers['content-type'] ?? '')) {
    const detail = 'Send a part as NDJSON, with "Content-Type: application/x-ndjson".';
    throw new WireRefusal('unsupported_media_type', detail);
  }
  if (encodingOf(headers) === undefined) {
    throw new WireRefusal('unsupported_media_type', 'A part may have the Content-Encoding gzip, zstd or none.');
  }
}

function encodingOf({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders) {
  return ENCODINGS.find((known) => known === encoding.toLowerCase());
}

/** Receives a part of a job, stores it and answers (behaviour 21.4). */
export function putPart(call: FileRequest): Promise<void> {
  const job_id = call.pathParameters.job_id ?? '';
  return receivePart(call, LIMITS.bulk_parts, ({ context, number, unpack }) =>
    putBulkPart(context, { job_id, number }, () => unpack({ kind: 'book' })),
  );
}

/** Receives a part of a manifest, stores it and answers (behaviour 22.2). */
export function putManifestPart(call: FileRequest): Promise<void> {
  const manifest_id = call.pathParameters.manifest_id ?? '';
  return receivePart(call, LIMITS.manifest_parts, ({ context, number, unpack }) =>
    put(context, { manifest_id, number }, (importSupplier) => unpack({ kind: 'manifest', importSupplier })),
  );
}
