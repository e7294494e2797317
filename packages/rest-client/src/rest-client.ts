import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ErrorBody } from '@causeway/contracts';
import { createAccessToken } from './access-token.ts';
import { PASSING_CODES } from './passing-codes.ts';

/** What came back of one call, after the last attempt. */
export interface Answer {
  /** Method and path, for people. */
  request: string;
  requestId: string;
  status: number;
  body: unknown;
}

/** A supplier's client of the data-import endpoints. */
export interface RestClient {
  /**
   * Posts to a path below /v1/data-import/. Every status is an answer; what throws is a failed connection, and a
   * TokenRefusal.
   */
  post(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Puts bytes, which the headers describe: sent again, they change nothing. */
  put(path: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<Answer>;
  /** How many requests were sent so far, repeated ones included, those for tokens not. */
  requestCount(): number;
}

export interface RestClientOptions {
  url: string;
  apiKey: string;
  /** Before the first repetition; it doubles with each. A Retry-After that is longer counts. */
  firstPauseMs?: number;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 5_000;

interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

type Attempt = Answer & { retryAfterMs: number };

/**
 * Calls with a token of its own. Repeats what has to be repeated (behaviour 19.7), a POST under the key it began with.
 */
export function createRestClient({ url, apiKey, firstPauseMs = FIRST_PAUSE_MS }: RestClientOptions): RestClient {
  const accessToken = createAccessToken(url, apiKey);
  let requests = 0;

  async function send({ method, path, headers, body }: Request, token: string): Promise<Attempt> {
    requests += 1;
    const response = await fetch(`${url}/v1/data-import/${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return {
      request: `${method} /v1/data-import/${path}`,
      requestId: response.headers.get('x-request-id') ?? 'unknown',
      status: response.status,
      body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
      retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
    };
  }

  /** A request whose token has expired was not looked at. */
  async function attempt(request: Request): Promise<Attempt> {
    const token = await accessToken();
    const answer = await send(request, token);
    return codeOf(answer) === 'token_expired' ? send(request, await accessToken(token)) : answer;
  }

  async function call(request: Request): Promise<Answer> {
    for (let pauseMs = firstPauseMs, left = ATTEMPTS - 1; ; pauseMs *= 2, left -= 1) {
      const answer = await attempt(request);
      if (left === 0 || !isWorthRepeating(answer)) return answer;
      await wait(Math.min(Math.max(pauseMs, answer.retryAfterMs), MAX_PAUSE_MS));
    }
  }

  return {
    post(path, body) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      return call({ method: 'POST', path, headers, body: JSON.stringify(body) });
    },
    get: (path) => call({ method: 'GET', path, headers: {} }),
    put: (path, bytes, headers) => call({ method: 'PUT', path, headers, body: bytes }),
    requestCount: () => requests,
  };
}

/** The stable code of an answer that is an error body; undefined for any other. */
export function codeOf(answer: Answer): string | undefined {
  return answer.status >= 400 ? ErrorBody.safeParse(answer.body).data?.code : undefined;
}

function isWorthRepeating(answer: Answer): boolean {
  return answer.status === 429 || answer.status === 503 || PASSING_CODES.includes(codeOf(answer));
}
