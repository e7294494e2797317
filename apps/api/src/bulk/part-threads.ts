import type { ServerResponse } from 'node:http';
import { type CutPart, DomainError, type ReadManifestPart, ThreadPool } from '@causeway/domain';
import { buildInfo } from '../build-info.ts';
import { requestFacts } from '../http/request-facts.ts';
import { ownMemoryOf } from './own-memory-of.ts';
import type { SentPart } from './read-part.ts';

const THREADS = {
  entry: new URL(buildInfo.isBuilt ? '../../../../service/part-thread.js' : './part-thread.ts', import.meta.url),
  /** So many parts are unpacked at once, each of another party. */
  threads: 2,
  /** Twenty times what the longest takes. */
  cpuMs: 30_000,
  idleMs: 60_000,
  /** For the objects of the longest line that may be read. */
  memory: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 },
};

/** What parts become. */
export interface UnpackedParts {
  book: CutPart;
  manifest: ReadManifestPart;
}

/** What a thread is told: a part of what it is, and the import supplier of its manifest. */
export interface PartTask<Kind extends keyof UnpackedParts = keyof UnpackedParts> {
  kind: Kind;
  sent: SentPart;
  importSupplier?: string;
}

/** What it answers. */
export type PartAnswer = { part: UnpackedParts[keyof UnpackedParts]; heldBytes: number } | { refusal: string };

/** Unpacks parts in threads of their own (behaviour 21.4.9), which end when they have been idle for a minute. */
export interface PartThreads {
  /**
   * The part, and how many bytes it takes now. Refuses with `bulk_part_invalid`, and with `service_unavailable` if its
   * turn does not come in time: a party has one part unpacked at a time, and the parties take turns.
   */
  unpack<Kind extends keyof UnpackedParts>(
    response: ServerResponse,
    task: PartTask<Kind>,
  ): Promise<{ part: UnpackedParts[Kind]; heldBytes: number }>;
  stop(): Promise<void>;
}

/** `begunWithinMs`: how long a part may wait for its turn. */
export function createPartThreads(begunWithinMs: number): PartThreads {
  const pool = new ThreadPool<PartTask, PartAnswer>(THREADS);
  return {
    async unpack(response, task) {
      // For a client that has gone away nothing is begun, and nothing is held.
      const gone = new AbortController();
      if (response.destroyed) gone.abort();
      response.once('close', () => gone.abort());
      const transfer = ownMemoryOf([task.sent.bytes]);
      const how = await pool.ask(requestFacts(response).party, task, { begunWithinMs, transfer, signal: gone.signal });
      if (response.destroyed) throw tooManyParts();
      if ('answer' in how) {
        if ('refusal' in how.answer) throw new DomainError('bulk_part_invalid', how.answer.refusal);
        return how.answer as never;
      }
      if (how.unanswered === 'out_of_time') throw tooManyParts();
      throw new Error(`The thread that unpacks parts was ended: ${how.unanswered}`);
    },
    stop: () => pool.close(),
  };
}

function tooManyParts(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Too many parts wait to be unpacked. Nothing of this one is stored: send fewer at once, and try again.',
  );
}
