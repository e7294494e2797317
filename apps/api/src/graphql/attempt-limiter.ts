import { createHash } from 'node:crypto';
import type { Database } from '@causeway/db';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { clientNetworks } from '../http/client-network.ts';
import { boundedCache, createCallCounter } from './call-counter.ts';
import { GraphqlRefusal } from './refusals.ts';

/** One attempt to obtain a token: from where, with which API key or refresh token. */
export interface Attempt {
  address: string;
  credential: string;
}

/** The limits per minute. The limits of an address are wider by `SITE_FACTOR` for the /48 around an IPv6 address. */
export interface AttemptLimits {
  /** Failed attempts, over all instances. */
  perAddress: number;
  /** Lower, so that one client with a bad key does not use up the failures of a shared address. */
  perAddressAndPrefix: number;
  /** Successful attempts, per instance. */
  callsPerAddress: number;
  /** Lower, so that one client does not use up the calls of a shared address. */
  callsPerKey: number;
  /** Documents without a credential, per instance: mainly introspection and malformed documents. */
  queriesPerAddress: number;
}

/**
 * Limits failures to bound guessing, and successes to bound their cost. A credential is looked up before it is refused,
 * so that the failures of others at an address do not lock out a valid one. Their cost to the database is bounded too:
 * beyond ten times the limit, only credentials that this instance knows to be valid are looked up.
 */
export interface AttemptLimiter {
  /** Called before a credential is looked up, without a query. Throws a `GraphqlRefusal` with the seconds to wait. */
  refuseUnlookedAt(attempt: Attempt): void;
  /** Counts a failure, exactly even for concurrent attempts. Throws a `GraphqlRefusal` if there were too many. */
  countFailure(attempt: Attempt): Promise<void>;
  /** Counts a success; `credentials` are those of this API key that are valid from now on. */
  countSuccess(attempt: Attempt, apiKeyId: string, credentials: string[]): void;
  /** Throws a `GraphqlRefusal` if `countQuery` would. */
  refuseQueries(address: string): void;
  /** Counts a document without a credential. Throws a `GraphqlRefusal` if there were too many. */
  countQuery(address: string): void;
}

const WINDOW_S = 60;
const SITE_FACTOR = 5;
const LOOK_UP_FACTOR = 10;
const MAX_KNOWN_CREDENTIALS = 20_000;
const MAX_KNOWN_NETWORKS = 20_000;
const PREFIX_LENGTH = 16; // cw_supplier_ and four characters

/**
 * Failures are counted in the table `rate_limits`. A database failure is thrown: no caller is admitted because of it.
 */
export function createAttemptLimiter(database: Database, limits: AttemptLimits, clock: () => Date): AttemptLimiter {
  const known = boundedCache<string>(MAX_KNOWN_CREDENTIALS);
  const failures = countFailures(database, limits, clock);
  const byKey = createCallCounter(limits.callsPerKey, clock);
  const [lookUps, calls, queries] = [
    limits.perAddress * LOOK_UP_FACTOR,
    limits.callsPerAddress,
    limits.queriesPerAddress,
  ].map((limit) => countByNetwork(limit, clock)) as [NetworkCounter, NetworkCounter, NetworkCounter];

  const refuseQueries = (address: string) => refuseAfter('tooManyCalls', queries.waitFor(address));

  return {
    refuseUnlookedAt({ address, credential }) {
      const apiKeyId = known.get(shortDigest(credential));
      if (apiKeyId === undefined) refuseAfter('tooManyFailures', lookUps.waitFor(address));
      else refuseAfter('tooManyCalls', byKey.waitFor(apiKeyId), apiKeyId);
      refuseAfter('tooManyCalls', calls.waitFor(address), apiKeyId);
    },
    async countFailure({ address, credential }) {
      known.delete(shortDigest(credential));
      lookUps.count(address);
      refuseAfter('tooManyFailures', await failures(clientNetworks(address), credential));
    },
    countSuccess({ address }, apiKeyId, credentials) {
      byKey.count(apiKeyId);
      calls.count(address);
      for (const credential of credentials) known.set(shortDigest(credential), apiKeyId);
    },
    refuseQueries,
    countQuery(address) {
      refuseQueries(address);
      queries.count(address);
    },
  };
}

type NetworkCounter = ReturnType<typeof countByNetwork>;

function countByNetwork(limit: number, clock: () => Date) {
  const counters = [createCallCounter(limit, clock), createCallCounter(limit * SITE_FACTOR, clock)];
  const each = (address: string) => clientNetworks(address).map((network, width) => ({ network, width }));
  return {
    waitFor: (address: string) =>
      each(address)
        .map(({ network, width }) => counters[width]?.waitFor(network))
        .find((waitS) => waitS !== undefined),
    count(address: string) {
      for (const { network, width } of each(address)) counters[width]?.count(network);
    },
  };
}

/**
 * Counts a failure for its prefix, then for each network, until one is over its limit; then returns the seconds to
 * wait.
 */
function countFailures(database: Database, { perAddress, perAddressAndPrefix }: AttemptLimits, clock: () => Date) {
  const shared = { storeClient: database.pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
  // A counter over its limit is refused from memory until its minute is over: a flood writes nothing.
  const limiter = (keyPrefix: string, points: number, clearExpiredByTimeout = false) =>
    new RateLimiterPostgres({
      ...{ ...shared, keyPrefix, points, duration: WINDOW_S, clearExpiredByTimeout },
      inMemoryBlockOnConsumed: points,
    });
  // One of them clears the table's expired rows for all.
  const byNetwork = [limiter('token_address', perAddress, true), limiter('token_site', perAddress * SITE_FACTOR)];
  const byPrefix = limiter('token_prefix', perAddressAndPrefix);
  const refusedUntil = boundedCache<number>(MAX_KNOWN_NETWORKS);

  return async (networks: readonly string[], credential: string): Promise<number | undefined> => {
    for (const network of networks) {
      const waitMs = (refusedUntil.get(network) ?? 0) - clock().getTime();
      if (waitMs > 0 && waitMs <= WINDOW_S * 1_000) return Math.ceil(waitMs / 1_000);
    }
    // Row keys contain digests, never a credential itself.
    const prefix = `${networks[0]} ${shortDigest(credential.slice(0, PREFIX_LENGTH))}`;
    const counts = [{ limiter: byPrefix, key: prefix }];
    for (const [width, network] of networks.entries()) {
      const limiterOfWidth = byNetwork[width];
      if (limiterOfWidth) counts.push({ limiter: limiterOfWidth, key: network });
    }
    for (const { limiter, key } of counts) {
      const waitS = await consume(limiter, key);
      if (waitS === undefined) continue;
      if (limiter !== byPrefix) refusedUntil.set(key, clock().getTime() + waitS * 1_000);
      return waitS;
    }
    return undefined;
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (reason) {
    if (reason instanceof RateLimiterRes) return Math.max(1, Math.ceil(reason.msBeforeNext / 1_000));
    throw reason;
  }
}

/** Only a caller with a valid key is answered immediately. */
function refuseAfter(
  refusalName: 'tooManyFailures' | 'tooManyCalls',
  waitS: number | undefined,
  goodApiKeyId?: string,
): void {
  if (waitS !== undefined) throw new GraphqlRefusal(refusalName, waitS, goodApiKeyId === undefined);
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
