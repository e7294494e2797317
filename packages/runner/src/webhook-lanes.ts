import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClaimedEndpoint,
  claimWebhookEndpoints,
  deliverSlice,
  renewWebhookLeases,
  type WebhookDependencies,
} from '@causeway/domain';
import type { RunnerReport } from './runner-options.ts';
import type { Runner } from './start-runner.ts';

/** Who is told of what these lanes do. */
export interface WebhookReport extends Pick<RunnerReport, 'log'> {
  /** One attempt to send a message. */
  countMessage(outcome: 'accepted' | 'failed', seconds: number): void;
}

export interface WebhookLanesOptions {
  dependencies: WebhookDependencies;
  /** To how many endpoints something is sent at the same time. 0: that is left to other instances. */
  lanes: number;
  report: WebhookReport;
  /** After how long an endpoint that is only waited for leaves its lane. Default: 1,500 ms. */
  waitsAfterMs?: number | undefined;
}

const LOOKED_FOR_EVERY_MS = 500;
const RENEWED_EVERY_MS = 2_000;
/** Shorter than a lease: anyone who could not renew it has stopped when somebody else begins. */
const HELD_FOR_MS = 5_000;
/** Nothing is begun by now, only waited for: that takes nothing but a connection, and no lane. */
const WAITS_AFTER_MS = 1_500;
/** So long an endpoint whose secret cannot be read here is left to instances that have the right key. */
const LEFT_FOR_MS = 60_000;
/** How many endpoints there are to a lane at most, if most of them are slow to answer. */
const ENDPOINTS_PER_LANE = 4;

/** An endpoint that this process has claimed. */
interface Held extends Pick<ClaimedEndpoint, 'id' | 'lease'> {
  isFailing: boolean;
  begunAt: number;
  /** Until when messages may be begun, by this process's own clock. */
  until: number;
  ended: Promise<void>;
}

/**
 * Sends webhooks (behaviour 28.2) together with the lanes of other instances. Each lane has one endpoint for about a
 * second, and endpoints take turns: one that is slow to answer leaves its lane to others; those that fail have half of the
 * lanes at most. Nothing is kept in memory: what a dead instance had is sent by others when its leases have ended.
 */
export function startWebhookLanes(options: WebhookLanesOptions): Runner {
  if (options.lanes === 0) return { wake: () => undefined, stop: async () => undefined };
  const stopping = new AbortController();
  const lanes = new Lanes(options, stopping.signal);
  const ended = Promise.all([lanes.run(), lanes.renew()]);
  return {
    wake: () => lanes.wake(),
    async stop() {
      stopping.abort();
      lanes.wake();
      await ended;
    },
  };
}

class Lanes {
  readonly #options: WebhookLanesOptions;
  readonly #stopping: AbortSignal;
  readonly #held = new Map<string, Held>();
  /** Endpoints whose secrets cannot be read here, and until when they are left to others. */
  readonly #left = new Map<string, Date>();
  #woken = Promise.withResolvers<void>();
  #hasFailed = false;

  constructor(options: WebhookLanesOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
  }

  wake(): void {
    this.#woken.resolve();
  }

  /** Until it is told to stop, and what was begun has ended; never rejects. */
  async run(): Promise<void> {
    while (!this.#stopping.aborted) {
      this.#woken = Promise.withResolvers();
      const claimed = await this.#claim().catch(this.#warn);
      if (!claimed) await Promise.race([this.#woken.promise, delay(LOOKED_FOR_EVERY_MS)]);
    }
    await Promise.all([...this.#held.values()].map(({ ended }) => ended));
  }

  /** Keeps what it has; anyone who cannot keep an endpoint begins no further message to it. */
  async renew(): Promise<void> {
    while (!this.#stopping.aborted || this.#held.size > 0) {
      const ends = this.#stopping.aborted ? [...this.#held.values()].map(({ ended }) => ended) : [];
      await Promise.race([delay(RENEWED_EVERY_MS), ...ends]);
      if (this.#held.size === 0) continue;
      const begunAt = performance.now();
      const { database } = this.#options.dependencies;
      const asked = [...this.#held.values()];
      const kept = await renewWebhookLeases(database, asked).catch(this.#warn);
      if (kept === undefined) continue;
      // Of those that were deleted, disabled or taken over nothing is begun from now on.
      for (const held of asked) held.until = kept.includes(held.id) ? begunAt + HELD_FOR_MS : begunAt;
    }
  }

  async #claim(): Promise<number> {
    const { dependencies, lanes, waitsAfterMs = WAITS_AFTER_MS } = this.#options;
    const held = [...this.#held.values()];
    const begun = held.filter(({ begunAt }) => performance.now() - begunAt < waitsAfterMs).length;
    const free = Math.min(lanes - begun, lanes * ENDPOINTS_PER_LANE - held.length);
    if (free <= 0) return 0;
    const failing = held.filter(({ isFailing }) => isFailing).length;
    const now = dependencies.clock();
    // Before the claim: its answer may be late, and the lease counts from the claim.
    const begunAt = performance.now();
    const claimed = await claimWebhookEndpoints(dependencies.database, {
      ...{ now, healthy: free, failing: Math.ceil(lanes / 2) - failing },
      except: [...this.#left].flatMap(([id, until]) => (until > now ? [id] : [])),
    });
    for (const endpoint of claimed) this.#begin(endpoint, begunAt);
    return claimed.length;
  }

  #begin(endpoint: ClaimedEndpoint, claimedAt: number): void {
    const { id, lease, failures } = endpoint;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const begunAt = performance.now();
    const held: Held = { id, lease, isFailing: failures > 0, begunAt, until: claimedAt + HELD_FOR_MS, ended };
    this.#held.set(id, held);
    void this.#deliver(endpoint, held).then(() => {
      if (this.#held.get(id) === held) this.#held.delete(id);
      resolve();
      this.wake();
    });
  }

  async #deliver(endpoint: ClaimedEndpoint, held: Held): Promise<void> {
    const { dependencies, report } = this.#options;
    const mayBegin = () => !this.#stopping.aborted && performance.now() < held.until;
    try {
      const { countMessage } = report;
      const { disabled, isUnreadable } = await deliverSlice(dependencies, endpoint, { mayBegin, countMessage });
      this.#hasFailed = false;
      if (isUnreadable) this.#leave(endpoint);
      else this.#left.delete(endpoint.id);
      if (disabled === undefined) return;
      report.log('warn', 'webhook_endpoint_disabled', { webhook_endpoint_id: endpoint.id, reason: disabled });
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Told once, and again after it could be read. */
  #leave({ id }: ClaimedEndpoint): void {
    const { dependencies, report } = this.#options;
    if (!this.#left.has(id)) report.log('warn', 'webhook_secret_unreadable', { webhook_endpoint_id: id });
    this.#left.set(id, new Date(dependencies.clock().getTime() + LEFT_FOR_MS));
  }

  /** Of failures in a row only the first is told. */
  readonly #warn = (error: unknown): undefined => {
    if (!this.#hasFailed) this.#options.report.log('warn', 'webhook_lane_failed', { error });
    this.#hasFailed = true;
  };
}
