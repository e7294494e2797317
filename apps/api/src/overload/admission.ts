import type { ServerResponse } from 'node:http';
import { requestFacts } from '../http/request-facts.ts';
import type { WireRefusal } from '../http/wire-refusal.ts';
import { Company } from './company.ts';
import {
  type AdmissionLimits,
  type DatabaseWaiters,
  type InstanceLoad,
  LIMIT_NAMES,
  type LimitName,
  limitMet,
  TOO_BUSY,
  TOO_MUCH_IN_FLIGHT,
} from './limits.ts';
import { Load } from './load.ts';
import type { Party, Work } from './party.ts';
import { AtWork, endWork, UnreadAnswers } from './work.ts';

/** The figures for operators. */
export interface AdmissionCounts {
  readonly atWork: number;
  readonly millisecondsEach: number;
  readonly unreadBytes: number;
  readonly refused: Readonly<Record<LimitName, number>>;
}

/**
 * Overload is refused early, before the body is read, from this instance's own measurements. A client that is still
 * sending its body (or never does) is not work yet and holds no place. The party with the most in flight is refused
 * first.
 */
export class Admission {
  readonly company = new Company();
  readonly #limits: AdmissionLimits;
  readonly #work: AtWork;
  readonly #unread: UnreadAnswers;
  readonly #standing: InstanceLoad;
  readonly #refused = Object.fromEntries(LIMIT_NAMES.map((name) => [name, 0])) as Record<LimitName, number>;
  #refusingMs = 0;
  /** Ends its measurements. */
  readonly stop: () => void;

  constructor(waiters: DatabaseWaiters, limits: AdmissionLimits) {
    const work = new AtWork(limits.requestsAtWork);
    const unread = new UnreadAnswers(limits.unreadBytes);
    const { company } = this;
    const recent = new Load({
      done: () => ({ finished: work.finished, refusingMs: this.#refusingMs }),
      limits,
      atWork: () => work.requests.used,
      isUsedUp: () => lacksConnections(waiters, work) || work.isUsedUp,
      onSample(sample) {
        company.age(sample);
        unread.count();
        work.tidy();
      },
    });
    this.#limits = limits;
    this.#work = work;
    this.#unread = unread;
    this.#standing = { work, company, waiters, unread, recent, limits };
    this.stop = recent.stop;
  }

  /** The refusal, `service_unavailable`, while the party holds more than its share of what can be processed in time. */
  overload(party: Party): WireRefusal | undefined {
    const limit = limitMet(this.#standing, party);
    return limit === undefined ? undefined : this.#refuse(party, limit);
  }

  /**
   * Counts the request as its party's work until `endWork`. Resolves when its turn comes, or is undefined if that is
   * now; also resolves if the client disconnects before. The more `bytes` a body has, the longer others have to wait
   * for it. Throws or rejects with the refusal if the party now holds more than its share, or its turn does not come in
   * time.
   */
  countWork(response: ServerResponse, bytes = 0): Promise<void> | undefined {
    // Its client has left, and nobody would tell when it closes.
    if (response.destroyed) return undefined;
    const { party, work } = requestFacts(response);
    // Many may have been admitted before the first one had sent its body.
    if (work === undefined && !this.#work.requests.mayTakeMore(party)) throw this.#refuse(party, 'requests_at_work');
    const begun = this.#begin(response, bytes);
    return begun.started && this.#inTime(party, begun);
  }

  /** Waits for an external call: that is not work of this instance, and holds no place. */
  async waitWithoutWork<T>(response: ServerResponse, wait: () => Promise<T>): Promise<T> {
    endWork(response);
    try {
      return await wait();
    } finally {
      // It continues, however long its turn takes: the external call has happened.
      await this.#begin(response, 0).started;
    }
  }

  /** Records how long a refusal took, so that it does not count as the cost of requests. */
  countRefusal(milliseconds: number): void {
    this.#refusingMs += milliseconds;
  }

  get counts(): AdmissionCounts {
    const { millisecondsEach } = this.#standing.recent.cost;
    const [atWork, unreadBytes] = [this.#work.requests.used, this.#unread.share.used];
    return { atWork, millisecondsEach, unreadBytes, refused: this.#refused };
  }

  #begin(response: ServerResponse, bytes: number): Work {
    const facts = requestFacts(response);
    if (facts.work === undefined) {
      this.#unread.watch(response);
      // A client that reads its answer slowly is not work any more.
      response.once('prefinish', () => endWork(response));
      response.once('close', () => {
        // Work that has started continues without its client, and counts until it is done.
        if (facts.work?.isWaiting) facts.work.end();
      });
    }
    facts.work?.end();
    facts.work = this.#work.begin(facts.party, bytes);
    this.company.meet(facts.party);
    return facts.work;
  }

  /** Waits until the request's turn has come; what comes too late is work no more, and refused. */
  async #inTime(party: Party, { started, end }: Work): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, this.#limits.turnWaitMs);
    await started;
    clearTimeout(timer);
    if (isLate) throw this.#refuse(party, 'expected_wait');
  }

  #refuse(party: Party, limit: LimitName): WireRefusal {
    this.#refused[limit] += 1;
    return this.#work.requests.parties > 1 && party.atWork > 0 ? TOO_MUCH_IN_FLIGHT : TOO_BUSY;
  }
}

/** A party that waits for its own connections does not block others. */
function lacksConnections({ pool, connections: { queue } }: DatabaseWaiters, { requests }: AtWork): boolean {
  return pool.waitingCount > 0 || (requests.parties > 0 && queue.parties >= requests.parties);
}
