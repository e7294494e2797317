import type { RequestListener, ServerResponse } from 'node:http';
import { ERROR_PAGE } from '@causeway/contracts';
import type { Dependencies, SignReport, WebhookSettings } from '@causeway/domain';
import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { createErrorHandler, type ErrorAnswerer } from './answers/send-error.ts';
import { trpcErrorShape } from './answers/trpc-errors.ts';
import { discardUnexpectedBody } from './bodies/discard-body.ts';
import type { BodyLimits } from './bodies/receive-body.ts';
import { takeTurn } from './bodies/take-turn.ts';
import type { PartThreads } from './bulk/part-threads.ts';
import type { AttemptLimits } from './graphql/attempt-limiter.ts';
import { createGraphqlHandler } from './graphql/graphql-handler.ts';
import { refusalError } from './graphql/refusals.ts';
import { createProxyWarning } from './graphql/warn-of-proxy.ts';
import { createHealthRouter, type Readiness } from './health/health.ts';
import { beginsWith, named, working } from './layers.ts';
import type { Metrics } from './observability/metrics.ts';
import { observeRequests } from './observability/observe-requests.ts';
import type { Tracing } from './observability/tracing.ts';
import { createDocsRouter } from './openapi/docs-page.ts';
import type { Admission } from './overload/admission.ts';
import type { Connections } from './overload/connections.ts';
import type { FairShare } from './overload/fair-share.ts';
import { createParties } from './overload/parties.ts';
import { createKeySetRouter, KEY_SET_PATH } from './reports/key-set.ts';
import type { Authenticator } from './request/authenticate.ts';
import type { Context } from './request/context.ts';
import { identifyCallerWith } from './request/identify-caller.ts';
import { requestFacts, requestIds } from './request/request-facts.ts';
import { readHead } from './request/request-head.ts';
import type { Tokens } from './request/tokens.ts';
import { WireRefusal } from './request/wire-refusal.ts';
import { API_VERSION } from './rest/api-version.ts';
import { createRestMount } from './rest/mount.ts';
import { createTrpcMount } from './trpc/mount.ts';

export interface AppDependencies {
  domain: Dependencies;
  authenticator: Authenticator;
  tokens: Tokens;
  signReport: SignReport;
  webhooks: WebhookSettings;
  metrics: Metrics;
  tracing: Tracing;
  logger: Logger;
  readiness: Readiness;
  limits: BodyLimits;
  partThreads: PartThreads;
  attemptLimits: AttemptLimits;
  admission: Admission;
  connections: Connections;
  /** The limit for all bodies of callers that are not authenticated yet. */
  heldOfUnknown: FairShare;
  /** Whether another server serves them, on its own port. */
  hidesMetrics: boolean;
  /** The number of trusted reverse proxies. */
  trustedProxies: number;
}

/** These stay available to operators under any load. */
const OPERATORS_PATHS = ['/healthz', '/readyz', '/metrics'];
const OPEN_PATHS = [...OPERATORS_PATHS, '/docs', ERROR_PAGE, '/openapi.json', KEY_SET_PATH, '/cli'];
const [IS_OPERATORS, IS_REST, IS_TRPC, IS_GRAPHQL] = [
  beginsWith(...OPERATORS_PATHS),
  beginsWith('/v1/data-import'),
  beginsWith('/trpc'),
  beginsWith('/v1/graphql'),
];

/**
 * How a request is handled: it is observed, refused under overload, or passed on: to REST, or to Express, which serves
 * everything else.
 */
export function createApp(dependencies: AppDependencies): RequestListener {
  const { admission, logger, metrics, tracing, limits } = dependencies;
  const errors = { logger, bodyTimeoutMs: limits.bodyTimeoutMs };
  const answers: Answers = {
    rest: createErrorHandler(errors),
    graphql: createErrorHandler(errors, ({ status }) => ({
      errors: [refusalError(status === 503 ? 'unavailable' : status < 500 ? 'malformed' : 'internal')],
    })),
    trpc: createErrorHandler(errors, (answer) => ({ error: trpcErrorShape(answer) })),
  };
  const parties = createParties(dependencies.trustedProxies);
  const authenticate = identifyCallerWith({ ...dependencies, parties });
  const contextOf = (response: ServerResponse) => contextFor(dependencies, response);
  const rest = createRestMount({ ...dependencies, countWork: admission.countWork, authenticate, contextOf });
  const app = mountAll(dependencies, { authenticate, contextOf, answers });
  const observe = observeRequests({ logger, metrics, tracing });
  return (request, response) => {
    const badHead = readHead(request);
    observe(request, response, () => {
      const url = request.url ?? '';
      discardUnexpectedBody(request, limits.bodyTimeoutMs);
      if (badHead !== undefined) {
        answers[interfaceOf(url)](badHead, request, response, undefined);
        return;
      }
      const party = IS_GRAPHQL.test(url) ? parties.ofAddress(request) : parties.of(request);
      requestFacts(response).party = party;
      const overload = IS_OPERATORS.test(url) ? undefined : admission.overload(party);
      if (overload === undefined) {
        if (!IS_REST.test(url)) return app(request, response);
        void rest(request, response)
          .catch((error) => answers.rest(error, request, response, undefined))
          .finally(() => requestFacts(response).endWork?.());
        return;
      }
      const startedAt = performance.now();
      answers[interfaceOf(url)](overload, request, response, undefined);
      admission.countRefusal(performance.now() - startedAt);
    });
  };
}

