import { setTimeout as delay } from 'node:timers/promises';
import type { CarefulSender } from './careful-sender.ts';
import { fieldOf } from './send.ts';
import type { Supplier } from './service-world.ts';

const JOBS = '/v1/data-import/bulk-jobs/';
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const LOOK_EVERY_MS = 50;

export type BulkJobs = ReturnType<typeof bulkJobs>;

/** A supplier's bulk jobs. What is answered otherwise than it should be is odd. */
export function bulkJobs({ sendUntilAnswered, expect }: CarefulSender, supplier: Supplier) {
  let created = 0;
  const read = async (jobId: string): Promise<unknown> => (await sendUntilAnswered({ path: `${JOBS}${jobId}/` })).body;
  return {
    /** Creates a job that moves what is uploaded; its id. It has a key, so that a repetition creates no second one. */
    async create(parallelism = 2): Promise<string> {
      created += 1;
      const options = { operations_team_name: supplier.teamName, parallelism, max_refused_ratio: null };
      const body = { import_supplier: supplier.code, kind: 'MOVE', options };
      const headers = { 'Idempotency-Key': `${supplier.code}-book-${created}` };
      return String(fieldOf((await expect({ path: JOBS, headers, body }, ['201'])).body, 'id'));
    },
    /** Uploads a part, packed as its first bytes say. */
    upload(jobId: string, part: number, body: string | Uint8Array, expected: readonly string[] = ['201', '200']) {
      const path = `${JOBS}${jobId}/parts/${part}/`;
      return expect({ method: 'PUT', path, headers: NDJSON, body }, expected);
    },
    /** Starts the real run of all that was uploaded, as far as it is told how much that is. */
    start(jobId: string, totals: { lines?: number; parts?: number } = {}) {
      const request = { path: `${JOBS}${jobId}/start/`, body: { run_mode: 'REAL', ...totals } };
      // The second: it was started by a request whose answer was lost.
      return expect(request, ['200', '409 bulk_job_state_not_allowed']);
    },
    cancel: (jobId: string) => expect({ path: `${JOBS}${jobId}/cancel/`, body: {} }, ['200']),
    /** The job as the interface shows it. */
    read,
    /** Waits until the job has left these states, and returns the one that it is in. */
    async leaves(jobId: string, states: readonly string[]): Promise<unknown> {
      for (;;) {
        const state = fieldOf(await read(jobId), 'state');
        if (!states.includes(String(state))) return state;
        await delay(LOOK_EVERY_MS);
      }
    },
    /** What a finished job says of each of its lines. */
    async readResults(jobId: string): Promise<{ outcome: string }[]> {
      const { body } = await expect({ path: `${JOBS}${jobId}/results/` }, ['200']);
      // One line alone is read as JSON.
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line));
    },
  };
}
