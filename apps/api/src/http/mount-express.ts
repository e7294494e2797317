import { ERROR_PAGE } from '@causeway/contracts';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createGraphqlHandler } from '../graphql/graphql-handler.ts';
import { createProxyWarning } from '../graphql/warn-of-proxy.ts';
import { createHealthRouter } from '../health/health.ts';
import { createDocsRouter } from '../openapi/docs-page.ts';
import { endWork } from '../overload/work.ts';
import { createKeySetRouter, KEY_SET_PATH } from '../reports/report-keys.ts';
import { API_VERSION } from '../rest/api-version.ts';
import { createTrpcMount } from '../trpc/mount.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Mounting } from './mounting.ts';
import { requestFacts, requestIds } from './request-facts.ts';
import { WireRefusal } from './wire-refusal.ts';

/** These stay available to operators under any load. */
export const OPERATORS_PATHS = ['/healthz', '/readyz', '/metrics'];
const OPEN_PATHS = [...OPERATORS_PATHS, '/docs', ERROR_PAGE, '/openapi.json', KEY_SET_PATH, '/cli'];

/** What Express serves: the public pages, ObtainToken, and tRPC for internal tools. */
export function mountExpress(dependencies: AppDependencies, mounting: Mounting): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', dependencies.trustedProxies);
  // First: each router that a request passes by costs a turn of the event loop.
  app.all('/v1/graphql', working(graphqlHandler(dependencies, mounting)));
  app.use('/trpc', working(createTrpcMount({ ...dependencies, ...mounting })));
  mountOpenPaths(app, dependencies);
  app.use(() => {
    throw new WireRefusal('not_found', 'No such path: see /docs.');
  });
  // Express knows it by its fourth parameter.
  // biome-ignore lint/complexity/useMaxParams: Express counts them
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    // Express has cut it to the part below a mount.
    request.url = request.originalUrl;
    mounting.refuse(error, request, response);
  };
  app.use(onError);
  return app;
}

/** When it ends, its work ends, even if the client has disconnected. */
function working(handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handler(request, response, next);
    } finally {
      endWork(response);
    }
  };
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

function graphqlHandler({ domain, logger, ...dependencies }: AppDependencies, { countWork }: Mounting): RequestHandler {
  const { tokens, limitsOfUnknown, attemptLimits, trustedProxies } = dependencies;
  const handle = createGraphqlHandler({
    ...domain,
    tokens,
    version: API_VERSION,
    limits: limitsOfUnknown,
    attemptLimits,
    countWork,
    onDocument: createProxyWarning(trustedProxies, domain.clock, () =>
      logger.warn('X-Forwarded-For arrives and TRUSTED_PROXIES is 0: all clients behind the proxy share one limit'),
    ),
    onInternalError: (error, { res }) =>
      logger.error({ ...(res && requestIds(requestFacts(res))), error }, 'obtain_token_failed'),
  });
  return (request, response, next) => {
    requestFacts(response).procedure = 'obtainToken';
    return handle(request, response, next);
  };
}