/** By the shape of an error. */
type Answers = Record<'rest' | 'graphql' | 'trpc', ErrorAnswerer>;

function interfaceOf(url: string): keyof Answers {
  if (IS_TRPC.test(url)) return 'trpc';
  return IS_GRAPHQL.test(url) ? 'graphql' : 'rest';
}

interface Mounting {
  authenticate: ReturnType<typeof identifyCallerWith>;
  contextOf: (response: ServerResponse) => Context;
  answers: Answers;
}

/** What Express serves: the public pages, ObtainToken, and tRPC for internal tools (ARCHITECTURE.md). */
function mountAll(dependencies: AppDependencies, { authenticate, contextOf, answers }: Mounting): Express {
  const { logger, limits, admission } = dependencies;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', dependencies.trustedProxies);
  mountOpenPaths(app, dependencies);
  app.all('/v1/graphql', named('obtainToken'), working(graphqlHandler(dependencies)), answers.graphql);
  app.use('/trpc', working(createTrpcMount({ authenticate, limits, admission, contextOf, logger })), answers.trpc);
  app.use(() => {
    throw new WireRefusal('not_found', 'Nothing is at this address: see /docs for the paths there are.');
  });
  app.use(answers.rest);
  return app;
}

function mountOpenPaths(app: Express, { domain, readiness, metrics, hidesMetrics }: AppDependencies): void {
  app.use(createHealthRouter(readiness));
  if (!hidesMetrics) app.get('/metrics', metrics.handler);
  app.use(createDocsRouter(), createKeySetRouter(domain));
  const openPaths = OPEN_PATHS.filter((path) => !(hidesMetrics && path === '/metrics'));
  app.all(openPaths, (_request, response) => {
    response.setHeader('Allow', 'GET, HEAD');
    throw new WireRefusal('method_not_allowed', 'This address takes GET, HEAD.');
  });
}

function graphqlHandler({ domain, logger, ...dependencies }: AppDependencies): RequestHandler {
  const { tokens, limits, attemptLimits, admission, heldOfUnknown, trustedProxies } = dependencies;
  return createGraphqlHandler({
    ...domain,
    tokens,
    version: API_VERSION,
    bodyTimeoutMs: limits.bodyTimeoutMs,
    attemptLimits,
    countWork: admission.countWork,
    held: heldOfUnknown,
    onDocument: createProxyWarning(trustedProxies, domain.clock, () =>
      logger.warn('X-Forwarded-For arrives and TRUSTED_PROXIES is 0: all clients behind the proxy share one limit'),
    ),
    onInternalError: (error, { res }) =>
      logger.error({ ...(res && requestIds(requestFacts(res))), error }, 'obtain_token_failed'),
  });
}

/** What a large answer counts as: a body of this size. */
const LARGE_ANSWER_BYTES = 1_000_000;

function contextFor(dependencies: AppDependencies, response: ServerResponse): Context {
  const { domain, authenticator, admission, connections, signReport, webhooks } = dependencies;
  const facts = requestFacts(response);
  const { actor, requestId, callerRequestId, party = '' } = facts;
  if (actor === undefined) {
    throw new Error('A procedure was reached without authentication');
  }
  return {
    ...domain,
    database: connections.databaseOf(party),
    waitOutside: (wait) => admission.waitWithoutWork(response, wait),
    countAsLarge: async () => admission.countWork(response, LARGE_ANSWER_BYTES),
    waitForTurn: () => takeTurn(facts),
    nextStep: facts.nextStep,
    actor,
    requestId,
    callerRequestId,
    response: {},
    noteSubject(subject) {
      facts.subject = subject;
    },
    undocumentedParameters: [],
    signReport,
    webhooks,
    forgetApiKey: authenticator.forget,
  };
}
