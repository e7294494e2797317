import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { perform, type VendorBehaviour } from './fake-vendor.ts';

/** A message as it arrived. */
export interface ReceivedMessage {
  /** The `webhook-id`. */
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** When, in milliseconds of this process's own clock. */
  at: number;
}

export interface WebhookReceiver {
  readonly url: string;
  /** Every message so far, in the order of their arrival. */
  readonly messages: readonly ReceivedMessage[];
  /** How it answers from now on; a function decides by the message. Default: 204. */
  behave(behaviour: VendorBehaviour | ((message: ReceivedMessage) => VendorBehaviour)): void;
  /** Breaks every connection: who still waits for an answer gets none. */
  hangUp(): void;
  /** Stops immediately, even with open connections. */
  close(): Promise<void>;
}

const ACCEPTS: VendorBehaviour = { kind: 'answer', status: 204, body: '' };

/**
 * A receiver of webhooks, over real HTTP on a free port of 127.0.0.1, that behaves as configured, however hostile. With a
 * certificate it speaks TLS, and its URL has the name `localhost`.
 */
export async function startWebhookReceiver(tls?: { certificate: string; key: string }): Promise<WebhookReceiver> {
  const messages: ReceivedMessage[] = [];
  let behaviour: Parameters<WebhookReceiver['behave']>[0] = ACCEPTS;
  const listener: RequestListener = async (request, response) => {
    const { url: path = '', headers } = request;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const message = { id: String(headers['webhook-id']), path, headers, body, at: performance.now() };
    messages.push(message);
    perform(typeof behaviour === 'function' ? behaviour(message) : behaviour, path, response);
  };
  const options = { keepAliveTimeout: 600_000 };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, cert: tls.certificate, key: tls.key }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}`,
    messages,
    behave: (next) => {
      behaviour = next;
    },
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
