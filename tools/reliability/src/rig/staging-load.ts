import { drawArrivals, type Random } from '@causeway/testing';
import { createLightClient, type LightAnswer } from './light-client.ts';
import { operationOn } from './operations.ts';
import type { Supplier, World } from './start-world.ts';

const CLIENTS = 32;
const SUPPLY_ADDRESSES = 200;

interface Load {
  ratePerSecond: number;
  durationMs: number;
}

/** Calls that stage a new account each: the endpoint that a migration calls most. */
export interface StagingLoad extends Disposable {
  /** Bytes of a call's body. */
  readonly bodyBytes: number;
  /** The throughput of the service, in calls per second, with 32 clients that never pause. */
  measureCapacity(durationMs: number): Promise<number>;
  /** Calls at random times, however many are in flight. */
  offer(load: Load): Promise<Offered>;
  /** Calls that were acknowledged so far. */
  readonly acknowledged: number;
  /** Accounts that the database stores exactly as sent. */
  countWhole(): Promise<number>;
}

/** A household each. */
export function createStagingLoad(world: World, supplier: Supplier, random: Random): StagingLoad {
  return createLoad({ world, supplier, random, body: operationOn(supplier, 'NUMBER', 'stage').body });
}

/**
 * A landlord's account with 200 supply addresses each: enough work for the service, so that an offered load beyond its
 * capacity is still well within the capacity of the generator on the same machine.
 */
export function createPortfolioLoad(world: World, supplier: Supplier, random: Random): StagingLoad {
  const { body } = operationOn(supplier, 'NUMBER', 'stage');
  return createLoad({ world, supplier, random, body: { ...body, supply_addresses: supplyAddresses() } });
}

interface LoadOptions {
  world: World;
  supplier: Supplier;
  random: Random;
  /** Of the account NUMBER. */
  body: Record<string, unknown>;
}

function createLoad({ world, supplier, random, body }: LoadOptions): StagingLoad {
  const [before = '', after = ''] = JSON.stringify(body).split('NUMBER');
  const rest = Buffer.from(after);
  const { path } = operationOn(supplier, 'NUMBER', 'stage');
  const client = createLightClient({ url: world.url(), path, token: supplier.token, travel: random.fork('travel') });
  let number = 0;
  let acknowledged = 0;
  const stage = async (): Promise<LightAnswer> => {
    number += 1;
    const answer = await client.post(`${before}LOAD-${number}`, rest);
    if (answer.status === 201) acknowledged += 1;
    return answer;
  };
  return {
    bodyBytes: Buffer.byteLength(before) + rest.length,
    async measureCapacity(durationMs) {
      const until = performance.now() + durationMs;
      let done = 0;
      const work = async () => {
        while (performance.now() < until) if ((await stage()).status === 201) done += 1;
      };
      await Promise.all(Array.from({ length: CLIENTS }, work));
      return (done * 1000) / durationMs;
    },
    offer: (load) => offerLoad(drawArrivals(random, load), stage),
    get acknowledged() {
      return acknowledged;
    },
    async countWhole() {
      const { external_account_number: _, ...payload } = body;
      // Only one is compared with what was sent, and the others with it: containment takes 30 ms for a large account.
      return world.count(
        `WITH load AS MATERIALIZED (
          SELECT payload FROM account_imports WHERE external_account_number LIKE 'LOAD-%' AND payload @> $1 LIMIT 1
        )
        SELECT count(*) FROM account_imports
        WHERE external_account_number LIKE 'LOAD-%'
          AND payload - 'external_account_number' = (SELECT payload - 'external_account_number' FROM load)`,
        [JSON.stringify(payload)],
      );
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

/** Each with electricity and gas, a meter and its last readings. */
function supplyAddresses(): Record<string, unknown>[] {
  const meterPoint = (index: number, supply_type: 'ELECTRICITY' | 'GAS') => ({
    ...{ identifier: `12000233${supply_type.length}${10_000 + index}`, supply_type, supply_start_date: '2019-04-01' },
    agreements: [{ tariff_code: 'FIXED-24', effective_from: '2024-04-01' }],
    meters: [
      {
        meter_serial_number: `E${supply_type}${index}`.slice(0, 12),
        installed_on: '2018-02-01',
        registers: [{ register_id: '1', number_of_digits: 5 }],
        reading_history: [
          {
            register_id: '1',
            reading_date: '2025-10-31',
            reading_value: `${12_000 + index}.5`,
            reading_type: 'ACTUAL',
          },
        ],
      },
    ],
  });
  return Array.from({ length: SUPPLY_ADDRESSES }, (_, index) => ({
    ...{ supply_address1: `Flat ${index + 1}`, supply_address2: '12 Alder Row', supply_address3: 'Leeds' },
    ...{ supply_postcode: 'LS1 4AP', customer_at_supply_address_from_date: '2019-04-01', is_landlord: true },
    meter_points: [meterPoint(index, 'ELECTRICITY'), meterPoint(index, 'GAS')],
  }));
}

/** The result of an open loop. Latencies and lateness are milliseconds after the intended start of the call. */
export interface Offered {
  calls: number;
  /** Of the answers 201. */
  accepted: number[];
  /** Of 503 `service_unavailable` with Retry-After. */
  refused: number[];
  /** All other answers; none is expected. */
  other: LightAnswer[];
  /** When the last call had begun, on the clock of `performance`. */
  endedAt: number;
  /** How late each call was sent: the generator's part of a latency. */
  lateness: number[];
}

const ACCEPTED = 1;
const REFUSED = 2;

/**
 * Starts each call at its arrival time, however many are in flight. It stores nine bytes per call and no object:
 * otherwise, after ten minutes at a thousand a second, garbage collection would delay the calls.
 */
export async function offerLoad(arrivals: readonly number[], perform: () => Promise<LightAnswer>): Promise<Offered> {
  const latencies = new Float32Array(arrivals.length);
  const lateness = new Float32Array(arrivals.length);
  const kinds = new Uint8Array(arrivals.length);
  const other: LightAnswer[] = [];
  const startedAt = performance.now();
  let begun = 0;
  let endedAt = startedAt;
  let ended = 0;
  const begin = async (index: number, intendedAt: number, finish: () => void): Promise<void> => {
    const answer = await perform();
    latencies[index] = performance.now() - intendedAt;
    lateness[index] = answer.sentAt - intendedAt;
    kinds[index] = kindOf(answer);
    if (kinds[index] === 0) other.push(answer);
    ended += 1;
    if (ended === arrivals.length) finish();
  };
  await new Promise<void>((resolve) => {
    const beginDue = () => {
      const now = performance.now() - startedAt;
      for (let next = arrivals[begun]; next !== undefined && next <= now; next = arrivals[begun]) {
        void begin(begun, startedAt + next, resolve);
        begun += 1;
      }
      const next = arrivals[begun];
      if (next !== undefined) setTimeout(beginDue, Math.max(0, next - now));
      else endedAt = performance.now();
    };
    beginDue();
    if (arrivals.length === 0) resolve();
  });
  const latenciesOf = (kind: number) => Array.from(latencies.filter((_, index) => kinds[index] === kind));
  return {
    ...{ calls: arrivals.length, accepted: latenciesOf(ACCEPTED), refused: latenciesOf(REFUSED) },
    ...{ other, endedAt, lateness: Array.from(lateness) },
  };
}

function kindOf({ status, retryAfter, code }: LightAnswer): number {
  if (status === 201) return ACCEPTED;
  return status === 503 && retryAfter && code === 'service_unavailable' ? REFUSED : 0;
}
