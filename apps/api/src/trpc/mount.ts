import { TRPCError } from '@trpc/server';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import type { Request, RequestHandler, Response } from 'express';
import { errorBodyOf } from '../answers/error-bodies.ts';
import { nextPageHeaders, noteHeaders } from '../answers/reply-headers.ts';
import { noteError } from '../answers/send-error.ts';
import { LATE_BODY_MS, receiveTrpcInput } from '../bodies/gate.ts';
import type { AppDependencies } from '../http/app-dependencies.ts';
import type { Context, ResponseNotes } from '../http/context.ts';
import type { Mounting } from '../http/mounting.ts';
import { requestFacts } from '../http/request-facts.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { endWork } from '../overload/work.ts';
import { call } from '../procedures/call.ts';
import { proceduresOf, type TrpcContext } from '../procedures/procedure.ts';
import { type Reply, refused } from '../procedures/reply.ts';
import { appRouter } from '../procedures/router.ts';
import { createBatch, refuseLargeBatch } from './batches.ts';

/** What handling a tRPC request needs from the app. */
export type TrpcMountOptions = Mounting & Pick<AppDependencies, 'admission'>;

/**
 * Calls the procedures for internal tools: authenticate the caller, read the whole input, pass it to tRPC. The promise
 * resolves when tRPC has ended its answer, whether or not the client is still connected. Errors go to the error
 * handler.
 */
export function createTrpcMount(options: TrpcMountOptions): RequestHandler {
  const { authenticate, limits, countWork, contextOf, logger } = options;
  const callProcedures = (req: Request, res: Response): Promise<void> => {
    const over = untilAnswered(res);
    void nodeHTTPRequestHandler<typeof appRouter, Request, Response>({
      req,
      res,
      path: req.path.slice(1),
      router: appRouter,
      createContext: ({ info }) => {
        const context = { ...contextOf(res), idempotencyKey: req.get('Idempotency-Key') };
        if (info.calls.length === 1) return answering(context, (start) => start());
        const inBatch = createBatch(() => enterAgain(options, req, res));
        return answering({ ...context, batched: true, noteSubject: undefined }, inBatch);
      },
      onError: ({ error }) => noteError(logger, res, error),
      responseMeta: ({ ctx, errors }) => ({
        headers: {
          // tRPC sets no type if it refuses the whole request.
          'Content-Type': 'application/json',
          ...(ctx && { ...noteHeaders(ctx.response), ...ctx.response.keptHeaders }),
          ...(ctx && !ctx.batched && nextPageHeaders(ctx.response, (page) => addressOf(req, page))),
          ...errors.map((error) => errorBodyOf(error).headers)[0],
        },
      }),
    });
    return over;
  };
  return async (request, response) => {
    const paths = calledPaths(request);
    nameProcedure(response, paths);
    await authenticate(request, response);
    refuseOtherMethods(request, response, paths);
    refuseLargeBatch(paths.length);
    const receivedFrom = performance.now();
    if (!(await receiveTrpcInput(request, response, { limits, countWork }))) return;
    if (performance.now() - receivedFrom > LATE_BODY_MS) await authenticate(request, response);
    await callProcedures(request, response);
  };
}

const procedures = proceduresOf(appRouter);

/** Lets a context answer the calls of its request, each in its turn. */
function answering(context: Context, inTurn: (start: () => Promise<Reply>) => Promise<Reply>): TrpcContext {
  return {
    ...context,
    async answer(path, getInput) {
      const procedure = procedures.get(path);
      if (procedure === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
      try {
        // There is no await before this: the calls of a batch take their places in the order of their arrival here.
        const reply = await inTurn(async () => call(procedure, await getInput(), context));
        if (reply.isKept) context.response.keptHeaders = reply.headers;
        return reply;
      } catch (error) {
        // What tRPC refuses by itself is its input, which it cannot read.
        if (error instanceof TRPCError) throw error;
        return refused(procedure, error);
      }
    },
  };
}

/** The address of the same call, of one procedure, for another page. */
function addressOf({ baseUrl, url }: Request, position: NonNullable<ResponseNotes['nextPage']>): string {
  const address = new URL(url, 'http://of.this.service');
  const { searchParams } = address;
  const input = JSON.parse(searchParams.get('input') ?? '{}');
  const next = searchParams.has('batch') ? { 0: { ...input[0], ...position } } : { ...input, ...position };
  searchParams.set('input', JSON.stringify(next));
  return `${baseUrl}${address.pathname}${address.search}`;
}

/** Another call of the same request starts: it counts as work of its own, and can be refused like a new request. */
async function enterAgain(
  { admission, authenticate }: Pick<TrpcMountOptions, 'admission' | 'authenticate'>,
  request: Request,
  response: Response,
): Promise<void> {
  endWork(response);
  if (response.destroyed) throw clientLeft();
  await authenticate(request, response);
  const refusal = admission.overload(requestFacts(response).party);
  if (refusal !== undefined) throw refusal;
  await admission.countWork(response);
  if (!response.destroyed) return;
  endWork(response);
  throw clientLeft();
}

/** There is no answer to send; the log attributes it to the client. */
function clientLeft(): WireRefusal {
  return new WireRefusal('request_timeout', 'The client left. Nothing was processed.');
}

/**
 * Resolves when tRPC has ended its answer. tRPC's own promise resolves when the answer has been sent, and waits for the
 * client to read: neither happens if the client has disconnected.
 */
function untilAnswered(response: Response): Promise<void> {
  const { write, end } = response;
  return new Promise((resolve) => {
    response.write = (...all: unknown[]) => Reflect.apply(write, response, all) || response.destroyed;
    response.end = (...all: unknown[]) => {
      resolve();
      return Reflect.apply(end, response, all);
    };
  });
}

function refuseOtherMethods(request: Request, response: Response, paths: readonly string[]): void {
  // tRPC refuses a GET of a mutation itself, but answers every HEAD with 204.
  if (request.method === 'HEAD' && paths.some(isMutation)) {
    response.setHeader('Allow', 'POST');
    throw new WireRefusal('method_not_allowed', 'This procedure does not take this method.');
  }
  if (['GET', 'HEAD', 'POST'].includes(request.method)) return;
  response.setHeader('Allow', 'GET, HEAD, POST');
  throw new WireRefusal('method_not_allowed', 'This address takes GET, HEAD, POST.');
}

/** The procedures that a tRPC request calls: one, or those of a batch. */
function calledPaths(request: Request): string[] {
  return decodeURIComponent(request.path).slice(1).split(',');
}

function isMutation(path: string): boolean {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
  return Object.hasOwn(procedures, path) && procedures[path]?._def.type === 'mutation';
}

// Only our own names become labels and are logged: a procedure's, or the fact that it is a batch.
function nameProcedure(response: Response, paths: readonly string[]): void {
  if (paths.every((path) => Object.hasOwn(appRouter._def.procedures, path))) {
    requestFacts(response).procedure = paths.length === 1 ? String(paths[0]) : 'batch';
  }
}
