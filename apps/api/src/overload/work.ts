import type { ServerResponse } from 'node:http';
import { requestFacts } from '../http/request-facts.ts';
import { type Party, Share, type Work } from './party.ts';
import { PartyQueue, type Place } from './party-queue.ts';

const USUAL_BODY_BYTES = 8_000;
/** From this size on, a body blocks the event loop noticeably. */
const HEAVY_BODY_BYTES = 64_000;

/**
 * The requests of one party that may be worked on concurrently, alone and in company. Waiting for a turn costs almost
 * nothing, while running work delays all others in each turn of the event loop.
 */
const MOST = { alone: { all: 128, heavy: 8 }, inCompany: { all: 8, heavy: 1 } };
/** A party with work within this time counts as company. */
const COMPANY_FOR_MS = 1_000;

/** What the instance has at work, and whose it is: a party with much work waits for itself and delays no others. */
export class AtWork {
  readonly requests: Share;
  readonly weights = new Share('weight', Number.POSITIVE_INFINITY);
  readonly #queue = new PartyQueue();
  /** The parties with work, and when each had begun some. */
  readonly #parties = new Map<Party, number>();
  readonly #now: () => number;
  finished = 0;

  constructor(mostRequests: number, now: () => number = () => performance.now()) {
    this.requests = new Share('atWork', mostRequests);
    this.#now = now;
  }

  /** Whether a party that is alone waits for itself: the instance then does what it can. */
  get isUsedUp(): boolean {
    return this.#parties.size === 1 && this.#queue.waiting > 0;
  }

  begin(party: Party, bytes: number): Work {
    const weight = 1 + Math.floor(bytes / USUAL_BODY_BYTES);
    const isHeavy = bytes > HEAVY_BODY_BYTES;
    this.#parties.set(party, this.#now());
    this.requests.take(party, 1);
    this.weights.take(party, weight);
    const run = () => {
      work.isWaiting = false;
      count(party, isHeavy, 1);
    };
    let isOver = false;
    let place: Place | undefined;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.requests.take(party, -1);
      this.weights.take(party, -weight);
      this.finished += 1;
      if (work.isWaiting) place?.leave();
      else count(party, isHeavy, -1);
      work.isWaiting = false;
      this.#startWaiting();
    };
    const work: Work = { started: undefined, isWaiting: true, end };
    // Light work may overtake heavy work.
    if (this.#mayStart(party, isHeavy) && !(isHeavy && this.#queue.waitingOf(party) > 0)) run();
    else place = this.#queue.enter(party, run, isHeavy);
    work.started = place?.started;
    return work;
  }

  /** Call it periodically: forgets parties that have been idle, so that one that is now alone may run more. */
  tidy(): void {
    for (const [party, at] of this.#parties) {
      if (party.atWork === 0 && this.#now() - at > COMPANY_FOR_MS) this.#parties.delete(party);
    }
    this.#startWaiting();
  }

  #mayStart({ running }: Party, isHeavy: boolean): boolean {
    const most = this.#parties.size === 1 ? MOST.alone : MOST.inCompany;
    return running.all < most.all && (!isHeavy || running.heavy < most.heavy);
  }

  #startWaiting(): void {
    while (this.#queue.waiting > 0 && this.#queue.startNext((party, isHeavy) => this.#mayStart(party, isHeavy)));
  }
}

function count({ running }: Party, isHeavy: boolean, by: 1 | -1): void {
  running.all += by;
  if (isHeavy) running.heavy += by;
}

/** Ends the request's work, if it has any: its answer is sent, or waits for its reader. */
export function endWork(response: ServerResponse): void {
  requestFacts(response).work?.end();
}

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
