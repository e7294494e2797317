import { createHash } from 'node:crypto';
import type { Database } from '@causeway/db';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { clientNetwork } from './client-network.ts';

/** One attempt to obtain a token: from where, with which API key or refresh token. */
export interface Attempt {
  address: string;
  credential: string;
}

/** How many failed attempts a minute are answered, over all instances. */
export interface AttemptLimits {
  perAddress: number;
  /** Lower, so that one client with a bad key does not use up the address it shares with others. */
  perAddressAndPrefix: number;
}

/** Counts failed attempts; both questions answer with the seconds to wait, or undefined where there is no need to. */
export interface AttemptLimiter {
  /** Asked before a key is looked at. */
  waitBefore(attempt: Attempt): Promise<number | undefined>;
  /** Counts a failure, exactly also for attempts at the same time. */
  countFailure(attempt: Attempt): Promise<number | undefined>;
  /** A credential that worked from an address is not refused there because of what others behind it do. */
  rememberSuccess(attempt: Attempt): Promise<void>;
}

const WINDOW_S = 60;
const SUCCESS_REMEMBERED_FOR_S = 24 * 60 * 60;
const PREFIX_LENGTH = 16; // cw_supplier_ and four characters

/** Keeps its counts in the table `rate_limits`. A failure of the database is thrown: nobody gets in on it. */
export function createAttemptLimiter(database: Database, limits: AttemptLimits): AttemptLimiter {
  const shared = { storeClient: database.pool, storeType: 'pool', tableName: 'rate_limits', tableCreated: true };
  const window = { ...shared, duration: WINDOW_S, clearExpiredByTimeout: false };
  const byAddress = new RateLimiterPostgres({ ...window, keyPrefix: 'token_address', points: limits.perAddress });
  const byPrefix = new RateLimiterPostgres({
    ...window,
    keyPrefix: 'token_prefix',
    points: limits.perAddressAndPrefix,
  });
  // One of the three clears the table's expired rows for all.
  const successes = new RateLimiterPostgres({
    ...shared,
    keyPrefix: 'token_success',
    points: 1,
    duration: SUCCESS_REMEMBERED_FOR_S,
    clearExpiredByTimeout: true,
  });

  return {
    async waitBefore(attempt) {
      const { network, prefix, credential } = keysOf(attempt);
      const [prefixCount, addressCount] = await Promise.all([byPrefix.get(prefix), byAddress.get(network)]);
      const used = [
        { count: prefixCount, limit: limits.perAddressAndPrefix },
        { count: addressCount, limit: limits.perAddress },
      ].find(({ count, limit }) => count !== null && count.consumedPoints >= limit);
      if (!used?.count || (await successes.get(credential)) !== null) {
        return undefined;
      }
      return secondsUntil(used.count);
    },
    async countFailure(attempt) {
      const { network, prefix } = keysOf(attempt);
      return (await consume(byPrefix, prefix)) ?? (await consume(byAddress, network));
    },
    async rememberSuccess(attempt) {
      await successes.set(keysOf(attempt).credential, 1, SUCCESS_REMEMBERED_FOR_S);
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<number | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (reason) {
    if (reason instanceof RateLimiterRes) {
      return secondsUntil(reason);
    }
    throw reason;
  }
}

function secondsUntil(count: RateLimiterRes): number {
  return Math.max(1, Math.ceil(count.msBeforeNext / 1000));
}

/** Row keys hold digests, never the text of a credential. */
function keysOf({ address, credential }: Attempt): { network: string; prefix: string; credential: string } {
  const network = clientNetwork(address);
  return {
    network,
    prefix: `${network} ${shortDigest(credential.slice(0, PREFIX_LENGTH))}`,
    credential: `${network} ${shortDigest(credential)}`,
  };
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
