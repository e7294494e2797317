import type { Ending } from './exit-codes.ts';

/** What a command came to. */
export interface Result {
  /** How it ends: `done` unless said. */
  ending?: Ending;
  /** With `--json` the one document on stdout; with `--json-lines` the last event, `finished`. */
  document: object;
  /** Data for people, on stdout; absent where the command wrote its data itself. */
  lines?: readonly string[];
}
