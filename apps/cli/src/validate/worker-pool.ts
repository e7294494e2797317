import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { CheckAnswer, CheckRequest } from './batch.ts';
import type { CheckSettings } from './read-settings.ts';

/** What is checked and waits to be, a worker: it never waits for the main thread. */
const MAX_WAITING = 2;
/** Lines are soon forgotten: what is young is collected often, so that memory stays low. */
const YOUNG_GENERATION_MB = 4;

interface Checker {
  worker: Worker;
  /** Answers come in the order of the requests. */
  waiting: PromiseWithResolvers<CheckAnswer>[];
}

/** Threads that check lines, one a core; each is started when the others are busy. */
export class WorkerPool {
  readonly #settings: CheckSettings;
  readonly #size = availableParallelism();
  readonly #checkers: Checker[] = [];

  constructor(settings: CheckSettings) {
    this.#settings = settings;
    // Threads that only compile keep 13 MB, and all cores are busy anyway.
    setFlagsFromString('--no-concurrent-recompilation');
    // Without it the threads' heaps grow with the book, to 70 MB each; with it they are collected at 30.
    setFlagsFromString('--optimize-for-size');
  }

  /** How many batches keep all threads busy. */
  get capacity(): number {
    return this.#size * MAX_WAITING;
  }

  /** Lets the thread that has least to do check the batch, whose memory goes there and comes back with the answer. */
  check(request: CheckRequest): Promise<CheckAnswer> {
    const checker = this.#nextChecker();
    const answer = Promise.withResolvers<CheckAnswer>();
    checker.waiting.push(answer);
    checker.worker.postMessage(request, [request.batch.bytes]);
    return answer.promise;
  }

  #nextChecker(): Checker {
    const isBusy = this.#checkers.every(({ waiting }) => waiting.length > 0);
    if (isBusy && this.#checkers.length < this.#size) this.#checkers.push(startChecker(this.#settings));
    return this.#checkers.reduce((one, other) => (other.waiting.length < one.waiting.length ? other : one));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#checkers.map(({ worker }) => worker.terminate()));
  }
}

function startChecker(settings: CheckSettings): Checker {
  const worker = new Worker(entry(), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const checker: Checker = { worker, waiting: [] };
  worker.on('message', (answer: CheckAnswer) => checker.waiting.shift()?.resolve(answer));
  worker.on('error', (error) => {
    for (const answer of checker.waiting.splice(0)) answer.reject(error);
  });
  return checker;
}

/** In the one file that is built, the thread is the same file. */
function entry(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return isSource ? new URL('./worker.ts', import.meta.url) : new URL(import.meta.url);
}
