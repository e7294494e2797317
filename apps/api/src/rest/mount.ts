import type { KeptAnswer } from '@causeway/domain';
import type { Request, RequestHandler, Response } from 'express';
import { nextPageHeaders } from '../answers/next-page.ts';
import { sendJson } from '../answers/send-json.ts';
import {
  addUndocumentedFields,
  undocumentedFieldsHeader,
  undocumentedNames,
} from '../answers/undocumented-fields-header.ts';
import { type CountWork, LATE_BODY_MS, readObject } from '../bodies/gate.ts';
import { Pieces } from '../bodies/pieces.ts';
import { type BodyLimits, receiveBody } from '../bodies/receive-body.ts';
import { FILE_ROUTES, serveFile } from '../bulk/file-routes.ts';
import type { PartThreads } from '../bulk/part-threads.ts';
import { appRouter } from '../procedures/router.ts';
import type { Context } from '../request/context.ts';
import { requestFacts } from '../request/request-facts.ts';
import { WireRefusal } from '../request/wire-refusal.ts';
import { createAdapter, type RestAnswer, type RestCall } from './adapter.ts';
import { readInput } from './read-input.ts';
import { matchRoute, type Route, routesOf } from './routes.ts';
import { isWholeList, streamPages } from './stream-pages.ts';

/** What handling a REST request needs from the app. */
export interface RestMountOptions {
  /** Throws if the caller is unknown. */
  authenticate: (request: Request, response: Response) => Promise<void>;
  limits: BodyLimits;
  /** Called when the whole request has arrived. */
  countWork: CountWork;
  /** Where parts are unpacked. */
  partThreads: PartThreads;
  contextOf: (response: Response) => Context;
}

const NO_BODY = new Pieces();
const NO_QUERY = new URLSearchParams();

/**
 * Mounts the supplier-facing procedures on their exact paths (behaviour 4), with and without the trailing slash:
 * authenticate the caller (not for OPTIONS), find the route (or 404, 405, the answer to OPTIONS), pass the gate, call
 * the procedure through trpc-to-openapi and render its answer. Errors go to the error handler. It is one handler,
 * because each Express layer costs a path match.
 */
export function createRestMount(options: RestMountOptions): RequestHandler {
  const procedureRoutes = routesOf(appRouter);
  const routes = [...procedureRoutes, ...FILE_ROUTES];
  const call = createAdapter(procedureRoutes);
  return async (request, response) => {
    // A preflight has no token, and is told what the document tells everybody.
    if (request.method !== 'OPTIONS') await options.authenticate(request, response);
    const path = pathOf(request);
    const match = matchRoute(routes, request.method, path);
    if (match === undefined) {
      throw new WireRefusal('not_found', 'Nothing is at this address: see /docs for the paths there are.');
    }
    if ('allow' in match) {
      refuseMethod(request, response, match.allow);
      return;
    }
    const { route } = match;
    requestFacts(response).procedure = route.procedurePath;
    if ('serve' in route) {
      return serveFile(route, { ...options, request, response, pathParameters: match.pathParameters });
    }
    const receivedFrom = performance.now();
    const pieces = route.method === 'POST' ? await receiveBody(request, response, options.limits) : NO_BODY;
    if (pieces === undefined) {
      return;
    }
    const turn = options.countWork(response, pieces.bytes);
    if (turn !== undefined) {
      await turn;
    }
    if (response.destroyed) return;
    if (performance.now() - receivedFrom > LATE_BODY_MS) {
      await options.authenticate(request, response);
    }
    const body = pieces === NO_BODY ? {} : await readObject(pieces, response);
    if (body === undefined) {
      return;
    }
    const restCall = callOf(request, { match: { ...match, route }, path, body, context: options.contextOf(response) });
    try {
      if (isWholeList(restCall)) {
        await streamPages(response, restCall, call);
      } else {
        render(response, await answerCall(request, restCall, call));
      }
    } catch (error) {
      const { kept } = restCall.context.response;
      if (kept !== undefined) return render(response, kept);
      if (!response.headersSent) {
        response.set(undocumentedFieldsHeader(restCall.context.response));
      }
      throw error;
    }
  };
}

/** Answers OPTIONS; throws `method_not_allowed` for the rest. */
function refuseMethod(request: Request, response: Response, allow: string[]): void {
  response.setHeader('Allow', allow.join(', '));
  if (request.method !== 'OPTIONS') {
    throw new WireRefusal('method_not_allowed', `This address takes ${allow.join(', ')}.`);
  }
  response.writeHead(204).end();
}

interface Received {
  match: { route: Route; pathParameters: Record<string, string> };
  path: string;
  body: Record<string, unknown>;
  context: Context;
}

function callOf(request: Request, { match, path, body, context }: Received): RestCall {
  const { route, pathParameters } = match;
  const text = request.originalUrl.slice(path.length);
  const query = text === '' ? NO_QUERY : new URLSearchParams(text);
  const { input, undocumentedFields } = readInput(route, { body, query, pathParameters });
  const key = request.headers['idempotency-key'];
  if (typeof key === 'string') context.idempotencyKey = key;
  context.undocumentedParameters = undocumentedFields;
  addUndocumentedFields(context.response, undocumentedNames(undocumentedFields));
  return { route, input, context };
}

async function answerCall(
  request: Request,
  restCall: RestCall,
  call: (restCall: RestCall) => Promise<RestAnswer>,
): Promise<KeptAnswer> {
  const { input, context } = restCall;
  const { status, json } = await call(restCall);
  if (context.response.kept !== undefined) return context.response.kept;
  const { limit } = input as { limit?: number };
  const next = nextPageHeaders(context.response, (page) => `${pathOf(request)}?${queryOf({ limit, ...page })}`);
  return { status, headers: { ...next, ...undocumentedFieldsHeader(context.response) }, body: json };
}

function queryOf(input: Record<string, string | number | undefined>): URLSearchParams {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

function render(response: Response, answer: KeptAnswer): void {
  if (answer.status >= 400) {
    requestFacts(response).errorCode = JSON.parse(answer.body).code;
  }
  sendJson(response, answer);
}

function pathOf(request: Request): string {
  const end = request.originalUrl.indexOf('?');
  return end === -1 ? request.originalUrl : request.originalUrl.slice(0, end);
}
