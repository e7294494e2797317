import type { Random } from '@causeway/testing';
import { type Answer, sendBytes } from '../fuzz/send-bytes.ts';

export interface Request {
  method?: 'GET' | 'POST' | 'PUT';
  /** From the root: `/v1/data-import/notes/create/`. */
  path: string;
  token?: string;
  /** Sent as JSON; text and bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Draws how the body is sent: see `sendBytes`. */
  travel?: Random;
}

/** Sends a request once. Undefined without a complete answer: whether it took effect is then unknown. */
export async function send(url: string, request: Request): Promise<Answer | undefined> {
  const { path, body, token, signal, method = body === undefined ? 'GET' : 'POST' } = request;
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  if (request.travel !== undefined && text !== undefined) {
    return sendBytes(url, { method, path, headers, body: Buffer.from(text), travel: request.travel });
  }
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(text === undefined ? {} : { body: text }),
      ...(signal === undefined ? {} : { signal }),
    });
    const received = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: received === '' ? undefined : parse(received),
    };
  } catch {
    return undefined;
  }
}

/** A field of a body of unknown shape. */
export function fieldOf(body: unknown, name: string): unknown {
  return (Object(body) as Record<string, unknown>)[name];
}

/** `201`, `400 account_not_found`, `no answer`: what a figure or a failure shows of an answer. */
export function nameOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'no answer';
  const code = fieldOf(answer.body, 'code');
  return typeof code === 'string' ? `${answer.status} ${code}` : String(answer.status);
}

/** Text that is not JSON stays a string: a caller that expects JSON finds no field in it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
