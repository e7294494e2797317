import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { documentationUrl, type ErrorBody, type WireCode } from '@causeway/contracts';

/** A refusal as raw bytes, for input that never became a request; the connection ends with it. */
export function rawRefusal(
  { status, code, detail }: { status: number; code: WireCode; detail: string },
  headers: readonly string[] = [],
  requestId: string = randomUUID(),
): string {
  const documentation_url = documentationUrl(code);
  const body = JSON.stringify({ detail, code, errors: [], documentation_url } satisfies ErrorBody);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    ...headers,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
