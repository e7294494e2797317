import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import type { Answer } from '../fuzz/send-bytes.ts';
import { STILL_AT_IT } from './operations.ts';
import { nameOf, type Request, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What a supplier's clients know about their requests. */
export interface SendLedger {
  sent: number;
  /** Requests without an answer, or with one that does not say whether they took effect. */
  inDoubt: number;
  /** Answers that must not occur. */
  odd: unknown[];
}

/** Sends like a careful supplier. */
export interface CarefulSender {
  /** Repeats a request without an answer, or with 503, until it is answered, on any instance. */
  sendUntilAnswered(request: Request): Promise<Answer>;
  /** The same; another answer than these is odd. */
  expect(request: Request, expected: readonly string[]): Promise<Answer>;
}

type SentIn = Pick<ServiceWorld, 'instances' | 'url'>;

const PAUSE_MS = { from: 20, to: 120 };

export function carefulSender(
  { instances, url }: SentIn,
  { token }: Pick<Supplier, 'token'>,
  { ledger, random }: { ledger: SendLedger; random: Random },
): CarefulSender {
  async function sendUntilAnswered(request: Request): Promise<Answer> {
    for (;;) {
      const alive = instances.filter(({ process }) => !process.exited);
      // Throws if none of them was killed.
      const at = alive.length > 0 ? random.pick(alive).process.url : url();
      ledger.sent += 1;
      const answer = await send(at, { ...request, token });
      if (answer !== undefined && answer.status !== 503 && nameOf(answer) !== STILL_AT_IT) return answer;
      ledger.inDoubt += 1;
      await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to));
    }
  }

  return {
    sendUntilAnswered,
    async expect(request, expected) {
      const answer = await sendUntilAnswered(request);
      if (!expected.includes(nameOf(answer))) {
        ledger.odd.push({ path: request.path, answer: nameOf(answer), body: answer.body });
      }
      return answer;
    },
  };
}
