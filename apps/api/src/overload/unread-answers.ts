import type { ServerResponse } from 'node:http';
import type { Party } from '../request/request-facts.ts';
import { requestFacts } from '../request/request-facts.ts';
import { createFairShare, type FairShare } from './fair-share.ts';

/** Answers that were written but not yet read by their clients. */
export interface UnreadAnswers {
  /** From now on the answer's bytes count, until it is removed. */
  watch(response: ServerResponse): void;
  forget(response: ServerResponse): void;
  /** Counts again; cuts off the answers of parties that hold more than their share of twice the capacity. */
  count(): void;
  readonly bytes: number;
  mayTakeMore(party: Party): boolean;
}

/**
 * Unread answers stay in memory, so each party has a limit: beyond it, its next requests are refused. Counted
 * periodically, because no event says how much of an answer was sent.
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
        // An answer that waits for its reader is not work.
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
