import type { ServerResponse } from 'node:http';
import type { Party } from '../request/request-facts.ts';
import { requestFacts } from '../request/request-facts.ts';
import { createFairShare, type FairShare } from './fair-share.ts';

/** Answers that were written and that their clients have not read. */
export interface UnreadAnswers {
  /** From now on the answer's bytes count, until it is forgotten. */
  watch(response: ServerResponse): void;
  forget(response: ServerResponse): void;
  /** Counts anew; cuts off answers of those who have let more pile up than they could have if there were twice the room. */
  count(): void;
  readonly bytes: number;
  mayTakeMore(party: Party): boolean;
}

/**
 * What a client does not read stays in memory, so that each party may have only so much of it: with more it is refused
 * what it asks for next. Counted now and then, since no event tells how much of an answer has left.
 */
export function createUnreadAnswers(mostBytes: number): UnreadAnswers {
  const open = new Set<ServerResponse>();
  let soft: FairShare = createFairShare(mostBytes);
  return {
    watch: (response) => open.add(response),
    forget: (response) => open.delete(response),
    count() {
      soft = createFairShare(mostBytes);
      const hard = createFairShare(2 * mostBytes);
      for (const response of open) {
        const { writableLength: bytes } = response;
        const { party = '', endWork } = requestFacts(response);
        if (bytes === 0) continue;
        // What waits for its reader is no work.
        if (response.writableNeedDrain) endWork?.();
        soft.take(party, bytes);
        hard.take(party, bytes);
        if (hard.mayTakeMore(party)) continue;
        response.destroy();
        hard.take(party, -bytes);
      }
    },
    get bytes() {
      return soft.used;
    },
    mayTakeMore: (party) => soft.mayTakeMore(party),
  };
}
