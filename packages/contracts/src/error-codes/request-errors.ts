import { type ErrorRow, REMEDIES } from './error-row.ts';

/** Refusals that depend on the caller, the address or the form of a request, not on its content. */
export const REQUEST_ERRORS = {
  not_authenticated: {
    origin: 'wire',
    status: 401,
    when: 'The request carries no `Authorization` header.',
    cause: 'The client has no token yet, or a proxy removes the header.',
    remedy: REMEDIES.obtain_token,
    example: { detail: 'The Authorization header with a token is missing.' },
  },
  authentication_failed: {
    origin: 'wire',
    status: 401,
    when: 'The token is malformed, was not issued by this service, or its API key was revoked.',
    cause: 'An API key instead of a token, a token of another environment, or a revoked key.',
    remedy: 'Obtain a token and send the request again, once; if that fails too, ask the service team for an API key.',
    example: { detail: 'The token is not valid.' },
  },
  token_expired: {
    origin: 'wire',
    status: 401,
    when: 'The token was valid but has expired; obtain a new one.',
    cause: 'It was obtained more than 60 minutes ago.',
    remedy: REMEDIES.obtain_token,
    example: { detail: 'The token has expired: obtain a new one.' },
  },
  permission_denied: {
    origin: 'both',
    status: 403,
    when: 'The token is valid, but does not permit this request.',
    cause:
      "A supplier's token was used for an operation of the service team, or a key that may only read for a change or for personal data.",
    remedy: 'Use a token of the service team, of a key that may do more.',
    example: { detail: 'This procedure is open to the service team only.' },
  },

  idempotency_key_reused: {
    status: 422,
    when: 'A different request was sent with this `Idempotency-Key`; use a new key for a new request.',
    cause: 'A client that uses one key for several requests, or changes a request before it repeats it.',
    remedy: 'Correct the client: use a new key for each request, and repeat a request unchanged.',
    example: { detail: 'Another request was sent with this Idempotency-Key: a new request needs a new key.' },
  },
  idempotency_key_in_progress: {
    status: 409,
    retry_after_s: 1,
    when: 'A request with this `Idempotency-Key` is still in flight; retry after `Retry-After` seconds to get its answer: soon, or within 30 seconds if the instance that ran it died.',
    cause: 'The request was repeated before its first answer.',
    remedy: REMEDIES.resend_later,
    example: {
      detail: 'A request with this Idempotency-Key is still running: send it again later to get its answer.',
    },
  },

  not_found: {
    origin: 'wire',
    status: 404,
    when: 'There is no endpoint at this path.',
    cause: 'A misspelt path, or a segment that is empty or not percent-encoded.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'No such path: see /docs.' },
  },
  method_not_allowed: {
    origin: 'wire',
    status: 405,
    when: 'The path exists, but does not support this method; `Allow` lists the methods that it supports.',
    cause: 'GET instead of POST or the other way round, often after a redirect.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'This address takes POST, OPTIONS.' },
  },
  unsupported_media_type: {
    origin: 'wire',
    status: 415,
    when: 'The body must be sent as `application/json`, a part of a bulk job as `application/x-ndjson`.',
    cause: 'A missing or different `Content-Type`, or a compressed body.',
    remedy: 'Send the `Content-Type` that the operation documents; only a part may have a `Content-Encoding`.',
    example: { detail: 'Send the body as JSON, with "Content-Type: application/json".' },
  },
  payload_too_large: {
    origin: 'wire',
    status: 413,
    when: 'The body, or a batch of calls, is larger than the service accepts, or the body has more than 1,000 tiny chunks.',
    cause: 'Too many records in one request, or a client that sends the body a few characters per chunk.',
    remedy: 'Split the list over several requests, and send bodies whole or in chunks of at least 64 bytes.',
    example: { detail: 'The request body is too large: the limit is 10485760 bytes.' },
  },
  request_timeout: {
    origin: 'wire',
    status: 408,
    when: 'The request did not arrive completely in time.',
    cause: 'A slow connection, or a `Content-Length` that is larger than the body.',
    remedy: 'Send the same request again; if it happens often, send less at once.',
    example: { detail: 'The request body did not arrive in time.' },
  },
} as const satisfies Record<string, ErrorRow>;
