import { setTimeout as delay } from 'node:timers/promises';
import { drawArrivals, type Random } from '@causeway/testing';
import { operationOn } from './operations.ts';
import { type Answer, nameOf, send } from './send.ts';
import type { Supplier, World } from './start-world.ts';

const CLIENTS = 32;
const SUPPLY_ADDRESSES = 200;

interface Load {
  ratePerSecond: number;
  durationMs: number;
}

/**
 * Calls that stage a new account each, the endpoint that a migration calls most: a landlord's with 200 supply addresses,
 * which is enough work for the service, so that an offered load beyond its capacity is still well within the capacity of
 * the generator on the same machine.
 */
export function createPortfolioLoad(world: World, supplier: Supplier, random: Random) {
  const { path, body: household } = operationOn(supplier, 'NUMBER', 'stage');
  const body = { ...household, supply_addresses: supplyAddresses() };
  const text = JSON.stringify(body);
  let number = 0;
  let acknowledged = 0;
  const stage = async (): Promise<Answer | undefined> => {
    number += 1;
    const request = { path, token: supplier.token, body: text.replace('NUMBER', `LOAD-${number}`) };
    const answer = await send(world.url(), request);
    if (answer?.status === 201) acknowledged += 1;
    return answer;
  };
  return {
    bodyBytes: Buffer.byteLength(text),
    /** The throughput of the service, in calls per second, with 32 clients that never pause. */
    async measureCapacity(durationMs: number): Promise<number> {
      const until = performance.now() + durationMs;
      let done = 0;
      const work = async () => {
        while (performance.now() < until) if ((await stage())?.status === 201) done += 1;
      };
      await Promise.all(Array.from({ length: CLIENTS }, work));
      return (done * 1000) / durationMs;
    },
    /** Calls at random times, however many are in flight. */
    offer: (load: Load) => offerLoad(drawArrivals(random, load), stage),
    /** Calls that were acknowledged so far. */
    acknowledged: () => acknowledged,
    /** Accounts that the database stores exactly as sent. */
    async countWhole(): Promise<number> {
      const { external_account_number: _, ...payload }: Record<string, unknown> = body;
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
  other: (Answer | undefined)[];
  /** When the last call had begun, on the clock of `performance`. */
  endedAt: number;
  /** How late each call was begun: the generator's part of a latency. */
  lateness: number[];
}

/** Starts each call at its arrival time, however many are in flight. */
export async function offerLoad(
  arrivals: readonly number[],
  perform: () => Promise<Answer | undefined>,
): Promise<Offered> {
  const offered: Offered = {
    ...{ calls: arrivals.length, accepted: [], refused: [], other: [], endedAt: 0 },
    lateness: [],
  };
  const startedAt = performance.now();
  const begin = async (intendedAt: number): Promise<void> => {
    offered.lateness.push(performance.now() - intendedAt);
    const answer = await perform();
    const latencyMs = performance.now() - intendedAt;
    if (answer?.status === 201) offered.accepted.push(latencyMs);
    else if (isRefusal(answer)) offered.refused.push(latencyMs);
    else offered.other.push(answer);
  };
  const calls: Promise<void>[] = [];
  for (const arrival of arrivals) {
    const waitMs = startedAt + arrival - performance.now();
    if (waitMs > 0) await delay(waitMs);
    calls.push(begin(startedAt + arrival));
  }
  offered.endedAt = performance.now();
  await Promise.all(calls);
  return offered;
}

const isRefusal = (answer: Answer | undefined): boolean =>
  nameOf(answer) === '503 service_unavailable' && answer?.headers.has('retry-after') === true;
