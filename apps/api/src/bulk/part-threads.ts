import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { type CutPart, DomainError, type ReadManifestPart } from '@causeway/domain';
import { buildInfo } from '../build-info.ts';
import { requestFacts } from '../http/request-facts.ts';
import type { Party } from '../overload/party.ts';
import { PartyQueue } from '../overload/party-queue.ts';
import { ownMemoryOf } from './own-memory-of.ts';
import type { SentPart } from './read-part.ts';

const ENTRY = new URL(buildInfo.isBuilt ? '../../../../service/part-thread.js' : './part-thread.ts', import.meta.url);
/** So many parts are unpacked at once, each of another party. */
const THREADS = 2;
const ENDED_AFTER_MS = 60_000;
/** For the objects of the longest line that may be read. */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 };

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

/** `waitMs`: how long a part may wait for its turn. */
export function createPartThreads(waitMs: number): PartThreads {
  const queue = new PartyQueue();
  const atWork = new Set<Party>();
  const pool = createPool();
  const hasRoomFor = (party: Party) => atWork.size < THREADS && !atWork.has(party);
  return {
    async unpack(response, task) {
      const { party } = requestFacts(response);
      const begin = () => atWork.add(party);
      if (hasRoomFor(party)) begin();
      else await queue.wait(party, begin, { ms: waitMs, refusal: tooManyParts, client: response });
      try {
        // For a client that has gone away nothing is begun, and nothing is held.
        if (response.destroyed) throw tooManyParts();
        const answer = await pool.run(task);
        if (response.destroyed) throw tooManyParts();
        if ('refusal' in answer) throw new DomainError('bulk_part_invalid', answer.refusal);
        return answer as never;
      } finally {
        atWork.delete(party);
        while (queue.startNext(hasRoomFor));
      }
    },
    stop: pool.stop,
  };
}

/** Threads, as many as work at once; whoever takes one has it alone. */
function createPool() {
  const threads = new Set<Worker>();
  /** With what ends them. */
  const idle = new Map<Worker, NodeJS.Timeout>();

  function launch(): Worker {
    const thread = new Worker(ENTRY, { resourceLimits: LIMITS });
    threads.add(thread);
    thread.once('exit', () => {
      threads.delete(thread);
      leaveIdle(thread);
    });
    return thread;
  }

  function leaveIdle(thread: Worker): void {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
  }

  function giveBack(thread: Worker): void {
    const end = () => {
      leaveIdle(thread);
      void thread.terminate();
    };
    idle.set(thread, setTimeout(end, ENDED_AFTER_MS).unref());
  }

  return {
    async run(task: PartTask): Promise<PartAnswer> {
      const [thread = launch()] = idle.keys();
      leaveIdle(thread);
      thread.postMessage(task, ownMemoryOf([task.sent.bytes]));
      const answer = await answerOf(thread);
      giveBack(thread);
      return answer;
    },
    async stop(): Promise<void> {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

/** Rejects with what has ended the thread. */
async function answerOf(thread: Worker): Promise<PartAnswer> {
  const over = new AbortController();
  const ended = once(thread, 'exit', over).then(() => {
    throw new Error('The thread that unpacks parts was ended');
  });
  try {
    const [answer] = await Promise.race([once(thread, 'message', over), ended]);
    return answer;
  } finally {
    ended.catch(() => undefined);
    over.abort();
  }
}

function tooManyParts(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Too many parts wait to be unpacked. Nothing of this one is stored: send fewer at once, and try again.',
  );
}
