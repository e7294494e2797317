import { setTimeout as wait } from 'node:timers/promises';
import { failedRow, partsOfLine } from '@causeway/book';
import type { ErrorCode } from '@causeway/contracts';
import { MAX_LINE_BYTES } from '../book-files/book.ts';
import type { BookRun } from './book-run.ts';
import { Halted } from './caller.ts';
import type { Reached } from './checkpoint/checkpoint.ts';
import { NO_MONEY } from './money.ts';
import { moveLine } from './move-line.ts';
import type { Moved } from './moved.ts';
import { type LineOfBook, resultOf } from './result-line.ts';
import { Turns } from './turns.ts';
import { Window } from './window.ts';

export type Ended = 'finished' | 'interrupted' | 'tooManyRefused';

const SAVED_EVERY_MS = 1_000;
const MOST_ACCOUNTS = 256;
/** Lines are up to 10 MB: of large ones fewer are in flight. */
const MOST_BYTES = 33_554_432;
/** One slow line does not let the checkpoint grow. */
const WIDEST_WINDOW = 4_096;
/** Written before its second is over. */
const MOST_WAITING_BYTES = 4_194_304;

/** Moves the lines of one book, many at once, those of an account in turn, and keeps how far it has come. */
export class Runner {
  readonly #run: BookRun;
  readonly #window = new Window();
  /** Finished by an earlier run, and not read again yet. */
  readonly #finished: Set<number>;
  readonly #active = new Set<Promise<void>>();
  readonly #turns = new Turns();
  #bytes = 0;
  #failure: unknown;
  #saving: Promise<void> = Promise.resolve();
  #wake = Promise.withResolvers<void>();

  constructor(run: BookRun) {
    this.#run = run;
    this.#finished = new Set(run.checkpoint.last?.beyond);
  }

  get inFlight(): number {
    return this.#active.size;
  }

