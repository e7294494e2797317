import type { AnyProcedure } from '@trpc/server';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';
import { appRouter } from '../procedures/router.ts';
import type { Context } from '../request/context.ts';
import { prepareProcedure } from './prepare-procedure.ts';
import type { Route } from './routes.ts';

/** One call of a procedure over REST: its route, its input and its caller. */
export interface RestCall {
  route: Route;
  input: unknown;
  context: Context;
}

/** The procedure's answer, for the mount to render: its output as a value and as JSON text. */
export interface RestAnswer {
  status: number;
  json: string;
  output?: unknown;
}

interface AdapterContext {
  call: RestCall;
  answer: RestAnswer;
  error?: unknown;
}

/**
 * trpc-to-openapi, used only to call a procedure that the mount has found. It sees a view of each procedure by itself,
 * since it would look through the paths of all of them, and without inputs, because it would coerce bodies and mutate the
 * schemas to do so (behaviour 11.4); the mount supplies the input. An error of the procedure is thrown, not rendered.
 */
export function createAdapter(routes: readonly Route[]): (call: RestCall) => Promise<RestAnswer> {
  const handlers = new Map(routes.map((route) => [route, createHandler(route)]));
  return async (call) => {
    const answer: RestAnswer = { status: call.route.meta.successStatus ?? 200, json: '' };
    const context: AdapterContext = { call, answer };
    const handle = handlers.get(call.route);
    if (handle === undefined) throw new Error(`No procedure is mounted at ${call.route.path}`);
    await handle(new AdapterRequest(context) as never, new AdapterResponse(answer) as never);
    if (context.error !== undefined) {
      throw context.error;
    }
    answer.status = call.context.response.status ?? answer.status;
    return answer;
  };
}

function createHandler({ procedurePath: path }: Route) {
  const procedure = procedures[path] as AnyProcedure;
  const run = prepareProcedure(procedure, path);
  const view = { _def: { ...procedure._def, inputs: noInputs, output: anyOutput } };
  // trpc-to-openapi splits a name at its dots, and puts it into what it says of the procedure.
  const name = path.replaceAll('.', '/');
  const createCaller = ({ call, answer }: AdapterContext) => ({
    [name]: async () => {
      answer.output = await run({ ctx: call.context, input: call.input });
      return answer.output;
    },
  });
  const handler = createOpenApiNodeHttpHandler({
    router: { _def: { ...appRouter._def, procedures: { [name]: view } }, createCaller } as never,
    createContext: ({ req }) => (req as unknown as AdapterRequest).context as never,
    onError: ({ req, error }) => {
      (req as unknown as AdapterRequest).context.error = error;
    },
  });
  view._def.inputs = NOTHING;
  return handler;
}

const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>;
const noInputs: z.ZodType[] = [];
// It asks for a schema where it starts, and parses no output with it.
const anyOutput = z.unknown();
// Where there are no inputs the adapter builds an empty schema for each call (docs/decisions/0014). Its check at the
// start refuses this one where a path has parameters: it takes its place after that.
const NOTHING = [z.void()];

const JSON_HEADERS = new Headers({ 'content-type': 'application/json' });
const NEVER_ABORTED = new AbortController().signal;

/**
 * As little of a request as the adapter reads. It takes an `instanceof Request` as it is, and would otherwise build
 * one per call for its abort signal (docs/decisions/0014). The body was read by the gate: a body left on it would be
 * serialised and parsed again.
 */
class AdapterRequest {
  readonly method: string;
  readonly url: string;
  readonly headers = JSON_HEADERS;
  readonly signal = NEVER_ABORTED;
  readonly body = undefined;
  readonly query = {};
  readonly context: AdapterContext;

  constructor(context: AdapterContext) {
    this.method = context.call.route.method;
    this.url = context.call.route.path;
    this.context = context;
  }
}
Object.setPrototypeOf(AdapterRequest.prototype, Request.prototype);

/** Receives the answer's text; the mount renders it with the procedure's status. */
class AdapterResponse {
  statusCode = 200;
  readonly #answer: RestAnswer;

  constructor(answer: RestAnswer) {
    this.#answer = answer;
  }

  setHeader(): void {}

  end(json: string): void {
    this.#answer.json = json;
  }
}
