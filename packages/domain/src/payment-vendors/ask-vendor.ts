import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { boundSocket } from '../shared/bound-socket.ts';
import { isJsonObject, type JsonObject, VendorRejected, VendorUnavailable } from '../shared/payment-vendor.ts';

/** How one vendor is reached. `timeLimitMs` covers a whole call, from connecting to the last byte of the body. */
export interface VendorConnection {
  name: string;
  /** http or https, with or without a path, no query. */
  baseUrl: string;
  secret: string;
  timeLimitMs?: number;
  /** Headers that each call has in addition: of the trace that it belongs to. */
  traceHeaders?: (() => Record<string, string>) | undefined;
}

interface VendorRequest {
  vendor: string;
  url: string;
  headers: NonNullable<RequestInit['headers']>;
  timeLimitMs: number;
  traceHeaders?: VendorConnection['traceHeaders'];
}

/**
 * A whole call to a vendor, in milliseconds. This leaves one of the 10 seconds of behaviour 4.7 for our own work: 571
 * ms with 100 concurrent calls on two busy cores.
 */
export const VENDOR_TIME_LIMIT_MS = 9_000;

/** An instruction takes a few hundred bytes; anything longer is not one, and is cut off here. */
const VENDOR_BODY_LIMIT_BYTES = 65_536;

/** Of a whole call, with its head and what a vendor sends before the answer, such as `103 Early Hints`. */
const SOCKET_LIMITS = { bytes: 262_144, reads: 1_000 };
/** Whose connections have these limits: `fetch` itself has none. */
const origins = new Set<string>();
subscribe('undici:client:sendHeaders', (message) => {
  const { request, socket } = message as { request: { origin: string }; socket: Socket };
  if (origins.has(request.origin)) boundSocket(socket, SOCKET_LIMITS);
});

const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * GETs a vendor's JSON object within `timeLimitMs` in total, without following redirects, reading at most 64 kB; twice
 * if the vendor closes the first connection before it answers.
 * Anything but a status 200 with such an object throws VendorRejected or VendorUnavailable, as behaviour 4.7 classifies
 * it; neither quotes the vendor's body or the headers sent.
 */
export async function askVendor(request: VendorRequest): Promise<JsonObject> {
  const { vendor, url, timeLimitMs, traceHeaders } = request;
  const headers = traceHeaders ? withHeaders(request.headers, traceHeaders()) : request.headers;
  origins.add(new URL(url).origin);
  let status: number;
  let text: string | undefined;
  try {
    const response = await send(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeLimitMs) });
    status = response.status;
    if (status === 200) text = await readBody(response);
    else await response.body?.cancel().catch(() => undefined);
  } catch (error) {
    throw vendorUnavailable(vendor, nameOf(error));
  }
  if (status !== 200) throw failureOfStatus(vendor, status);
  if (text === undefined) throw vendorUnavailable(vendor, `body of more than ${VENDOR_BODY_LIMIT_BYTES} bytes`);
  const body = parseJson(text);
  if (!isJsonObject(body)) throw vendorUnavailable(vendor, 'body that is no JSON object');
  return body;
}

/** A vendor may end a connection that it has kept open just when it is used again. To read once more is safe. */
async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (!CLOSED.has(nameOf(error))) throw error;
    return await fetch(url, request);
  }
}

function withHeaders(headers: VendorRequest['headers'], more: Record<string, string>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
}

/** The sentence for every intermittent failure; `problem` says more, for the log only. */
export function vendorUnavailable(vendor: string, problem: string, severity: 'warn' | 'error' = 'warn') {
  const detail = `${vendor} could not be asked about this payment instruction now. Send the same request again later.`;
  return new VendorUnavailable(detail, `${vendor}: ${problem}`, severity);
}

/** Classifies a status other than 200 (behaviour 4.7). */
function failureOfStatus(vendor: string, status: number): VendorRejected | VendorUnavailable {
  const problem = `status ${status}`;
  if (status === 401 || status === 403) return vendorUnavailable(vendor, `${problem}, our own credentials`, 'error');
  if (status < 300 || status >= 500 || [408, 425, 429].includes(status)) return vendorUnavailable(vendor, problem);
  const detail =
    status === 404 || status === 410
      ? `${vendor} has no payment instruction with this reference.`
      : `${vendor} refuses this payment instruction. Sending it again as it is will not help.`;
  return new VendorRejected(detail, `${vendor}: ${problem}`);
}

/** Undefined for a body over the limit: the rest is never read, and leaving the loop closes the connection. */
async function readBody(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > VENDOR_BODY_LIMIT_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A parser's message quotes the body, which must not reach the log: undefined instead. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names and codes only (TimeoutError, ECONNREFUSED): a message may quote a header, and so the secret. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
