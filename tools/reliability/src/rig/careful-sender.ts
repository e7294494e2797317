import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { STILL_AT_IT } from './operations.ts';
import { type Answer, nameOf, type Request, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What a supplier's clients know about their requests. */
export interface SendLedger {
  sent: number;
  /** Requests without an answer, or with one that does not say whether they took effect. */
  inDoubt: number;
  /** The same by what came: `no answer`, `503 service_unavailable`. */
  doubts: Record<string, number>;
  /** Answers that must not occur. */
  odd: unknown[];
}

export const emptyLedger = (): SendLedger => ({ sent: 0, inDoubt: 0, doubts: {}, odd: [] });

/** Sends like a careful supplier. */
export interface CarefulSender {
  /** Repeats a request without an answer, or with 503, until it is answered, on any instance. */
  sendUntilAnswered(request: Request): Promise<Answer>;
  /** The same; another answer than these is odd. */
  expect(request: Request, expected: readonly string[]): Promise<Answer>;
}

type SentIn = Pick<ServiceWorld, 'instances' | 'url'>;

/** The pause before a request is repeated. */
const PAUSE_MS = { from: 20, to: 120 };

export function carefulSender(
  world: SentIn,
  { token }: Pick<Supplier, 'token'>,
  { ledger, random }: { ledger: SendLedger; random: Random },
): CarefulSender {
  async function sendUntilAnswered(request: Request): Promise<Answer> {
    for (;;) {
      const alive = world.instances.filter(({ process }) => !process.exited);
      // Throws if none of them was killed.
      if (alive.length === 0) world.url();
      else {
        ledger.sent += 1;
        const answer = await send(random.pick(alive).process.url, { ...request, token });
        const name = nameOf(answer);
        if (answer?.status === 503 && !answer.headers.has('retry-after')) ledger.odd.push({ request, answer });
        if (answer !== undefined && answer.status !== 503 && name !== STILL_AT_IT) return answer;
        ledger.inDoubt += 1;
        ledger.doubts[name] = (ledger.doubts[name] ?? 0) + 1;
      }
      await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to));
    }
  }

  return {
    sendUntilAnswered,
    async expect(request, expected) {
      const answer = await sendUntilAnswered(request);
      const name = nameOf(answer);
      if (!expected.includes(name)) ledger.odd.push({ path: request.path, answer: name, body: answer.body });
      return answer;
    },
  };
}
