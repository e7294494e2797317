import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { NotTheService } from './not-the-service.ts';

export interface SentRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  /** From the call to the last byte of the answer. */
  timeLimitMs: number;
  /** What the answer may have, in characters. */
  longest: number;
}

/** An answer that has arrived whole. */
export interface ReceivedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Sends one request, once, and collects its answer: `fetch` for many small calls, with a quarter of its work. Node's own
 * agents keep the connections and, as `fetch` does, use a proxy of the environment only if Node is told to
 * (NODE_USE_ENV_PROXY). A redirect is an answer: nothing is sent to another address.
 *
 * Rejects if no answer has arrived whole within the time limit, with the reason as `cause`. That includes a kept
 * connection which the other side has closed meanwhile: nobody knows what happened to the request. Rejects with a
 * NotTheService if the answer is too long.
 */
export function sendRequest(address: string, request: SentRequest): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const { method, headers, body, timeLimitMs, longest } = request;
    const fail = (cause: Error) => reject(new Error(`${method} ${address} got no answer`, { cause }));
    const isTooLong = (text: string) => {
      if (text.length > longest) reject(NotTheService.becauseOfLength(address, longest));
      return text.length > longest;
    };
    const over = address.startsWith('https:') ? overHttps : overHttp;
    const sent = over(address, { method, headers });
    const timer = setTimeout(() => sent.destroy(new Error(`nothing within ${timeLimitMs} ms`)), timeLimitMs);
    sent.on('response', (answer) => collect(answer, sent, { resolve, fail, isTooLong }));
    sent.on('upgrade', (_answer, socket) => {
      socket.destroy();
      fail(new Error('the connection was taken for something else'));
    });
    sent.on('error', fail);
    sent.on('close', () => clearTimeout(timer));
    sent.end(body);
  });
}

interface Outcome {
  resolve(answer: ReceivedAnswer): void;
  fail(cause: Error): void;
  /** Has failed, if so. */
  isTooLong(text: string): boolean;
}

function collect(answer: IncomingMessage, sent: ClientRequest, { resolve, fail, isTooLong }: Outcome): void {
  let text = '';
  answer.setEncoding('utf8');
  answer.on('data', (piece: string) => {
    text += piece;
    if (isTooLong(text)) sent.destroy();
  });
  answer.on('error', fail);
  answer.on('end', () => {
    const { statusCode: status = 0, headers, complete } = answer;
    if (complete) resolve({ status, headers, text });
    else fail(new Error('the answer was cut off'));
    // Who has answered may never read the rest.
    if (!sent.writableFinished) sent.destroy();
  });
}
