import { type ObtainTokenInput, TOKEN_CODES, type TokenCodeName } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import type { Request, RequestHandler, Response } from 'express';
import { createHandler } from 'graphql-http';
import { type CountWork, createGate, LARGE_BODY_BYTES, parsedBody } from '../bodies/gate.ts';
import type { BodyLimits } from '../bodies/receive-body.ts';
import { requestFacts } from '../http/request-facts.ts';
import type { Tokens } from '../http/tokens.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { type AttemptLimiter, type AttemptLimits, createAttemptLimiter } from './attempt-limiter.ts';
import { createAnswerDelay, type DelayLimits } from './delay-answers.ts';
import { obtainToken } from './obtain-token.ts';
import { prepareOperation } from './prepare-operation.ts';
import { formatRefusal, GraphqlRefusal, refusalBody } from './refusals.ts';
import { asRefusal, type Outcome, unavailable, withRefusals } from './refused-result.ts';
import { standardIntrospection } from './schema.ts';

/** Fits the longest allowed document, in any characters, with its variables. */
const MAX_BODY_BYTES = 40 * 1024;
const DEFAULT_DELAY: DelayLimits = { delayMs: 1_000, mostDelayed: 1_000 };

export interface GraphqlDependencies {
  database: Database;
  clock: () => Date;
  tokens: Tokens;
  /** The value of `serviceVersion`. */
  version: string;
  /** Called for each of our own failures, whose cause the caller does not see. */
  onInternalError: (error: unknown, request: Request) => void;
  attemptLimits: AttemptLimits;
  /** For the bodies of callers that are not authenticated yet. */
  limits: BodyLimits;
  /** Called when the whole request has arrived. */
  countWork?: CountWork;
  /** The delay of answers to callers over a limit without a key known to be valid. */
  delay?: DelayLimits;
  /** Called for every request with a document. */
  onDocument?: (request: Request) => void;
  /** The address of the client; by default from Express, which applies its `trust proxy` setting. */
  clientAddress?: (request: Request) => string;
}

/**
 * Answers `POST /v1/graphql/` (behaviour 5.7): only ObtainToken and the schema's introspection. Mount it for all
 * methods, because it refuses the others in GraphQL's shape, and without a body parser before it: it has its own gate.
 */
export function createGraphqlHandler(deps: GraphqlDependencies): RequestHandler {
  const { onInternalError, limits, delay = DEFAULT_DELAY } = deps;
  const { clientAddress = (request: Request) => request.ip ?? 'unknown' } = deps;
  const keepBack = createAnswerDelay(delay);
  const limiter = createAttemptLimiter(deps.database, deps.attemptLimits, deps.clock);
  const gate = createGate({ ...limits, maxBodyBytes: MAX_BODY_BYTES }, async (request, response, bytes) => {
    await deps.countWork?.(response, bytes);
    // Real attempts are shorter.
    if (bytes > LARGE_BODY_BYTES) limiter.refuseQueries(clientAddress(request));
  });
  const answer = createAnswer({ ...deps, clientAddress }, limiter);

  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    if (request.method !== 'POST') {
      answerOtherMethod(request, response.set('Allow', 'POST, OPTIONS'));
      return;
    }
    try {
      let isComplete = false;
      await gate(request, response, () => {
        isComplete = true;
      });
      if (isComplete) {
        const { text, isDelayed } = await answer(request, response);
        if (isDelayed) await keepBack(response);
        response.end(text);
      }
    } catch (error) {
      const refusal = asRefusal(
        error instanceof WireRefusal ? gateRefusal(error, () => limiter.countQuery(clientAddress(request))) : error,
        (cause) => onInternalError(cause, request),
      );
      if (refusal.isDelayed) await keepBack(response);
      refuse(response, refusal);
    }
  };
}

type ResolverContext = { request: Request; outcome: Outcome };

interface Answer {
  text: string | Buffer;
  isDelayed: boolean;
}

