import type { ServerResponse } from 'node:http';
import { requestFacts } from '../request/request-facts.ts';
import { createFairShare, type FairShare } from './fair-share.ts';
import { createLoopKeepers, type LoopKeepers } from './loop-keepers.ts';
import { createTurns, type Turn, type Turns } from './turns.ts';
import type { UnreadAnswers } from './unread-answers.ts';

/** What the instance has at work, and whose it is. */
export interface Work {
  /** Requests whose body has arrived and whose answer is not out. */
  readonly requests: FairShare;
  /** The same by what they cost the event loop: a large body as much as many small ones. */
  readonly weights: FairShare;
  readonly keepers: LoopKeepers;
  readonly turns: Pick<Turns, 'areUsedUp'>;
  /**
   * Counts the request as its party's work until `endWork`, or anew where it has been; its turn comes sooner or later.
   */
  begin(response: ServerResponse, bytes: number): Turn;
  /** To be called now and then. */
  tidy(): void;
}

export interface WorkOptions {
  mostRequests: number;
  unread: UnreadAnswers;
  onFinished: () => void;
}

const USUAL_BODY_BYTES = 8_000;
/** From this size on, a body blocks the event loop noticeably. */
const HEAVY_BODY_BYTES = 64_000;

export function createWork({ mostRequests, unread, onFinished }: WorkOptions): Work {
  const requests = createFairShare(mostRequests);
  const weights = createFairShare(Number.POSITIVE_INFINITY);
  const turns = createTurns();
  const keepers = createLoopKeepers();
  return {
    requests,
    weights,
    keepers,
    turns,
    begin(response, bytes) {
      const facts = requestFacts(response);
      const { party = '' } = facts;
      facts.endWork?.();
      if (facts.endWork === undefined) watch(response, unread);
      const weight = 1 + Math.floor(bytes / USUAL_BODY_BYTES);
      requests.take(party, 1);
      weights.take(party, weight);
      const turn = turns.take(party, bytes > HEAVY_BODY_BYTES);
      let working = true;
      facts.endWork = () => {
        if (!working) return;
        working = false;
        requests.take(party, -1);
        weights.take(party, -weight);
        onFinished();
        turn.end();
      };
      keepers.meet(party);
      facts.countLoopTime = (milliseconds) => keepers.add(party, milliseconds);
      facts.isAlone = () => keepers.isAlone(party);
      facts.isWaiting = () => working && turn.isWaiting();
      return turn;
    },
    tidy: () => turns.tidy(),
  };
}

function watch(response: ServerResponse, unread: UnreadAnswers): void {
  const facts = requestFacts(response);
  unread.watch(response);
  // A client that reads its answer slowly is not work any more.
  response.on('prefinish', () => facts.endWork?.());
  response.on('close', () => {
    unread.forget(response);
    // Work that has started continues without its client, and counts until it is done.
    if (facts.isWaiting?.()) facts.endWork?.();
  });
}
