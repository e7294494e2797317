import type { Readable } from 'node:stream';

/** A stream that is written to; `columns` and `isTTY` where it is a terminal. */
export interface Sink {
  /** False: `drain` comes when there is room again. */
  write(text: string): unknown;
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** All that a command sees of the process that runs it, so that tests run it in their own. */
export interface Surroundings {
  /** The environment's variables. */
  variables: Readonly<Record<string, string | undefined>>;
  /** Relative paths are resolved against it. */
  directory: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Sink;
  stderr: Sink;
  /** Aborted by Ctrl-C or SIGTERM: a command then ends with what it has reached. */
  stop: AbortSignal;
  now(): Date;
}
