import { parentPort } from 'node:worker_threads';
import { PartRefusal } from '@causeway/book';
import { lowerPriority } from './lower-priority.ts';
import { ownMemoryOf } from './own-memory-of.ts';
import type { PartAnswer, PartTask } from './part-threads.ts';
import { cutPart, readManifestPart } from './read-part.ts';

// Unpacks parts, in a thread: callers have the event loop of the service meanwhile. An error that is not a refusal ends
// the thread, and is one of the call.

lowerPriority();

async function unpack({ kind, sent, importSupplier = '' }: PartTask): Promise<[PartAnswer, ArrayBuffer[]]> {
  if (kind === 'manifest') return [await readManifestPart(sent, importSupplier), []];
  const { part, heldBytes } = await cutPart(sent);
  return [{ part, heldBytes }, ownMemoryOf(part.bodies.map(({ body }) => body))];
}

parentPort?.on('message', async (task: PartTask) => {
  try {
    parentPort?.postMessage(...(await unpack(task)));
  } catch (error) {
    if (!(error instanceof PartRefusal)) throw error;
    parentPort?.postMessage({ refusal: error.message } satisfies PartAnswer);
  }
});
parentPort?.postMessage('ready');
