import { fstatSync, readdirSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Failure } from '../frame/failure.ts';
import { MAPPING_PROCESS, type MappingLimits, type MappingMessage, type MappingTask } from './messages.ts';
import { programFile } from './program-file.ts';

const BYTES_PER_MB = 1_048_576;
const CHECK_INTERVAL_MS = 200;

/**
 * The process of a mapping: its main thread watches the limits while another runs the mapping, since a statement of
 * SQLite cannot be interrupted. It ends with the process that started it.
 */
export function startMappingProcess(): void {
  if (!isMainThread) void runInThread(workerData);
  else process.once('message', (task: MappingTask) => watch(task));
}

async function runInThread(task: MappingTask): Promise<void> {
  const { executeMapping } = await import('./execute.ts');
  const { executeQuery } = await import('./execute-query.ts');
  const tell = (message: MappingMessage) => parentPort?.postMessage(message);
  try {
    if (task.query === undefined) tell({ type: 'done', result: executeMapping(task, tell) });
    else tell({ type: 'answered', answer: executeQuery(task, task.query, tell) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell({ type: 'failed', sentence: error.message, lines: error.lines });
  }
}

function watch(task: MappingTask): void {
  process.once('disconnect', kill);
  const { limits } = task;
  const worker = new Worker(programFile(), {
    argv: [MAPPING_PROCESS],
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  });
  let start: number | undefined;
  worker.on('message', (message: MappingMessage) => {
    start ??= performance.now();
    // An error: the other process has gone. Without a handler, Node would exit, and wait for the other thread.
    process.send?.(message, (error: Error | null) => error && kill());
  });
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') tellAndKill({ type: 'limit', limit: 'memoryMb' });
    else tellAndKill({ type: 'broken', message: error.message, stack: error.stack });
  });
  const bytesBefore = openBytes();
  const timer = setInterval(() => {
    const minutes = start === undefined ? 0 : (performance.now() - start) / 60_000;
    const limit = limitReached(limits, { minutes, bytes: openBytes() - bytesBefore });
    if (limit !== undefined) tellAndKill({ type: 'limit', limit });
  }, CHECK_INTERVAL_MS);
  worker.on('exit', () => {
    clearInterval(timer);
    process.off('disconnect', kill);
    process.disconnect?.();
  });
}

function limitReached(
  limits: MappingLimits,
  used: { minutes: number; bytes: number },
): keyof MappingLimits | undefined {
  if (used.minutes >= limits.minutes) return 'minutes';
  if (process.memoryUsage.rss() > limits.memoryMb * BYTES_PER_MB) return 'memoryMb';
  return used.bytes > limits.diskMb * BYTES_PER_MB ? 'diskMb' : undefined;
}

function tellAndKill(message: MappingMessage): void {
  process.send?.(message, kill);
}

/** The other thread cannot be stopped in SQLite. */
function kill(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * The size of the files that the process has open. SQLite deletes its temporary files when it opens them: they are in no
 * folder. Windows has no such list; there, SQLite's own limits hold.
 */
function openBytes(): number {
  if (process.platform === 'win32') return 0;
  return readdirSync('/dev/fd').reduce((bytes, descriptor) => bytes + sizeOf(Number(descriptor)), 0);
}

function sizeOf(descriptor: number): number {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? stats.size : 0;
  } catch {
    // It was closed meanwhile.
    return 0;
  }
}
