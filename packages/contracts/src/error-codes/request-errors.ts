import { type ErrorRow, REMEDIES } from './error-row.ts';

/** Refusals of a request for who sends it, where to and how, whatever it asks for. */
export const REQUEST_ERRORS = {
  not_authenticated: {
    origin: 'wire',
    status: 401,
    when: 'The request carries no `Authorization` header.',
    cause: 'The client has no token yet, or something on the way takes the header off.',
    remedy: REMEDIES.obtain_token,
    example: { detail: 'The Authorization header with a token is missing.' },
  },
  authentication_failed: {
    origin: 'wire',
    status: 401,
    when: 'The token is malformed, was not issued by this service, or its API key was revoked.',
    cause: 'An API key in place of a token, a token of another environment, or a revoked key.',
    remedy: 'Obtain a token and send the request again, once; if that fails too, ask the service team for an API key.',
    example: { detail: 'The token is not valid.' },
  },
  token_expired: {
    origin: 'wire',
    status: 401,
    when: 'The token was good and has expired; obtain a new one.',
    cause: 'It was obtained more than 60 minutes ago.',
    remedy: REMEDIES.obtain_token,
    example: { detail: 'The token has expired: obtain a new one.' },
  },
  permission_denied: {
    origin: 'wire',
    status: 403,
    when: 'The token is good, but not for this.',
    cause: "A supplier's token was used for what only the service team may do.",
    remedy: 'Use a token of the service team.',
    example: { detail: 'This procedure is open to the service team only.' },
  },

  idempotency_key_reused: {
    origin: 'domain',
    status: 422,
    when: 'Another request was sent with this `Idempotency-Key`; use a new key for a new request.',
    cause: 'A client that gives the same key to several requests, or that changes a request before it repeats it.',
    remedy: 'Correct the client: every request has a key of its own, and a repeat is the same request.',
    example: { detail: 'Another request was sent with this Idempotency-Key: a new request needs a new key.' },
  },
  idempotency_key_in_progress: {
    origin: 'domain',
    status: 409,
    retry_after_s: 1,
    when: 'A request with this `Idempotency-Key` is still running; retry after `Retry-After` seconds to get its answer: soon, or within 30 seconds if the instance that ran it died.',
    cause: 'The request was sent again before its first answer.',
    remedy: REMEDIES.resend_later,
    example: {
      detail: 'A request with this Idempotency-Key is still running: send it again later to get its answer.',
    },
  },

  not_found: {
    origin: 'wire',
    status: 404,
    when: 'Nothing answers at this path.',
    cause: 'A misspelt path, or a part of it that is empty or not percent-encoded.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'Nothing is at this address: see /docs for the paths there are.' },
  },
  method_not_allowed: {
    origin: 'wire',
    status: 405,
    when: 'The path exists, but not for this method; `Allow` lists those it takes.',
    cause: 'GET in place of POST or the other way round, often after a redirect.',
    remedy: REMEDIES.correct_client,
    example: { detail: 'This address takes POST, OPTIONS.' },
  },
  unsupported_media_type: {
    origin: 'wire',
    status: 415,
    when: 'The body of a POST must be sent as `application/json`.',
    cause: 'A `Content-Type` that is missing or another one, or a body that is compressed.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
    example: { detail: 'Send the body as JSON, with "Content-Type: application/json".' },
  },
  payload_too_large: {
    origin: 'wire',
    status: 413,
    when: 'The body, or a batch of calls, is larger than the service accepts, or in more than 1,000 chunks that are tiny.',
    cause: 'Too many records in one request; or a client that sends each few characters of the body as a chunk.',
    remedy: 'Split the list over several requests, and send bodies whole or in chunks of 64 bytes and more.',
    example: { detail: 'The request body may have 10485760 bytes at most.' },
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
