/** A failure of ObtainToken: its `errors[].extensions`, and what is published about it. */
interface TokenCodeRow {
  status: number;
  errorType: 'VALIDATION' | 'AUTHORIZATION' | 'APPLICATION';
  errorCode: `CW-${number}`;
  errorDescription: string;
  /** What the caller does next. */
  remedy: string;
}

export type TokenCodeName = keyof typeof TOKEN_CODES;

/** The codes of ObtainToken (behaviour 5.2.3), one row each: clients depend on them, so a code never changes its meaning. */
export const TOKEN_CODES = {
  internal: {
    status: 500,
    errorType: 'APPLICATION',
    errorCode: 'CW-1000',
    errorDescription: 'An unexpected error occurred. Try again later.',
    remedy: 'Send the request again later; if it fails again, report its `X-Request-Id`.',
  },
  malformed: {
    status: 400,
    errorType: 'VALIDATION',
    errorCode: 'CW-1001',
    errorDescription: 'The request is not a GraphQL document, with its variables, that this service accepts.',
    remedy: 'Correct the document or its variables, as `message` says.',
  },
  methodNotAllowed: {
    status: 405,
    errorType: 'VALIDATION',
    errorCode: 'CW-1002',
    errorDescription: 'Send the document with POST.',
    remedy: 'Correct the client: the same request is refused every time.',
  },
  notAcceptable: {
    status: 406,
    errorType: 'VALIDATION',
    errorCode: 'CW-1003',
    errorDescription: 'Accept application/json or application/graphql-response+json.',
    remedy: 'Accept `application/json`.',
  },
  tooLarge: {
    status: 413,
    errorType: 'VALIDATION',
    errorCode: 'CW-1004',
    errorDescription: 'The body is too large.',
    remedy: 'Send the one mutation and nothing else.',
  },
  unsupportedMediaType: {
    status: 415,
    errorType: 'VALIDATION',
    errorCode: 'CW-1005',
    errorDescription: 'Send the document as uncompressed application/json in UTF-8.',
    remedy: 'Send `Content-Type: application/json` and no `Content-Encoding`.',
  },
  timeout: {
    status: 408,
    errorType: 'VALIDATION',
    errorCode: 'CW-1006',
    errorDescription: 'The body did not arrive in time.',
    remedy: 'Send the same request again.',
  },
  unavailable: {
    status: 503,
    errorType: 'APPLICATION',
    errorCode: 'CW-1007',
    errorDescription: 'The service cannot work now. Send the request again later.',
    remedy: 'Wait for `Retry-After` seconds, then send the same request again.',
  },
  invalidApiKey: {
    status: 200,
    errorType: 'AUTHORIZATION',
    errorCode: 'CW-1101',
    errorDescription: 'The API key is not valid or has been revoked.',
    remedy: 'Check the API key, or ask the service team for another one.',
  },
  invalidRefreshToken: {
    status: 200,
    errorType: 'AUTHORIZATION',
    errorCode: 'CW-1102',
    errorDescription: 'The refresh token is not valid, has expired, or its API key has been revoked.',
    remedy: 'Obtain a token with the API key.',
  },
  notOneCredential: {
    status: 200,
    errorType: 'VALIDATION',
    errorCode: 'CW-1103',
    errorDescription: 'Give either APIKey or refreshToken, and not both.',
    remedy: 'Send one of them.',
  },
  tooManyFailures: {
    status: 429,
    errorType: 'AUTHORIZATION',
    errorCode: 'CW-1104',
    errorDescription: 'Too many failed attempts. Wait for as many seconds as the Retry-After header says.',
    remedy: 'Wait for `Retry-After` seconds, and check the credential before you send it again.',
  },
  tooManyCalls: {
    status: 429,
    errorType: 'APPLICATION',
    errorCode: 'CW-1105',
    errorDescription:
      'Too many calls with this key or from this address. Wait for as many seconds as the Retry-After header says.',
    remedy: 'Wait for `Retry-After` seconds, and use each token until shortly before it expires.',
  },
} as const satisfies Record<string, TokenCodeRow>;
