import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Message, WebhookInbox } from './webhook-inbox.ts';

const MAX_BODY_BYTES = 1_048_576;

export interface WebhookReceiverOptions {
  /** That of the endpoint. After a rotation either one is valid for a day. */
  secret: string;
  inbox: WebhookInbox;
  /** There is something new in the inbox. */
  wake: () => void;
}

/**
 * A server that takes messages: it keeps what is signed, and answers before anybody works on it. Nothing is known of a
 * caller before the signature is verified: neither how much it sends nor whether it ever ends.
 */
export function createWebhookReceiver({ secret, inbox, wake }: WebhookReceiverOptions): Server {
  const webhook = new Webhook(secret);
  return createServer({ requestTimeout: 15_000 }, async (request, response) => {
    const answer = (status: number) => response.writeHead(status, { Connection: 'close' }).end();
    try {
      if (request.method !== 'POST') return answer(405);
      const body = await readBody(request);
      if (body === undefined) return answer(413);
      const { message, id } = verify(webhook, request, body);
      inbox.add(id, message);
      response.writeHead(204).end();
      wake();
    } catch (error) {
      // Causeway sends it again if it was not stored. What is not signed was not sent by Causeway.
      if (!response.headersSent) answer(error instanceof WebhookVerificationError ? 401 : 500);
    }
  });
}

/** The bytes as they arrived, in however many pieces: the signature is over them. Undefined if there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  // Without `destroyOnReturn` the connection would be gone before its answer.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Throws a `WebhookVerificationError` for what was forged or changed, or is older than five minutes. */
function verify(webhook: Webhook, { headers }: IncomingMessage, body: Buffer): { message: Message; id: string } {
  const message = webhook.verify(body, headers as Record<string, string>) as Message;
  return { message, id: String(headers['webhook-id']) };
}
