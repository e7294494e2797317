import { setTimeout as wait } from 'node:timers/promises';
import { ErrorBody } from '@causeway/contracts';

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
  /** Posts to a path below /v1/data-import/. Every status is an answer; only a failed connection throws. */
  post(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** How many requests were sent so far, repeated ones included. */
  requestCount(): number;
}

export interface RestClientOptions {
  url: string;
  token: string;
  /** Before the first repetition; it doubles with each. A Retry-After that is longer counts. */
  firstPauseMs?: number;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 5_000;

/** Calls with the token. Repeats what has to be repeated (behaviour 4.3, 4.7): 429, 503 and a vendor out of reach. */
export function createRestClient({ url, token, firstPauseMs = FIRST_PAUSE_MS }: RestClientOptions): RestClient {
  let requests = 0;

  async function attempt(method: string, path: string, body?: object): Promise<Answer & { pauseMs: number }> {
    requests += 1;
    const response = await fetch(`${url}/v1/data-import/${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      request: `${method} /v1/data-import/${path}`,
      requestId: response.headers.get('x-request-id') ?? 'unknown',
      status: response.status,
      body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
      pauseMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
    };
  }

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    for (let pauseMs = firstPauseMs, left = ATTEMPTS - 1; ; pauseMs *= 2, left -= 1) {
      const answer = await attempt(method, path, body);
      if (left === 0 || !isWorthRepeating(answer)) return answer;
      await wait(Math.min(Math.max(pauseMs, answer.pauseMs), MAX_PAUSE_MS));
    }
  }

  return {
    post: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    requestCount: () => requests,
  };
}

/** The stable code of an answer that is an error body; undefined for any other. */
export function codeOf(answer: Answer): string | undefined {
  return answer.status >= 400 ? ErrorBody.safeParse(answer.body).data?.code : undefined;
}

function isWorthRepeating(answer: Answer): boolean {
  return answer.status === 429 || answer.status === 503 || codeOf(answer) === 'payment_vendor_unavailable';
}
