import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { z } from 'zod';
import { JSON_CONTENT_TYPE } from '../answers/send-json.ts';
import type { Reply } from '../procedures/reply.ts';
import { appRouter } from '../procedures/router.ts';
import type { Route } from './routes.ts';

/** Makes the call that a request asks for, and replies to it. */
type AnswerRoute = (request: IncomingMessage, response: ServerResponse, call: () => Promise<Reply>) => Promise<void>;

/** What trpc-to-openapi is to do for a request. */
interface Answering {
  call: () => Promise<Reply>;
  reply?: Reply;
  needsLength: boolean;
}

/** A request of which it is known what is to be done. */
type RoutedRequest = IncomingMessage & { answering?: Answering };

/**
 * Mounts a route's procedure by trpc-to-openapi, on the real request and response. It gets a caller of ours, whose
 * procedure replies and never throws, and a view of the procedure without inputs: given the schemas it would coerce
 * bodies, and change the schemas to do so (behaviour 11.4).
 */
export function createAnswer({ procedurePath, method, path }: Route): AnswerRoute {
  // trpc-to-openapi splits a name at its dots.
  const name = procedurePath.replaceAll('.', '/');
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: object }>;
  const view = { _def: { ...procedures[procedurePath]?._def, inputs: NO_INPUTS, output: z.unknown() } };
  const handler = createOpenApiNodeHttpHandler({
    router: { _def: { ...appRouter._def, procedures: { [name]: view } }, createCaller } as never,
    createContext: ({ req }) => (req as RoutedRequest).answering as never,
    responseMeta: ({ ctx }) => headOf(ctx as unknown as Answering),
    // It would answer by itself, with the status of the reply.
    onError: ({ error }) => {
      throw error.cause ?? error;
    },
  });
  // An empty list would make it build a schema for each call; where it starts it refuses this one for paths with parameters.
  view._def.inputs = NOTHING;

  function createCaller(answering: Answering) {
    return {
      [name]: async () => {
        answering.reply = await answering.call();
        return answering.reply.body;
      },
    };
  }

  return async (request: RoutedRequest, response, call) => {
    const { method: sentMethod, url, httpVersionMinor } = request;
    request.answering = { call, needsLength: sentMethod === 'HEAD' || httpVersionMinor === 0 };
    // What was sent is read: HEAD is answered as GET, and any spelling of the path and of the media type is taken.
    Object.assign(request, { method, url: path });
    request.headers['content-type'] = 'application/json';
    try {
      await handler(request as never, response);
    } finally {
      Object.assign(request, { method: sentMethod, url });
    }
  };
}

const NO_INPUTS: z.ZodType[] = [];
const NOTHING = [z.void()];

function headOf({ reply, needsLength }: Answering) {
  if (reply === undefined) return {};
  const { status, headers, body } = reply;
  // Node computes the length, except for HEAD and HTTP/1.0.
  const length = needsLength ? { 'Content-Length': String(Buffer.byteLength(JSON.stringify(body))) } : undefined;
  return { status, headers: { 'Content-Type': JSON_CONTENT_TYPE, ...headers, ...length } };
}
