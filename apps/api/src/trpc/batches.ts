import { LIMITS } from '@causeway/contracts';
import { WireRefusal } from '../http/wire-refusal.ts';
import type { Reply } from '../procedures/reply.ts';

/** All answers of a batch are in memory until the last one is ready. */
const MAX_ANSWER_CHARACTERS = 10_000_000;
/** The answers of a batch are sent together, and clients and proxies wait for them no longer than for one. */
const LAST_START_AFTER_MS = 10_000;

/** Runs a call of a batch when its turn comes; rejects if it is refused before it begins. */
type InBatch = (call: () => Promise<Reply>) => Promise<Reply>;

/**
 * Runs the calls of a batch one after the other, in order, each admitted separately: `enter` waits for its turn or
 * throws. Calls that have not started are refused once the answers have more than `MAX_ANSWER_CHARACTERS` together,
 * with `payload_too_large`, and once the others have taken `LAST_START_AFTER_MS`, with `service_unavailable`.
 */
export function createBatch(enter: () => Promise<void>, now: () => number = () => performance.now()): InBatch {
  const startedAt = now();
  let characters = 0;
  let before: Promise<unknown> = Promise.resolve();
  let calls = 0;
  return (call) => {
    calls += 1;
    const isFirst = calls === 1;
    const mine = before.then(async () => {
      if (characters > MAX_ANSWER_CHARACTERS) throw tooMuchToAnswer();
      if (now() - startedAt > LAST_START_AFTER_MS) throw tooLate();
      // The first call was admitted with the request itself.
      if (!isFirst) await enter();
      const reply = await call();
      characters += JSON.stringify(reply.body)?.length ?? 0;
      return reply;
    });
    before = mine.catch(() => undefined);
    return mine;
  };
}

/** Throws if a batch has too many calls. */
export function refuseLargeBatch(calls: number): void {
  if (calls > LIMITS.batch) {
    throw new WireRefusal(
      'payload_too_large',
      `A batch may have ${LIMITS.batch} calls at most: send the others separately.`,
    );
  }
}

function tooMuchToAnswer(): WireRefusal {
  return new WireRefusal(
    'payload_too_large',
    'The answers of this batch are too large together. This call was not processed; send it separately.',
  );
}

function tooLate(): WireRefusal {
  return new WireRefusal(
    'service_unavailable',
    'The calls before this one in its batch took too long. This call was not processed; send it again, separately.',
  );
}