/** Executes the request's document; sets everything in the answer except its text. */
function createAnswer(
  deps: GraphqlDependencies & Required<Pick<GraphqlDependencies, 'clientAddress'>>,
  limiter: AttemptLimiter,
): (request: Request, response: Response) => Promise<Answer> {
  const { onInternalError, clientAddress } = deps;

  const countQuery = (request: Request, outcome: Outcome) => {
    if (outcome.isCounted) return;
    outcome.isCounted = true;
    limiter.countQuery(clientAddress(request));
  };

  const execute = createHandler<Request, Outcome, ResolverContext>({
    rootValue: {
      serviceVersion: deps.version,
      obtainToken: ({ input }: { input: ObtainTokenInput }, { request, outcome }: ResolverContext) => {
        outcome.isAttempt = true;
        const facts = requestFacts(request.res as Response);
        return obtainToken({ ...deps, limiter, facts }, input, clientAddress(request));
      },
    },
    context: ({ raw, context }) => ({ request: raw, outcome: context }),
    onSubscribe: ({ context: outcome, raw }, params) => {
      deps.onDocument?.(raw);
      // Refused before any further work if the text cannot be an attempt.
      if (!params.query.includes('obtainToken')) countQuery(raw, outcome);
      const answer = standardIntrospection(params.query);
      if (answer !== undefined) {
        outcome.body = answer;
        return { data: {} };
      }
      const prepared = prepareOperation(params);
      if (!('document' in prepared)) outcome.refused = 'malformed';
      return prepared;
    },
    onOperation: ({ context: outcome, raw }, _args, result) =>
      withRefusals(result, outcome, (error) => onInternalError(error, raw)),
    formatError: formatRefusal,
  });

  return async (request, response) => {
    const { method, url, headers } = request;
    const outcome: Outcome = {};
    const body = parsedBody(request);
    const [text, init] = await execute({ method, url, headers, body, raw: request, context: outcome });
    if (text === null) {
      throw new GraphqlRefusal(init.status === 415 ? 'unsupportedMediaType' : 'notAcceptable');
    }
    const { refused, isAttempt = false, isDelayed = false } = outcome;
    if (!isAttempt || refused === 'notOneCredential') countQuery(request, outcome);
    requestFacts(response).errorCode = refused && TOKEN_CODES[refused].errorCode;
    response
      .status(refused === undefined ? init.status : TOKEN_CODES[refused].status)
      .set({ ...init.headers, ...outcome.headers });
    return { text: outcome.body ?? text, isDelayed };
  };
}

function answerOtherMethod(request: Request, response: Response): void {
  if (request.method === 'OPTIONS') {
    response.status(204).end();
  } else {
    refuse(response, new GraphqlRefusal('methodNotAllowed'));
  }
}

function refuse(response: Response, { refusalName, retryAfterS }: GraphqlRefusal): void {
  if (retryAfterS !== undefined) {
    response.set('Retry-After', String(retryAfterS));
  }
  requestFacts(response).errorCode = TOKEN_CODES[refusalName].errorCode;
  response.status(TOKEN_CODES[refusalName].status).type('json').end(refusalBody(refusalName));
}

function gateRefusal({ code }: WireRefusal, countQuery: () => void): unknown {
  switch (code) {
    case 'payload_too_large':
      return counted('tooLarge', countQuery);
    case 'unsupported_media_type':
      return counted('unsupportedMediaType', countQuery);
    case 'request_timeout':
      return new GraphqlRefusal('timeout');
    case 'service_unavailable':
      return unavailable();
    default:
      return counted('malformed', countQuery);
  }
}

/** Something that is not a document costs as much as one. */
function counted(name: TokenCodeName, countQuery: () => void): unknown {
  try {
    countQuery();
    return new GraphqlRefusal(name);
  } catch (tooMany) {
    return tooMany;
  }
}
