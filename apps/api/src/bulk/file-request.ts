import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppDependencies } from '../http/app-dependencies.ts';
import type { Mounting } from '../http/mounting.ts';

/** What handling a REST request needs from the app. */
export type RestOptions = Mounting & Pick<AppDependencies, 'partThreads'>;

/** A request whose path is that of a file. */
export interface FileRequest extends RestOptions {
  request: IncomingMessage;
  response: ServerResponse;
  pathParameters: Record<string, string>;
  query: URLSearchParams;
}
