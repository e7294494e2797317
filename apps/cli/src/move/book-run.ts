import type { Book } from '../book-files/book.ts';
import type { Caller } from './caller.ts';
import type { Checkpoint } from './checkpoint/checkpoint.ts';
import type { MoveOptions } from './moved.ts';
import type { Tally } from './tally.ts';

/** What a run of one book works with. */
export interface BookRun {
  book: Book;
  checkpoint: Checkpoint;
  caller: Caller;
  tally: Tally;
  /** Lines that an earlier run has moved and that are to be moved again. */
  again: Set<number>;
  options: MoveOptions & {
    supplierSettings: { undo_hours: number; empty_means_omitted: boolean; zero_amounts: 'KEEP' | 'OMIT' };
    linesPerSecond: number | undefined;
  };
  /** Whether so many refused lines end the run. */
  isTooMuch(tally: Tally): boolean;
  /** Aborted by the user: no line is begun any more. */
  stop: AbortSignal;
  /** Aborted here, when the run cannot continue. */
  halt: AbortController;
}
