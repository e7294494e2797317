import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { judge } from '../report/finding.ts';
import { medianOf, shownSpread } from '../report/statistics.ts';
import { SERVICE_PROGRAM, startSystem } from '../world/system.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

const POLL_EVERY_MS = 2;

/** From the start of the process, with an embedded database that exists and is stopped, to the first 200 of /readyz. */
export const start: Part = {
  name: 'start',
  heading: 'Start on an existing embedded database',
  async measure(world, { effort }) {
    await startOnce(world);
    const milliseconds: number[] = [];
    while (milliseconds.length < effort.rounds) milliseconds.push(await startOnce(world));
    const goal = {
      value: medianOf(milliseconds) / 1_000,
      direction: 'at most',
      mustReach: 1.5,
      aim: 0.8,
      unit: ' s',
    } as const;
    const reached = `${shownSpread(milliseconds.map((time) => time / 1_000))} s`;
    return { findings: [judge('Start on an existing embedded database, to ready', goal, reached)], details: [] };
  },
};

async function startOnce({ postgres, seed }: World): Promise<number> {
  const DATA_DIR = path.join(postgres.directory, 'start');
  const variables = { DATA_DIR, STAFF_API_KEY: seed.staffApiKey };
  const system = await startSystem({ name: 'service', program: SERVICE_PROGRAM, variables });
  try {
    while ((await fetch(`${system.url}/readyz`)).status !== 200) await delay(POLL_EVERY_MS);
    return performance.now() - system.startedAt;
  } finally {
    await system.stop();
  }
}
