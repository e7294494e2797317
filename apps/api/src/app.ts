import { type Dependencies, DomainError } from '@causeway/domain';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type Express, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { Authenticator } from './authentication/authenticate.ts';
import type { Tokens } from './authentication/tokens.ts';
import { createGraphqlHandler } from './graphql/graphql-handler.ts';
import type { Admission } from './observability/admission.ts';
import { createHealthRouter, type Readiness } from './observability/health.ts';
import type { Metrics } from './observability/metrics.ts';
import { observeRequests, requestFacts } from './observability/observe-requests.ts';
import { createDocsRouter } from './rest/docs-page.ts';
import { type BodyLimits, createGate, createTrpcGate } from './rest/gate.ts';
import { createRestMount } from './rest/mount.ts';
import { createErrorHandler, noteError } from './rest/send-error.ts';
import { undocumentedFieldsHeader } from './rest/undocumented-fields-header.ts';
import { appRouter } from './router.ts';
import type { Context } from './trpc.ts';
import { trpcErrorShape } from './trpc-error.ts';

export interface AppDependencies {
  domain: Dependencies;
  authenticator: Authenticator;
  tokens: Tokens;
  metrics: Metrics;
  logger: Logger;
  readiness: Readiness;
  limits: BodyLimits;
  admission: Admission;
  /** How many proxies in front of the service are trusted to say where a request comes from. */
  trustedProxies: number;
}

/** The version of the interface: the /v1/ of its paths. */
export const API_VERSION = '1.0.0';

const LARGEST_BATCH = 50;

/** The mounts, from top to bottom: what is open, then ObtainToken, then what needs a token (design 2). */
export function createApp(dependencies: AppDependencies): Express {
  const { domain, authenticator, tokens, logger, metrics, limits } = dependencies;
  const errors = { logger, bodyTimeoutMs: limits.bodyTimeoutMs };
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', dependencies.trustedProxies);
  app.use(observeRequests({ logger, metrics }));

  app.use(createHealthRouter(dependencies.readiness));
  app.get('/metrics', metrics.handler);
  app.use(createDocsRouter());

  const { admit, countWork } = dependencies.admission;
  app.use(['/v1', '/trpc'], admit);
  app.all(
    '/v1/graphql',
    named('obtainToken'),
    createGraphqlHandler({
      ...domain,
      tokens,
      version: API_VERSION,
      bodyTimeoutMs: limits.bodyTimeoutMs,
      onInternalError: (error) => logger.error({ error }, 'obtain_token_failed'),
    }),
  );

  const authenticate: RequestHandler = async (request, response, next) => {
    requestFacts(response).actor = await authenticator.authenticate(request.headers.authorization);
    next();
  };
  const contextOf = (response: Response) => contextFor(domain, authenticator, response);
  app.use('/v1/data-import', authenticate, ...createRestMount([createGate(limits), countWork], contextOf));
  app.use(
    '/trpc',
    nameProcedure,
    authenticate,
    createTrpcGate(limits),
    countWork,
    createExpressMiddleware({
      router: appRouter,
      createContext: ({ res }) => contextOf(res),
      onError: ({ error, req }) => {
        noteError(logger, req.res as Response, error);
      },
      responseMeta: ({ ctx }) => ({ headers: ctx === undefined ? {} : undocumentedFieldsHeader(ctx.response) }),
      maxBatchSize: LARGEST_BATCH,
    }),
    // What authentication and the gate refuse, in the shape that tRPC's clients read.
    createErrorHandler(errors, (answer) => ({ error: trpcErrorShape(answer) })),
  );

  app.use(() => {
    throw new DomainError('not_found', 'Nothing is at this address: see /docs for the paths there are.');
  });
  app.use(createErrorHandler(errors));
  return app;
}

function contextFor(domain: Dependencies, authenticator: Authenticator, response: Response): Context {
  const { actor, requestId } = requestFacts(response);
  if (actor === undefined) {
    throw new Error('A procedure was reached without authentication');
  }
  return {
    ...domain,
    actor,
    requestId,
    response: { undocumentedFields: [] },
    undocumentedParameters: [],
    forgetApiKey: authenticator.forget,
  };
}

function named(procedure: string): RequestHandler {
  return (_request, response, next) => {
    requestFacts(response).procedure = procedure;
    next();
  };
}

// Only names of our own become labels: one procedure's, or that it is a batch.
const nameProcedure: RequestHandler = (request, response, next) => {
  const path = request.path.slice(1);
  requestFacts(response).procedure = Object.hasOwn(appRouter._def.procedures, path) ? path : 'trpc';
  next();
};
