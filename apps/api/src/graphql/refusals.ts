import { documentationUrl } from '@causeway/contracts';
import { GraphQLError } from 'graphql';

/** A failure of ObtainToken: its `errors[].extensions`, and what is published about it. */
interface RefusalDescription {
  status: number;
  errorType: 'VALIDATION' | 'AUTHORIZATION' | 'APPLICATION';
  errorCode: `CW-${number}`;
  errorDescription: string;
  /** What the caller does next. */
  remedy: string;
}

export type RefusalName = keyof typeof REFUSALS;

/** Stable codes: clients depend on them, so a code never changes its meaning. */
export const REFUSALS = {
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
    errorDescription: 'The service cannot work at the moment. Send the request again later.',
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
} as const satisfies Record<string, RefusalDescription>;

/** Thrown by a resolver; the handler turns it into the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly refusalName: RefusalName;
  readonly retryAfterS: number | undefined;
  /** Whether its answer is delayed. */
  readonly isDelayed: boolean;

  constructor(refusalName: RefusalName, retryAfterS?: number, isDelayed = false) {
    // The stack is never used, and costs more than the rest of the answer.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(REFUSALS[refusalName].errorDescription);
    Error.stackTraceLimit = limit;
    this.refusalName = refusalName;
    this.retryAfterS = retryAfterS;
    this.isDelayed = isDelayed;
  }
}

/** The published part of a refusal, without its message. */
export function extensionsOf(name: RefusalName) {
  const { errorType, errorCode, errorDescription } = REFUSALS[name];
  return { errorType, errorCode, errorDescription, documentationUrl: documentationUrl(errorCode) };
}

/** The error as clients see it: with its place in the document and, if `error` is a GraphQL error, its message. */
export function refusalError(name: RefusalName, error?: Error): GraphQLError {
  const extensions = extensionsOf(name);
  if (error instanceof GraphQLError) {
    const { nodes, source, positions, path } = error;
    const message = name === 'malformed' ? withoutValues(error.message) : extensions.errorDescription;
    return new GraphQLError(message, { nodes, source, positions, path, extensions });
  }
  return new GraphQLError(extensions.errorDescription, { extensions });
}

/** The answer if nothing was executed: the same bytes every time. */
export function refusalBody(name: RefusalName): string {
  const known = bodies.get(name);
  if (known !== undefined) return known;
  const body = JSON.stringify({ errors: [refusalError(name)] });
  bodies.set(name, body);
  return body;
}

const bodies = new Map<RefusalName, string>();

/** For graphql-http: an error that does not carry its code yet is about the request. */
export function formatRefusal(error: Readonly<GraphQLError | Error>): GraphQLError {
  return error instanceof GraphQLError && 'errorCode' in error.extensions ? error : refusalError('malformed', error);
}

/** GraphQL's own messages quote the input, which may be an API key in the wrong place. */
function withoutValues(message: string): string {
  return message
    .replace(/(\bfound\b:?|\bnon string value:) .+$/is, '$1 what is not repeated here.')
    .replace(/"((?:[^"\\]|\\.)*)"/g, (quoted: string, text: string) =>
      text.length < MIN_KEY_LENGTH ? quoted : '"..."',
    )
    .replace(/[^\s"]{32,}/g, '...');
}

const MIN_KEY_LENGTH = 32;
