import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { addUndocumentedFields, nextPageHeaders, noteHeaders, undocumentedNames } from '../answers/reply-headers.ts';
import { noteError } from '../answers/send-error.ts';
import { LATE_BODY_MS, readObject } from '../bodies/gate.ts';
import { Pieces } from '../bodies/pieces.ts';
import { receiveBody } from '../bodies/receive-body.ts';
import type { RestOptions } from '../bulk/file-request.ts';
import { FILE_ROUTES } from '../bulk/file-routes.ts';
import type { Context } from '../http/context.ts';
import { requestFacts } from '../http/request-facts.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { call } from '../procedures/call.ts';
import type { Reply } from '../procedures/reply.ts';
import { appRouter } from '../procedures/router.ts';
import { createAnswer } from './answer-route.ts';
import { readInput } from './read-input.ts';
import { type Match, matchRoute, type Route, routesOf } from './routes.ts';
import { isWholeList, pageOf, type RestCall, streamPages } from './stream-pages.ts';

const NO_BODY = new Pieces();
const NO_QUERY = new URLSearchParams();

/**
 * Handles the requests of suppliers on their exact paths (behaviour 4), with and without the trailing slash: identify
 * the caller (not for OPTIONS), find the route (or 404, 405, the answer to OPTIONS), read the body, call the procedure,
 * reply. What is refused before the call is thrown.
 */
export function createRestMount(options: RestOptions) {
  const mounted = routesOf(appRouter).map((route) => ({ ...route, answer: createAnswer(route) }));
  const routes = [...mounted, ...FILE_ROUTES];
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A preflight has no token, and is told what the document tells everybody.
    if (request.method !== 'OPTIONS') await options.authenticate(request, response);
    const { path, query } = targetOf(request);
    const match = matchRoute(routes, request.method ?? '', path);
    if (match === undefined) {
      throw new WireRefusal('not_found', 'No such path: see /docs.');
    }
    if ('allow' in match) return refuseMethod(request, response, match.allow);
    const { route, pathParameters } = match;
    requestFacts(response).procedure = route.procedurePath;
    if ('serve' in route) return route.serve({ ...options, request, response, pathParameters, query });
    const body = await bodyOf(route, { request, response }, options);
    if (body === undefined) return;
    const restCall = callOf(request, { route, pathParameters, body, query, context: options.contextOf(response) });
    const noted = { path, response, logger: options.logger };
    if (!isWholeList(restCall)) return route.answer(request, response, () => replyTo(restCall, noted));
    const firstPage = await replyTo(pageOf(restCall, {}), noted);
    if (firstPage.refusal === undefined) return streamPages(response, restCall, firstPage);
    await route.answer(request, response, async () => firstPage);
  };
}

/** Answers OPTIONS; throws `method_not_allowed` for the rest. */
function refuseMethod(request: IncomingMessage, response: ServerResponse, allow: string[]): void {
  response.setHeader('Allow', allow.join(', '));
  if (request.method !== 'OPTIONS') {
    throw new WireRefusal('method_not_allowed', `This address takes ${allow.join(', ')}.`);
  }
  response.writeHead(204).end();
}

/** The JSON object of the request, once all of it is there; undefined if the client has gone away. */
async function bodyOf(
  { method }: Route,
  { request, response }: Exchange,
  { limits, countWork, authenticate }: RestOptions,
): Promise<Record<string, unknown> | undefined> {
  const receivedFrom = performance.now();
  const pieces = method === 'POST' ? await receiveBody(request, response, limits) : NO_BODY;
  if (pieces === undefined) return undefined;
  const turn = countWork(response, pieces.bytes);
  if (turn !== undefined) await turn;
  if (response.destroyed) return undefined;
  if (performance.now() - receivedFrom > LATE_BODY_MS) await authenticate(request, response);
  return pieces === NO_BODY ? {} : readObject(pieces, response, limits);
}

/** A request and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Received extends Pick<Extract<Match, { route: Route }>, 'route' | 'pathParameters'> {
  body: Record<string, unknown>;
  query: URLSearchParams;
  context: Context;
}

function callOf({ headers }: IncomingMessage, { route, pathParameters, body, query, context }: Received): RestCall {
  const { input, undocumentedFields } = readInput(route, { body, query, pathParameters });
  const key = headers['idempotency-key'];
  if (typeof key === 'string') context.idempotencyKey = key;
  context.undocumentedParameters = undocumentedFields;
  addUndocumentedFields(context.response, undocumentedNames(undocumentedFields));
  return { route, input, context };
}

/** The reply to a call, with all its headers; never throws. A refusal is in the request's log line. */
async function replyTo(
  { route, input, context }: RestCall,
  { path, response, logger }: { path: string; response: ServerResponse; logger: Logger },
): Promise<Reply> {
  const reply = await call(route.procedure, input, context);
  if (reply.refusal !== undefined) noteError(logger, response, reply.refusal);
  if (reply.isKept) return reply;
  const { limit } = input as { limit?: number };
  const next = nextPageHeaders(context.response, (page) => `${path}?${queryOf({ limit, ...page })}`);
  return { ...reply, headers: { ...reply.headers, ...next, ...noteHeaders(context.response) } };
}

function queryOf(input: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

function targetOf({ url = '' }: IncomingMessage): { path: string; query: URLSearchParams } {
  const end = url.indexOf('?');
  return end === -1
    ? { path: url, query: NO_QUERY }
    : { path: url.slice(0, end), query: new URLSearchParams(url.slice(end)) };
}
