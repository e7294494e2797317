import type { ServerResponse } from 'node:http';
import type { KeptAnswer } from '@causeway/domain';

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';
/** One JSON value a line. */
export const NDJSON_CONTENT_TYPE = 'application/x-ndjson';

/** Plain Node, which sends head and body together with their length: Express's setters cost more than the rest. */
export function sendJson(response: ServerResponse, { status, headers, body }: KeptAnswer): void {
  response.statusCode = status;
  response.setHeader('Content-Type', JSON_CONTENT_TYPE);
  for (const name in headers) {
    response.setHeader(name, headers[name] ?? '');
  }
  // Node computes it, except for HEAD.
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
