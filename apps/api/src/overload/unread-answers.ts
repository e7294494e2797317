import type { ServerResponse } from 'node:http';
import { requestFacts } from '../http/request-facts.ts';
import { Share } from './party.ts';
import { endWork } from './work.ts';

/**
 * Answers that were written and that their clients have not read. They stay in memory, so each party has a limit: beyond
 * it, its next requests are refused, and beyond its share of twice as much, its newest answers are cut off. Counted
 * periodically, because no event says how much of an answer was sent.
 */
export class UnreadAnswers {
  readonly share: Share;
  /** With the bytes that were counted last. */
  readonly #open = new Map<ServerResponse, number>();

  constructor(mostBytes: number) {
    this.share = new Share('unreadBytes', mostBytes);
  }

  /** From now on the answer's bytes count, until it is closed. */
  watch(response: ServerResponse): void {
    this.#open.set(response, 0);
    response.once('close', () => {
      this.#count(response, 0);
      this.#open.delete(response);
    });
  }

  count(): void {
    for (const response of this.#open.keys()) {
      this.#count(response, response.writableLength);
      // An answer that waits for its reader is not work.
      if (response.writableNeedDrain) endWork(response);
    }
    if (this.share.used <= this.share.capacity) return;
    for (const [response, bytes] of [...this.#open].reverse()) {
      if (bytes === 0 || this.share.mayTakeMore(requestFacts(response).party, 2 * this.share.capacity)) continue;
      response.destroy();
      this.#count(response, 0);
    }
  }

  #count(response: ServerResponse, bytes: number): void {
    const before = this.#open.get(response) ?? 0;
    if (bytes === before) return;
    this.#open.set(response, bytes);
    this.share.take(requestFacts(response).party, bytes - before);
  }
}
