import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import { problemsOfDocumentationUrl } from '../support/documentation-url.ts';

export interface WireAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
}

const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * What every answer must have, whatever the request: JSON or nothing, an X-Request-Id, and in an error our own body
 * with a sentence of our own in it (over tRPC inside the shape that its clients read); never HTML, a stack or a
 * library's name.
 */
function expectSane({ status, body, headers }: WireAnswer, overTrpc: boolean): void {
  expect(headers.get('x-request-id')).toMatch(SANE_ID);
  if (body === undefined) return;
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
  if (status < 400) return;
  const error = overTrpc ? body.error.data.error : body;
  expect(error).toMatchObject({
    detail: expect.any(String),
    code: expect.stringMatching(/^[a-z0-9_]+$/),
    errors: expect.any(Array),
  });
  expect(problemsOfDocumentationUrl(error.code, error.documentation_url)).toEqual([]);
  expect(JSON.stringify(body)).not.toMatch(/<|node_modules|\bat \w+ \(|zod|express|prisma|postgres|trpc/i);
}

/** A request over fetch; its answer, which is sane. */
export async function send(url: string, init: RequestInit = {}): Promise<WireAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const answer = {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
  expectSane(answer, new URL(url).pathname.startsWith('/trpc/'));
  return answer;
}

/**
 * Writes bytes to a socket, as no client library would, and answers with what comes back up to the first whole answer.
 * Nothing more is sent: what is answered does not depend on it.
 */
export async function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  let text = '';
  try {
    for await (const chunk of socket) {
      text += chunk;
      const whole = wholeAnswer(text);
      if (whole !== undefined) {
        expectSane(whole, /^\w+ \/trpc\//.test(String(parts[0])));
        return whole;
      }
    }
  } finally {
    socket.destroy();
  }
  throw new Error(`The connection ended after ${JSON.stringify(text)}`);
}

function wholeAnswer(text: string): WireAnswer | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const body = text.slice(end + 4);
  if (Buffer.byteLength(body) < Number(headers.get('content-length') ?? 0)) return undefined;
  return { status: Number(statusLine.split(' ')[1]), body: body === '' ? undefined : JSON.parse(body), headers };
}
