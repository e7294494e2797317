import { setTimeout as delay } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface ThreadPoolSettings {
  /** The file of a thread: it posts a message once it is ready, and then answers each message with one. */
  entry: URL;
  threads: number;
  /** The processor's time for one request: a machine that is busy with other things does not shorten it. */
  cpuMs: number;
  memory: ResourceLimits;
}

/** How a request ended without an answer; `failed`: the thread ended by itself. */
export type Unanswered = 'out_of_cpu_time' | 'out_of_time' | 'out_of_memory' | 'failed';
export type Answered<Answer> = { answer: Answer } | { unanswered: Unanswered };

const LOOKED_AT_EVERY_MS = 25;
/** Requests of a party that wait for a thread; others are refused at once, as if their time were up. */
const MAX_WAITING = 200;

interface Job<Request, Answer> {
  request: Request;
  /** Who asks: it has one thread at a time, and those who ask take turns. */
  party: string;
  /** Takes the first answer that it gets. */
  end(how: Answered<Answer>): void;
  readonly hasEnded: boolean;
  ended: Promise<Answered<Answer>>;
}

/**
 * Lets threads do what may never end: whatever takes too long is ended together with its thread, and the next request gets
 * another. Threads are started when they are needed first.
 */
export class ThreadPool<Request, Answer> {
  readonly #settings: ThreadPoolSettings;
  /** By party; whose turn was last is last. */
  readonly #waiting = new Map<string, Job<Request, Answer>[]>();
  readonly #served = new Set<string>();
  readonly #threads = new Set<Worker>();
  readonly #idle: Worker[] = [];
  #running = 0;
  #isClosed = false;

  constructor(settings: ThreadPoolSettings) {
    this.#settings = settings;
  }

  /** Never rejects, and resolves after `timeoutMs` at the latest, also if no thread was free. */
  async ask(party: string, request: Request, timeoutMs: number): Promise<Answered<Answer>> {
    const waiting = this.#waiting.get(party) ?? [];
    if (this.#isClosed || waiting.length >= MAX_WAITING) return { unanswered: 'out_of_time' };
    const job = jobOf<Request, Answer>(party, request, timeoutMs);
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

  #putLast(party: string): void {
    const jobs = this.#waiting.get(party);
    if (jobs === undefined) return;
    this.#waiting.delete(party);
    this.#waiting.set(party, jobs);
  }

  /** Of the party whose turn it is, the first request that still waits. */
  #next(): Job<Request, Answer> | undefined {
    for (const [party, jobs] of this.#waiting) {
      if (this.#served.has(party)) continue;
      this.#waiting.delete(party);
      const first = jobs.findIndex(({ hasEnded }) => !hasEnded);
      if (first === -1) continue;
      const [job, ...others] = jobs.slice(first);
      if (others.length > 0) this.#waiting.set(party, others);
      return job;
    }
    return undefined;
  }

  async #do(job: Job<Request, Answer>): Promise<void> {
    const kept = this.#idle.pop();
    const thread = kept ?? this.#start();
    const ready = kept === undefined ? await hear<unknown>(thread, job.ended) : { answer: undefined };
    const how = 'unanswered' in ready ? ready : await perform(thread, job, this.#settings.cpuMs);
    if ('answer' in how && !this.#isClosed) this.#idle.push(thread);
    else void thread.terminate();
    job.end(how);
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
      if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1);
    });
    return thread;
  }
}

function jobOf<Request, Answer>(party: string, request: Request, timeoutMs: number): Job<Request, Answer> {
  const { promise: ended, resolve } = Promise.withResolvers<Answered<Answer>>();
  let hasEnded = false;
  const end = (how: Answered<Answer>) => {
    hasEnded = true;
    clearTimeout(timer);
    resolve(how);
  };
  const timer = setTimeout(() => end({ unanswered: 'out_of_time' }), timeoutMs);
  return {
    party,
    request,
    end,
    ended,
    get hasEnded() {
      return hasEnded;
    },
  };
}

/** The next message of a thread, unless it ends or the time is over before. */
function hear<Answer>(thread: Worker, jobEnded: Promise<unknown>): Promise<Answered<Answer>> {
  const { promise, resolve } = Promise.withResolvers<Answered<Answer>>();
  const take = (answer: Answer) => resolve({ answer });
  const fail = ({ code }: { code?: string }) => {
    resolve({ unanswered: code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'failed' });
  };
  const leave = () => resolve({ unanswered: 'failed' });
  thread.once('message', take).once('error', fail).once('exit', leave);
  void jobEnded.then(() => resolve({ unanswered: 'out_of_time' }));
  return promise.finally(() => thread.off('message', take).off('error', fail).off('exit', leave));
}

async function perform<Request, Answer>(
  thread: Worker,
  { request, ended }: Job<Request, Answer>,
  cpuMs: number,
): Promise<Answered<Answer>> {
  const until = (await cpuOf(thread)) + cpuMs;
  const heard = hear<Answer>(thread, ended);
  thread.postMessage(request);
  let hasAnswered = false;
  const answered = heard.finally(() => {
    hasAnswered = true;
  });
  const watched = (async (): Promise<Answered<Answer>> => {
    while (!hasAnswered) {
      await Promise.race([delay(LOOKED_AT_EVERY_MS, undefined, { ref: false }), answered]);
      if (!hasAnswered && (await cpuOf(thread)) > until) return { unanswered: 'out_of_cpu_time' };
    }
    return answered;
  })();
  return Promise.race([answered, watched]);
}

/** What a thread has taken of the processor so far, in milliseconds; 0 if it has ended, or the system does not say. */
async function cpuOf(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1_000;
}
