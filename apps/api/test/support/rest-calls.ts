import { assertDocumented } from './assert-documented.ts';

/** An answer of the REST interface; it is as the published document promises, or the call has thrown. */
export interface RestAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
}

export interface RestCalls {
  /** POST below /v1/data-import/. A string or bytes are sent as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<RestAnswer>;
  /** GET below /v1/data-import/. */
  get(path: string, headers?: Record<string, string>): Promise<RestAnswer>;
}

/** The calls of one caller; without a token those of somebody unknown. Every answer is checked against the document. */
export function restCalls(url: string, token?: string): RestCalls {
  async function call(method: string, path: string, init: RequestInit): Promise<RestAnswer> {
    const response = await fetch(`${url}/v1/data-import/${path}`, { method, ...init });
    const text = await response.text();
    const answer = {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
    assertDocumented({ method, path: `/v1/data-import/${path}`, ...answer });
    return answer;
  }
  const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Token ${token}` };
  return {
    post(path, body, headers = {}) {
      const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
      const type = { 'Content-Type': 'application/json' };
      return call('POST', path, {
        body: sent as NonNullable<RequestInit['body']>,
        headers: { ...type, ...authorization, ...headers },
      });
    },
    get: (path, headers = {}) => call('GET', path, { headers: { ...authorization, ...headers } }),
  };
}
