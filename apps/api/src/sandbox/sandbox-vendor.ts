import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeComponent } from '../http/decode-component.ts';

export interface SandboxVendor {
  baseUrl: string;
  secret: string;
  close(): Promise<void>;
}

interface Asked {
  reference: string;
  type: string;
}

const outcomes: Record<string, (response: ServerResponse, asked: Asked) => void> = {
  ok: (response, asked) => answer(response, 200, instruction(asked, 'ACTIVE')),
  unusable: (response, asked) => answer(response, 200, instruction(asked, 'CANCELLED')),
  othertype: (response, asked) => answer(response, 200, instruction({ ...asked, type: 'OTHER' }, 'ACTIVE')),
  missing: (response) => answer(response, 404, { error: 'no such payment instruction' }),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  // Never answers: the caller times out and closes the connection.
  timeout: () => undefined,
  reset: (response) => response.socket?.resetAndDestroy(),
  cut: (response, asked) => cut(response, JSON.stringify(instruction(asked, 'ACTIVE'))),
  large: (response) => answer(response, 200, { padding: 'x'.repeat(100_000) }),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Under maintenance</h1>'),
};

/**
 * Serves SANDBOX, a simulated payment vendor for demos and trials, on a free port of 127.0.0.1: the server side of
 * httpVendor's protocol. NEVER configure it in production: it confirms cards that do not exist.
 *
 * The reference selects the outcome (behaviour 4.7): `pm_ok_...` verifies; `pm_missing_`, `pm_unusable_`,
 * `pm_othertype_`, `pm_redirect_` and `pm_404_`, `pm_422_`, ... are rejected; `pm_timeout_`, `pm_reset_`, `pm_cut_`,
 * `pm_large_`, `pm_html_` and `pm_429_`, `pm_500_`, `pm_503_`, ... are unavailable: any status from 400 to 599 may be
 * named. Others do not exist.
 */
export async function startSandboxVendor(): Promise<SandboxVendor> {
  const secret = randomBytes(32).toString('base64url');
  const server = createServer(sandboxListener(secret));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sandboxListener(secret: string): RequestListener {
  return (request, response) => {
    if (request.headers.authorization !== `Bearer ${secret}`) return answer(response, 401, { error: 'wrong secret' });
    const asked = request.method === 'GET' ? readRequest(request.url ?? '') : undefined;
    const outcome = /^pm_([a-z]+|[45]\d\d)_/.exec(asked?.reference ?? '')?.[1];
    if (asked === undefined || outcome === undefined) return answer(response, 404, { error: 'not found' });
    if (/^\d/.test(outcome)) return answer(response, Number(outcome), { error: 'as asked for' });
    const perform = Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
    if (perform === undefined) return answer(response, 404, { error: 'no such payment instruction' });
    perform(response, asked);
  };
}

function readRequest(target: string): Asked | undefined {
  const url = URL.parse(target, 'http://sandbox');
  const segment = /^\/payment-instructions\/([^/]+)$/.exec(url?.pathname ?? '')?.[1];
  const type = url?.searchParams.get('type');
  const reference = segment && decodeComponent(segment);
  return reference && type ? { reference, type } : undefined;
}

/** The same reference always gives the same card. */
function instruction({ reference, type }: Asked, status: string) {
  const seed = [...reference].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 7);
  const details = {
    brand: seed % 2 === 0 ? 'visa' : 'mastercard',
    last4: String(seed % 10_000).padStart(4, '0'),
    exp_month: 1 + (seed % 12),
    exp_year: 2040 + (seed % 5),
    funding: seed % 3 === 0 ? 'credit' : 'debit',
    country: 'GB',
  };
  return { reference, type, status, details };
}

function cut(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
