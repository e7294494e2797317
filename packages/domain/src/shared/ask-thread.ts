import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';

/** How a request ended without an answer; `failed`: the thread ended by itself. */
export type Unanswered = 'out_of_cpu_time' | 'out_of_time' | 'out_of_memory' | 'failed';
export type Answered<Answer> = { answer: Answer } | { unanswered: Unanswered };

const LOOKED_AT_EVERY_MS = 25;

/** The next message of a thread, unless it ends or the time is over before. */
export function hear<Answer>(thread: Worker, jobEnded: Promise<unknown>): Promise<Answered<Answer>> {
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

/** Its answer, unless it takes more of the processor. */
export async function perform<Answer>(
  thread: Worker,
  { ask, ended }: { ask: () => void; ended: Promise<unknown> },
  cpuMs: number,
): Promise<Answered<Answer>> {
  const until = (await cpuOf(thread)) + cpuMs;
  const heard = hear<Answer>(thread, ended);
  ask();
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
