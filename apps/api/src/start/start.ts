import type { Logger } from 'pino';
import type { Environment } from '../env.ts';

/** What a step needs of the ones before it, and where it leaves what is to be closed, last opened first. */
export interface Start {
  environment: Environment;
  clock: () => Date;
  logger: Logger;
  closing: (() => unknown)[];
  fail: (error: Error) => void;
}
