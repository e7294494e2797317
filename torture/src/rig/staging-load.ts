import { drawArrivals, type Random, runOpenLoop, type Timed } from '@causeway/testing';
import { createLightClient, type LightAnswer } from './light-client.ts';
import { operationOn } from './operations.ts';
import type { Supplier, World } from './start-world.ts';

const CLIENTS = 32;

/** Calls that stage a new account each: the endpoint that a migration calls most. */
export interface StagingLoad extends Disposable {
  /** Calls a second that the service manages when 32 clients never pause. */
  measureCapacity(durationMs: number): Promise<number>;
  /** Calls at drawn times, however many are under way. */
  run(load: { ratePerSecond: number; durationMs: number }): Promise<Timed<LightAnswer>[]>;
  /** Calls that were acknowledged so far. */
  readonly acknowledged: number;
  /** Accounts that the database holds just as they were sent. */
  countWhole(): Promise<number>;
}

export function createStagingLoad(world: World, supplier: Supplier, random: Random): StagingLoad {
  const { path, body } = operationOn(supplier, 'NUMBER', 'stage');
  const template = JSON.stringify(body).split('NUMBER');
  const client = createLightClient(world.url(), path, supplier.token);
  let number = 0;
  let acknowledged = 0;
  const stage = async (): Promise<LightAnswer> => {
    number += 1;
    const answer = await client.post(template.join(`LOAD-${number}`));
    if (answer.status === 201) acknowledged += 1;
    return answer;
  };
  return {
    async measureCapacity(durationMs) {
      const until = performance.now() + durationMs;
      let done = 0;
      const work = async () => {
        while (performance.now() < until) if ((await stage()).status === 201) done += 1;
      };
      await Promise.all(Array.from({ length: CLIENTS }, work));
      return (done * 1000) / durationMs;
    },
    run: (load) => runOpenLoop(drawArrivals(random, load), stage),
    get acknowledged() {
      return acknowledged;
    },
    async countWhole() {
      const { external_account_number: _, ...payload } = body;
      const [row] = await world.query<{ whole: number }>(
        "SELECT count(*)::int AS whole FROM account_imports WHERE external_account_number LIKE 'LOAD-%' AND payload @> $1",
        [JSON.stringify(payload)],
      );
      return row?.whole ?? 0;
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
