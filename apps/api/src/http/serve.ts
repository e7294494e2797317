import type { RequestListener } from 'node:http';
import { trpcErrorShape } from '../answers/error-bodies.ts';
import { createErrorHandler } from '../answers/send-error.ts';
import { discardUnexpectedBody } from '../bodies/discard-body.ts';
import { refusalError } from '../graphql/refusals.ts';
import { observeRequests } from '../observability/observe-requests.ts';
import { endWork } from '../overload/work.ts';
import { createRestMount } from '../rest/mount.ts';
import type { AppDependencies } from './app-dependencies.ts';
import { createKnownParties, identifyCallerWith } from './caller.ts';
import { contextFor } from './context.ts';
import { mountExpress, OPERATORS_PATHS } from './mount-express.ts';
import type { Mounting, Refuse } from './mounting.ts';
import { requestFacts } from './request-facts.ts';
import { cutConnection, readHead, waitsBehindTooMany } from './request-head.ts';

/** Matches like Express: whole segments, case-insensitive. */
function beginsWith(...paths: string[]): RegExp {
  return new RegExp(`^(?:${paths.map((path) => RegExp.escape(path)).join('|')})(?:[/?]|$)`, 'i');
}

const IS_OPERATORS = beginsWith(...OPERATORS_PATHS);
const IS_REST = beginsWith('/v1/data-import');
const IS_TRPC = beginsWith('/trpc');
/** What is below it is no GraphQL. */
const IS_GRAPHQL = /^\/v1\/graphql\/?(?:\?|$)/i;

/**
 * How every request is served (ARCHITECTURE.md): it is observed from here on, refused if its head is bad or its party
 * holds too much, or passed on: to REST, or to Express, which serves everything else.
 */
export function serveRequests(dependencies: AppDependencies): RequestListener {
  const { admission, limits, logger, trustedProxies } = dependencies;
  const refuse = createRefuse(dependencies);
  const parties = createKnownParties(dependencies.parties, trustedProxies);
  const mounting: Mounting = {
    limits,
    logger,
    authenticate: identifyCallerWith({ ...dependencies, parties }),
    contextOf: (response) => contextFor(dependencies, response),
    countWork: (response, bytes) => admission.countWork(response, bytes),
    refuse,
  };
  const rest = createRestMount({ ...dependencies, ...mounting });
  const app = mountExpress(dependencies, mounting);
  const observe = observeRequests(dependencies);
  return (request, response) => {
    if (waitsBehindTooMany(request, response)) {
      logger.info('connection_with_too_many_requests');
      return cutConnection(request);
    }
    const badHead = readHead(request);
    observe(request, response, () => {
      const url = request.url ?? '';
      const isRest = IS_REST.test(url);
      const isCall = isRest || IS_TRPC.test(url) || IS_GRAPHQL.test(url);
      discardUnexpectedBody(request, isCall, limits.bodyTimeoutMs);
      if (badHead !== undefined) return refuse(badHead, request, response);
      const party = IS_GRAPHQL.test(url) ? parties.ofAddress(request) : parties.of(request);
      requestFacts(response).party = party;
      const overload = IS_OPERATORS.test(url) ? undefined : admission.overload(party);
      if (overload !== undefined) {
        const startedAt = performance.now();
        refuse(overload, request, response);
        return admission.countRefusal(performance.now() - startedAt);
      }
      if (!isRest) return app(request, response);
      rest(request, response)
        .catch((error: unknown) => refuse(error, request, response))
        .finally(() => endWork(response))
        .catch((error: unknown) => {
          dependencies.logger.error({ error }, 'refusal_not_sent');
          response.destroy();
        });
    });
  };
}

/** In the shape of the interface that was called. */
function createRefuse({ logger, limits: { bodyTimeoutMs } }: AppDependencies): Refuse {
  const errors = { logger, bodyTimeoutMs };
  const rest = createErrorHandler(errors);
  const trpc = createErrorHandler(errors, (answer) => ({ error: trpcErrorShape(answer) }));
  const graphql = createErrorHandler(errors, ({ status }) => ({
    errors: [refusalError(status === 503 ? 'unavailable' : status < 500 ? 'malformed' : 'internal')],
  }));
  return (error, request, response) => {
    const { url = '' } = request;
    if (IS_TRPC.test(url)) trpc(error, request, response);
    else if (IS_GRAPHQL.test(url)) graphql(error, request, response);
    else rest(error, request, response);
  };
}
