import { documentationUrl, TOKEN_CODES, type TokenCodeName } from '@causeway/contracts';
import { GraphQLError } from 'graphql';

/** Thrown by a resolver; the handler turns it into the answer. */
export class GraphqlRefusal extends Error {
  override readonly name = 'GraphqlRefusal';
  readonly refusalName: TokenCodeName;
  readonly retryAfterS: number | undefined;
  /** Whether its answer is delayed. */
  readonly isDelayed: boolean;

  constructor(refusalName: TokenCodeName, retryAfterS?: number, isDelayed = false) {
    // The stack is never used, and costs more than the rest of the answer.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(TOKEN_CODES[refusalName].errorDescription);
    Error.stackTraceLimit = limit;
    this.refusalName = refusalName;
    this.retryAfterS = retryAfterS;
    this.isDelayed = isDelayed;
  }
}

/** The published part of a refusal, without its message. */
export function extensionsOf(name: TokenCodeName) {
  const { errorType, errorCode, errorDescription } = TOKEN_CODES[name];
  return { errorType, errorCode, errorDescription, documentationUrl: documentationUrl(errorCode) };
}

/** The error as clients see it: with its place in the document and, if `error` is a GraphQL error, its message. */
export function refusalError(name: TokenCodeName, error?: Error): GraphQLError {
  const extensions = extensionsOf(name);
  if (error instanceof GraphQLError) {
    const { nodes, source, positions, path } = error;
    const message = name === 'malformed' ? withoutValues(error.message) : extensions.errorDescription;
    return new GraphQLError(message, { nodes, source, positions, path, extensions });
  }
  return new GraphQLError(extensions.errorDescription, { extensions });
}

/** The answer if nothing was executed: the same bytes every time. */
export function refusalBody(name: TokenCodeName): string {
  const known = bodies.get(name);
  if (known !== undefined) return known;
  const body = JSON.stringify({ errors: [refusalError(name)] });
  bodies.set(name, body);
  return body;
}

const bodies = new Map<TokenCodeName, string>();

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
