import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { CountWork } from '../bodies/gate.ts';
import type { BodyLimits } from '../bodies/receive-body.ts';
import type { Context } from '../http/context.ts';
import type { PartThreads } from './part-threads.ts';

/** What handling a REST request needs from the app. */
export interface RestOptions {
  /** Throws if the caller is unknown. */
  authenticate: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  limits: BodyLimits;
  /** Called when the whole request has arrived. */
  countWork: CountWork;
  /** Where parts are unpacked. */
  partThreads: PartThreads;
  contextOf: (response: ServerResponse) => Context;
  logger: Logger;
}

/** A request whose path is that of a file. */
export interface FileRequest extends RestOptions {
  request: IncomingMessage;
  response: ServerResponse;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
}
