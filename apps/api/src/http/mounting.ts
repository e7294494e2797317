import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CountWork } from '../bodies/gate.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { IdentifyCaller } from './caller.ts';
import type { Context } from './context.ts';

/** Answers a request that is refused, or that failed. */
export type Refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) => void;

/** What the interfaces share. */
export interface Mounting extends Pick<AppDependencies, 'limits' | 'logger'> {
  authenticate: IdentifyCaller;
  contextOf: (response: ServerResponse) => Context;
  /** Called when the whole request has arrived. */
  countWork: CountWork;
  refuse: Refuse;
}
