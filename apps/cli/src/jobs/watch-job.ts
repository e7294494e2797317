import { setTimeout as wait } from 'node:timers/promises';
import type { BulkJob, BulkProblem } from '@causeway/contracts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import type { Service } from '../session/open-service.ts';
import { progressBlock, progressLine } from './describe-job.ts';
import { isMoving, readJob, readProblems } from './job-calls.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
/** Where there is no terminal, a line as often as this. */
const LINE_EVERY_MS = 10_000;

/**
 * Waits until a job works no more, and shows how far it is; the job as it stands then. Ctrl-C leaves the job running and
 * throws a Failure that says how to come back.
 */
export async function watchJob(context: Context, service: Service, id: string): Promise<BulkJob> {
  const progress = new Progress(context, service);
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      const job = await readJob(service, id);
      if (!isMoving(job)) return job;
      await progress.show(job);
      await wait(pauseMs, undefined, { signal: context.stop }).catch(() => {});
      if (context.stop.aborted) throw left(id);
    }
  } catch (error) {
    throw context.stop.aborted ? left(id) : error;
  } finally {
    context.output.show([]);
  }
}

function left(id: string): Failure {
  return new Failure('interrupted', 'The job continues without you.', {
    lines: [
      `  Come back: causeway jobs watch ${id}`,
      `  Pause it:  causeway jobs pause ${id}`,
      `  Cancel it: causeway jobs cancel ${id}`,
    ],
  });
}

/** What is shown of a job while it works. */
class Progress {
  readonly #context: Context;
  readonly #service: Service;
  #problems: BulkProblem[] = [];
  #refused = 0;
  #state = '';
  #saidAt = 0;

  constructor(context: Context, service: Service) {
    this.#context = context;
    this.#service = service;
  }

  async show(job: BulkJob): Promise<void> {
    const { output, now } = this.#context;
    const { id, state, run_mode, lines, counts, accounts_per_second, estimate } = job;
    output.event('progress', { job_id: id, state, run_mode, lines, counts, accounts_per_second, estimate });
    if (output.isLive) {
      await this.#readProblems(job);
      output.show(progressBlock(job, this.#problems, now()));
    } else if (state !== this.#state || now().getTime() - this.#saidAt >= LINE_EVERY_MS) {
      output.say(progressLine(job, now()));
      this.#saidAt = now().getTime();
    }
    this.#state = state;
  }

  async #readProblems({ id, counts }: BulkJob): Promise<void> {
    if (counts.refused === this.#refused) return;
    this.#problems = await readProblems(this.#service, id);
    this.#refused = counts.refused;
  }
}
