import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createAccessToken } from './access-token.ts';
import { isRedirect, Redirected } from './redirected.ts';
import { type Answer, type Attempt, codeOf, repeatAfter } from './repeat-after.ts';
import { type ReceivedAnswer, sendRequest } from './send-request.ts';

/** One call, below /v1/data-import/. */
export interface Call {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

/** A supplier's client of the data-import endpoints. */
export interface RestClient {
  /**
   * Posts to a path below /v1/data-import/. Every status is an answer, except a redirect; what throws is a failed
   * connection, a TokenRefusal, a `Redirected` and a `NotTheService`.
   */
  post(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Puts bytes, which the headers describe: sent again, they change nothing. */
  put(path: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string>): Promise<Answer>;
  /** One attempt, for callers that decide themselves when to repeat: `repeatAfter` says whether. Never throws. */
  attempt(call: Call): Promise<Attempt>;
  /** A file, whose body is read as it comes: one attempt. Throws what `fetch` throws, and a TokenRefusal. */
  open(path: string, accept: string): Promise<Response>;
  /** How many requests were sent so far, repeated ones included, those for tokens not. */
  requestCount(): number;
}

export interface RestClientOptions {
  url: string;
  apiKey: string;
  /** How long a call waits in all: 2 seconds unless given. Pauses after a 500 are counted apart, 2 seconds at most. */
  patienceMs?: number;
  /** Told of each pause, in milliseconds. */
  onWait?(attempt: Attempt, pauseMs: number): void;
  /** Once it is aborted, nothing is sent again. */
  stop?: AbortSignal;
}

const PATIENCE_MS = 2_000;
/** No call takes longer: the connection is dead, or the service is. */
const TIME_LIMIT_MS = 120_000;
/** In characters: several times what a very large account has that is read back, and half of what a string can hold. */
const LONGEST_ANSWER = 256_000_000;
/** Firewalls in between may refuse requests that name none. */
const USER_AGENT = 'causeway';

/**
 * Calls with a token of its own. Repeats what has to be repeated (behaviour 19.7), a POST under the key it began with.
 */
export function createRestClient(options: RestClientOptions): RestClient {
  const { url, apiKey, patienceMs = PATIENCE_MS, onWait, stop } = options;
  const accessToken = createAccessToken(url, apiKey);
  let requests = 0;

  async function send({ method, path, headers, body }: Call, token: string) {
    requests += 1;
    const received = await sendRequest(`${url}/v1/data-import/${path}`, {
      method,
      headers: { 'user-agent': USER_AGENT, accept: '*/*', authorization: `Token ${token}`, ...headers },
      body,
      timeLimitMs: TIME_LIMIT_MS,
      longest: LONGEST_ANSWER,
    });
    return read(received, `${method} /v1/data-import/${path}`);
  }

  /** A call whose token has expired was not looked at. */
  async function attempt(call: Call): Promise<Attempt> {
    try {
      const token = await accessToken();
      const sent = await send(call, token);
      return codeOf(sent.answer) === 'token_expired' ? await send(call, await accessToken(token)) : sent;
    } catch (failure) {
      return { failure };
    }
  }

  async function repeat(call: Call): Promise<Answer> {
    // A 500 is about this call; the others are about the service.
    const ofCall = { attempts: 0, leftMs: Math.min(patienceMs, PATIENCE_MS) };
    const ofService = { attempts: 0, leftMs: patienceMs };
    for (;;) {
      const last = await attempt(call);
      const waits = last.answer?.status === 500 ? ofCall : ofService;
      waits.attempts += 1;
      const pauseMs = repeatAfter(last, waits.attempts);
      if (pauseMs === undefined || pauseMs > waits.leftMs || stop?.aborted) return answerOf(last);
      waits.leftMs -= pauseMs;
      onWait?.(last, pauseMs);
      await wait(pauseMs, undefined, stop && { signal: stop }).catch(() => {});
    }
  }

  return {
    post: (path, body) => repeat(postOf(path, body, randomUUID())),
    get: (path) => repeat({ method: 'GET', path }),
    put: (path, bytes, headers) => repeat({ method: 'PUT', path, headers, body: bytes }),
    attempt,
    open: async (path, accept) =>
      openFile(`${url}/v1/data-import/${path}`, { token: await accessToken(), accept, stop }),
    requestCount: () => requests,
  };
}

function read({ status, headers, text }: ReceivedAnswer, request: string) {
  if (isRedirect(status)) throw new Redirected(request, headers.location);
  const body = headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : text;
  const answer = {
    request,
    requestId: String(headers['x-request-id'] ?? 'unknown'),
    status,
    body,
    remarks: remarksIn(headers),
  };
  return { answer, retryAfterMs: Number(headers['retry-after'] ?? 0) * 1_000 || 0 };
}

/** As the headers `Undocumented-Fields` and `Remarks` have them; of too many the service names the first ones. */
function remarksIn(headers: ReceivedAnswer['headers']): NonNullable<Answer['remarks']> {
  const entries = (name: string) => {
    const text = headers[name];
    return typeof text !== 'string' || text === '' ? [] : text.split(', ').map((entry) => entry.split(';'));
  };
  const undocumented = entries('undocumented-fields').map(([attr = '']) => ({ code: 'undocumented_field', attr }));
  const remarks = entries('remarks').map(([code = '', field = '']) => ({ code, attr: field.replace('field=', '') }));
  return [...undocumented, ...remarks]
    .filter(({ code, attr }) => code !== '...' && attr !== '...')
    .map(({ code, attr }) => ({ code, attr: decoded(attr) }));
}

/** Other services may write it in another way. */
function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

interface Opening {
  token: string;
  accept: string;
  stop: AbortSignal | undefined;
}

function openFile(address: string, { token, accept, stop }: Opening): Promise<Response> {
  const headers = { authorization: `Token ${token}`, accept };
  return fetch(address, { headers, redirect: 'manual', ...(stop && { signal: stop }) });
}

/** A POST of a JSON body. With an idempotency key, the service does the same call once. */
export function postOf(path: string, body: object, idempotencyKey?: string): Call {
  const headers = {
    'content-type': 'application/json',
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

function answerOf(attempt: Attempt): Answer {
  if (attempt.answer === undefined) throw attempt.failure;
  return attempt.answer;
}
