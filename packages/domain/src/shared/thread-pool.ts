import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { type Answered, hear, perform } from './ask-thread.ts';

export interface ThreadPoolSettings {
  /** The file of a thread: it posts a message once it is ready, and then answers each message with one. */
  entry: URL;
  threads: number;
  /** The processor's time for one request: a machine that is busy with other things does not shorten it. */
  cpuMs: number;
  memory: ResourceLimits;
  /** After which an idle thread ends; by default it is kept. */
  idleMs?: number;
}

export interface Asking {
  /** How long the request may take, with the wait for a thread, after which its thread is ended. */
  doneWithinMs?: number;
  /** How long it may wait for a thread. */
  begunWithinMs?: number;
  /** What the thread is given, not a copy of it. */
  transfer?: readonly Transferable[];
  /** Ends the wait for a thread. */
  signal?: AbortSignal;
}

/** Requests of a party that wait for a thread; others are refused at once, as if their time were up. */
const MAX_WAITING = 200;

/** Who asks: it has one thread at a time, and those who ask take turns. */
type Party = string | object;

interface Job<Request, Answer> {
  party: Party;
  ended: Promise<Answered<Answer>>;
  /** Takes the first answer that it gets. */
  end(how: Answered<Answer>): void;
  /** What the thread is told; undefined if nobody waits for it any more. */
  begin(): { request: Request; transfer: readonly Transferable[] } | undefined;
}

/**
 * Lets threads do what may never end: whatever takes too long is ended together with its thread, and the next request gets
 * another. Threads are started when they are needed first.
 */
export class ThreadPool<Request, Answer> {
  readonly #settings: ThreadPoolSettings;
  /** By party; whose turn was last is last. */
  readonly #waiting = new Map<Party, Job<Request, Answer>[]>();
  readonly #served = new Set<Party>();
  readonly #threads = new Set<Worker>();
  /** With what ends them. */
  readonly #idle = new Map<Worker, NodeJS.Timeout | undefined>();
  #running = 0;
  #isClosed = false;

  constructor(settings: ThreadPoolSettings) {
    this.#settings = settings;
  }

  /** Never rejects; if its time is up it resolves, also if no thread was free. */
  async ask(party: Party, request: Request, asking: Asking): Promise<Answered<Answer>> {
    const waiting = this.#waiting.get(party) ?? [];
    if (this.#isClosed || waiting.length >= MAX_WAITING) return { unanswered: 'out_of_time' };
    const job = jobOf<Request, Answer>(party, request, asking);
    waiting.push(job);
    this.#waiting.set(party, waiting);
    if (this.#running < this.#settings.threads) void this.#work();
    return job.ended;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of [...this.#waiting.values()].flat()) job.end({ unanswered: 'failed' });
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      this.#served.add(job.party);
      await this.#do(job);
      this.#served.delete(job.party);
      this.#putLast(job.party);
    }
    this.#running -= 1;
  }

  #putLast(party: Party): void {
    const jobs = this.#waiting.get(party);
    if (jobs === undefined) return;
    this.#waiting.delete(party);
    this.#waiting.set(party, jobs);
  }

  /** Of the party whose turn it is, the first request. */
  #next(): Job<Request, Answer> | undefined {
    for (const [party, [job, ...others]] of this.#waiting) {
      if (this.#served.has(party)) continue;
      this.#waiting.delete(party);
      if (others.length > 0) this.#waiting.set(party, others);
      return job;
    }
    return undefined;
  }

  async #do(job: Job<Request, Answer>): Promise<void> {
    const message = job.begin();
    if (message === undefined) return;
    const kept = this.#idle.keys().next().value;
    if (kept !== undefined) this.#leaveIdle(kept);
    const thread = kept ?? this.#start();
    const ready = kept === undefined ? await hear<unknown>(thread, job.ended) : { answer: undefined };
    const ask = () => thread.postMessage(message.request, message.transfer);
    const how =
      'unanswered' in ready ? ready : await perform<Answer>(thread, { ask, ended: job.ended }, this.#settings.cpuMs);
    if ('answer' in how && !this.#isClosed) this.#keep(thread);
    else void thread.terminate();
    job.end(how);
  }

  #keep(thread: Worker): void {
    const { idleMs } = this.#settings;
    const end = () => {
      this.#leaveIdle(thread);
      void thread.terminate();
    };
    this.#idle.set(thread, idleMs === undefined ? undefined : setTimeout(end, idleMs).unref());
  }

  #leaveIdle(thread: Worker): void {
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
  }

  #start(): Worker {
    const { entry, memory } = this.#settings;
    const thread = new Worker(entry, { resourceLimits: memory });
    this.#threads.add(thread);
    thread.unref();
    // What an idle thread ends with concerns nobody.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.#threads.delete(thread);
      this.#leaveIdle(thread);
    });
    return thread;
  }
}

function jobOf<Request, Answer>(party: Party, request: Request, asking: Asking): Job<Request, Answer> {
  const { doneWithinMs, begunWithinMs = doneWithinMs, transfer = [], signal } = asking;
  const { promise: ended, resolve } = Promise.withResolvers<Answered<Answer>>();
  let message: ReturnType<Job<Request, Answer>['begin']> = { request, transfer };
  const end = (how: Answered<Answer>) => {
    message = undefined;
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    resolve(how);
  };
  const leave = () => end({ unanswered: 'out_of_time' });
  const timer = setTimeout(leave, begunWithinMs);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  return {
    ...{ party, ended, end },
    begin() {
      const begun = message;
      message = undefined;
      if (doneWithinMs === undefined) clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      return begun;
    },
  };
}
