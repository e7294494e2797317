import type { Logger } from 'pino';
import type { Environment } from '../env.ts';

/** What a step needs from the previous ones, and a stack of resources to close, last opened first. */
export interface Start {
  environment: Environment;
  clock: () => Date;
  logger: Logger;
  closing: (() => unknown)[];
  fail: (error: Error) => void;
}
