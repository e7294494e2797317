import { parentPort, workerData } from 'node:worker_threads';
import type { CheckRequest } from './batch.ts';
import { createLineChecker } from './check-lines.ts';

/** A thread that checks the batches it is sent, one after the other. */
export function checkInThread(): void {
  const check = createLineChecker(workerData);
  parentPort?.on('message', (request: CheckRequest) => {
    const answer = check(request);
    const { batch, accounts, results, failed } = answer;
    const buffers = [batch.bytes, accounts.buffer, results.buffer, failed.buffer] as ArrayBuffer[];
    parentPort?.postMessage(answer, buffers);
  });
}
