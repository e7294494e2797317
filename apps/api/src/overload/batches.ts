import { LIMITS } from '@causeway/contracts';
import { DomainError } from '@causeway/domain';

/** Runs the calls of one batch; each gets what it would get alone. `data` is what a call answers. */
export type InBatch = <T extends object>(call: () => Promise<T & { data?: unknown }>) => Promise<T>;

/** The answers of a batch are in memory together until the last one is there. */
const MOST_ANSWER_BYTES = 10_000_000;

/**
 * Runs the calls of a batch one after the other, in their order, each admitted for itself: `enter` waits for its turn
 * or throws. Once their answers have more than `MOST_ANSWER_BYTES` together the rest is refused with `payload_too_large`.
 */
export function createBatch(enter: () => Promise<void>): InBatch {
  let bytes = 0;
  let before: Promise<unknown> = Promise.resolve();
  let calls = 0;
  return (call) => {
    calls += 1;
    const isFirst = calls === 1;
    const mine = before.then(async () => {
      if (bytes > MOST_ANSWER_BYTES) throw tooMuchToAnswer();
      // The request itself was admitted for the first.
      if (!isFirst) await enter();
      const result = await call();
      bytes += JSON.stringify(result.data)?.length ?? 0;
      return result;
    });
    before = mine.catch(() => undefined);
    return mine;
  };
}

/** Throws where a batch has too many calls. */
export function refuseLargeBatch(calls: number): void {
  if (calls > LIMITS.batch) {
    throw new DomainError(
      'payload_too_large',
      `A batch may have ${LIMITS.batch} calls at most: send the others apart.`,
    );
  }
}

function tooMuchToAnswer(): DomainError {
  return new DomainError(
    'payload_too_large',
    'The answers of this batch are too large together. Nothing was begun: send this call apart.',
  );
}
