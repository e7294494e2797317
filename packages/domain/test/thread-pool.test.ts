import { expect, onTestFinished, test } from 'vitest';
import { ThreadPool } from '../src/shared/thread-pool.ts';

/** A thread that answers with what it was asked. */
const ECHO = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (request) => parentPort.postMessage(request));
    parentPort.postMessage('ready');`)}`,
);
const MINUTES_MS = 600_000;

test('29.4.4 anyone who has much to render lets those come first who have little', async () => {
  const pool = new ThreadPool<string, string>({ entry: ECHO, threads: 1, cpuMs: MINUTES_MS, memory: {} });
  onTestFinished(() => pool.close());
  const answered: unknown[] = [];
  const ask = async (party: string, request: string) => {
    const how = await pool.ask(party, request, { doneWithinMs: MINUTES_MS });
    answered.push('answer' in how ? how.answer : how.unanswered);
  };
  const many = Array.from({ length: 5 }, (_, index) => ask('many', `many ${index}`));
  await Promise.all([...many, ask('one', 'one')]);
  expect(answered).toEqual(['many 0', 'one', 'many 1', 'many 2', 'many 3', 'many 4']);
});