  /** About how much of the book is finished, in bytes on the disk: all lines before the first one that is not. */
  get finishedBytes(): number {
    const { book, checkpoint } = this.#run;
    return book.bytesOnDisk(this.#window.offset ?? checkpoint.last?.offset ?? 0);
  }

  /** To the end of the book, until it is stopped, or until it fails; in each case what was reached is on the disk. */
  async run(): Promise<Ended> {
    const { checkpoint, stop, tally } = this.#run;
    const saver = setInterval(() => this.#save(), SAVED_EVERY_MS);
    let isComplete = false;
    try {
      isComplete = (await this.#moveAgain()) && (await this.#begin());
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(this.#active);
    clearInterval(saver);
    await this.#saving;
    const isFinished = isComplete && this.#failure === undefined && this.#isWhole;
    if (!this.#hasLostItsDisk) await checkpoint.save(this.#reached(isFinished));
    if (this.#failure !== undefined) throw this.#failure;
    if (isFinished) return 'finished';
    return this.#run.isTooMuch(tally) && !stop.aborted ? 'tooManyRefused' : 'interrupted';
  }

  #isWhole = true;
  #hasLostItsDisk = false;

  /** Moves lines again that an earlier run has moved; how far that has come stays as it is. Whether all were begun. */
  async #moveAgain(): Promise<boolean> {
    const { book, again, stop, halt } = this.#run;
    if (again.size === 0) return true;
    for await (const { lines } of book.batches()) {
      for (const line of lines.filter(({ number }) => again.delete(number))) {
        await this.#room(line.bytes.length);
        if (stop.aborted || halt.signal.aborted) return false;
        this.#start({ number: line.number, bytes: Buffer.from(line.bytes) }, () => undefined);
      }
      if (again.size === 0) break;
    }
    await Promise.all(this.#active);
    return !stop.aborted && !halt.signal.aborted;
  }

  /** Whether the end of the book was reached. */
  async #begin(): Promise<boolean> {
    const { book, checkpoint, stop, halt } = this.#run;
    const { last } = checkpoint;
    const from = last && { file: 0, offset: last.offset, number: last.number };
    for await (const { lines } of book.batches(from)) {
      for (const line of lines) {
        if (this.#finished.delete(line.number)) {
          this.#window.begin(line)();
          continue;
        }
        await this.#room(line.bytes.length);
        if (stop.aborted || halt.signal.aborted || this.#run.isTooMuch(this.#run.tally)) return false;
        this.#start({ number: line.number, bytes: Buffer.from(line.bytes) }, this.#window.begin(line));
      }
    }
    return !stop.aborted;
  }

  /** Waits until another line may be begun. */
  async #room(bytes: number): Promise<void> {
    const { stop, halt, caller, options, checkpoint } = this.#run;
    const mayBegin = () =>
      this.#active.size === 0 ||
      (this.#active.size < Math.min(caller.limit, MOST_ACCOUNTS) &&
        this.#bytes + bytes <= MOST_BYTES &&
        this.#window.size < WIDEST_WINDOW);
    while (!mayBegin() && !halt.signal.aborted && !stop.aborted) await this.#wake.promise;
    if (checkpoint.results.waiting + checkpoint.failed.waiting > MOST_WAITING_BYTES) await this.#save();
    if (options.linesPerSecond !== undefined) await this.#pace(options.linesPerSecond);
  }

  #nextAt = 0;

  async #pace(linesPerSecond: number): Promise<void> {
    const now = performance.now();
    this.#nextAt = Math.max(this.#nextAt, now) + 1_000 / linesPerSecond;
    const pauseMs = this.#nextAt - 1_000 / linesPerSecond - now;
    if (pauseMs > 0) await wait(pauseMs, undefined, { signal: this.#run.halt.signal }).catch(() => {});
  }

  #start(line: LineOfBook, done: () => void): void {
    this.#bytes += line.bytes.length;
    const moving = this.#move(line, done)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#active.delete(moving);
        this.#bytes -= line.bytes.length;
        this.#wake.resolve();
        this.#wake = Promise.withResolvers();
      });
    this.#active.add(moving);
  }

  async #move(line: LineOfBook, done: () => void): Promise<void> {
    const { caller, options, tally, checkpoint } = this.#run;
    const importSupplier = { code: options.supplier, ...options.supplierSettings };
    const parts = partsOfLine(line.bytes, { importSupplier, maxLineBytes: MAX_LINE_BYTES });
    try {
      const moved: Moved =
        'refusal' in parts
          ? { outcome: 'refused', steps: {}, money: NO_MONEY, refusal: parts.refusal, remarks: [] }
          : await this.#turns.run(parts.external_account_number, () => moveLine(parts, { caller, options }));
      // From here on nothing waits: a checkpoint has the line in all of them, or in none.
      tally.add(moved, parts.external_account_number);
      checkpoint.results.add(resultOf(line, parts.external_account_number, moved));
      const { refusal } = moved;
      if (refusal) checkpoint.failed.add(failedRow(line, { ...refusal, code: refusal.code as ErrorCode }));
      done();
    } catch (error) {
      if (!(error instanceof Halted)) throw error;
      this.#isWhole = false;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#run.halt.abort();
    this.#wake.resolve();
  }

  /** One after the other; what is finished meanwhile goes with the next one. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(async () => {
      if (this.#hasLostItsDisk) return;
      try {
        await this.#run.checkpoint.save(this.#reached(false));
      } catch (error) {
        this.#hasLostItsDisk = true;
        this.#fail(error);
      }
    });
    return this.#saving;
  }

  #reached(isFinished: boolean): Reached {
    const { tally, checkpoint } = this.#run;
    const { offset, number, beyond } = this.#window.reached ?? checkpoint.last ?? { offset: 0, number: 1, beyond: [] };
    const finished = new Set([...beyond, ...this.#finished]);
    return { offset, number, beyond: [...finished], isFinished, tally: tally.toJSON() };
  }
}
