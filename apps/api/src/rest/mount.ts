import { DomainError, type KeptAnswer } from '@causeway/domain';
import type { Request, RequestHandler, Response } from 'express';
import { requestFacts } from '../observability/observe-requests.ts';
import { appRouter } from '../router.ts';
import type { Context } from '../trpc.ts';
import { createAdapter } from './adapter.ts';
import { parsedBody } from './gate.ts';
import { answerIdempotently } from './idempotency.ts';
import { readInput } from './read-input.ts';
import { type Match, matchRoute, routesOf } from './routes.ts';
import { nextPageLink, streamPages } from './stream-pages.ts';
import { undocumentedFieldsHeader } from './undocumented-fields-header.ts';

/**
 * Mounts the supplier-facing procedures on their exact paths (specification 4), with and without the trailing slash,
 * as three steps: find the route (or 404, 405, the answer to OPTIONS), pass the gate, call the procedure through
 * trpc-to-openapi and render its answer. Errors go to the error handler. Authentication has run before.
 */
export function createRestMount(gate: RequestHandler[], contextOf: (response: Response) => Context): RequestHandler[] {
  const routes = routesOf(appRouter);
  const call = createAdapter();

  const findRoute: RequestHandler = (request, response, next) => {
    const match = matchRoute(routes, request.method, pathOf(request));
    if (match === undefined) {
      throw new DomainError('not_found', 'Nothing is at this address: see /docs for the paths there are.');
    }
    if ('allow' in match) {
      response.setHeader('Allow', match.allow.join(', '));
      if (request.method === 'OPTIONS') {
        response.writeHead(204).end();
        return;
      }
      throw new DomainError('method_not_allowed', `This address takes ${match.allow.join(', ')}.`);
    }
    response.locals.match = match;
    requestFacts(response).procedure = match.route.procedurePath;
    next();
  };

  const callProcedure: RequestHandler = async (request, response) => {
    const { route, pathParameters } = response.locals.match as Extract<Match, { route: unknown }>;
    const query = new URLSearchParams(request.originalUrl.slice(pathOf(request).length));
    const { input, undocumentedFields } = readInput(route, { body: parsedBody(request), query, pathParameters });
    const context = { ...contextOf(response), undocumentedParameters: undocumentedFields };
    context.response.undocumentedFields.push(...undocumentedFields);
    const restCall = { route, input, context };
    if (route.meta.streamed && input.limit === undefined) {
      return streamPages(response, restCall, call);
    }
    const answer = async (callContext: Context): Promise<KeptAnswer> => {
      const { status, json, output } = await call({ ...restCall, context: callContext });
      const link = route.meta.streamed ? nextPageLink(pathOf(request), input, output) : {};
      return { status, headers: { ...link, ...undocumentedFieldsHeader(context.response) }, body: json };
    };
    const key = request.method === 'POST' ? request.get('Idempotency-Key') : undefined;
    try {
      const { status, headers, body } = await (key === undefined
        ? answer(context)
        : answerIdempotently(key, restCall, answer));
      if (status >= 400) {
        requestFacts(response).errorCode = JSON.parse(body).code;
      }
      response
        .status(status)
        .set({ 'Content-Type': 'application/json', ...headers })
        .end(body);
    } catch (error) {
      response.set(undocumentedFieldsHeader(context.response));
      throw error;
    }
  };

  return [findRoute, ...gate, callProcedure];
}

function pathOf(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '';
}
