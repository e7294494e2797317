import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { judge, type PartResult } from '../report/finding.ts';
import { medianOf, shownSpread } from '../report/statistics.ts';
import { BUILT_PROGRAM, SERVICE_PROGRAM, type SystemOptions, startSystem } from '../world/system.ts';
import type { Part } from './part.ts';

const POLL_EVERY_MS = 2;
const STARTS_OF_BUILT = 10;

/** From the start of the process, with an embedded database that exists and is stopped, to the first 200 of /readyz. */
export const start: Part = {
  name: 'start',
  heading: 'Start on an existing embedded database',
  async measure({ postgres, seed }, { effort }) {
    const DATA_DIR = path.join(postgres.directory, 'start');
    const variables = { DATA_DIR, STAFF_API_KEY: seed.staffApiKey };
    const system = { name: 'service', program: SERVICE_PROGRAM, variables };
    const goal = { mustReach: 1.5, aim: 0.8 };
    return startRepeatedly('Start on an existing embedded database, to ready', system, {
      ...goal,
      starts: effort.rounds,
    });
  },
};

/** The same of the production folder, on a database that exists and runs. */
export const startBuilt: Part = {
  name: 'start-built',
  heading: 'Start of the production folder on an existing database',
  async measure({ service, seed }) {
    if (!existsSync(BUILT_PROGRAM)) throw new Error('There is no dist: run npx pnpm@12 build first.');
    const variables = {
      DATABASE_URL: service.databaseUrl,
      TOKEN_SECRET: seed.tokenSecret,
      STAFF_API_KEY: seed.staffApiKey,
    };
    const system = { name: 'built service', program: BUILT_PROGRAM, variables };
    const goal = { mustReach: 0.5, starts: STARTS_OF_BUILT };
    return startRepeatedly('Start of the production folder on an existing database, to ready', system, goal);
  },
};

interface StartGoal {
  mustReach: number;
  aim?: number;
  starts: number;
}

async function startRepeatedly(work: string, system: SystemOptions, goal: StartGoal): Promise<PartResult> {
  const { starts, ...limits } = goal;
  await startOnce(system);
  const seconds: number[] = [];
  while (seconds.length < starts) seconds.push((await startOnce(system)) / 1_000);
  const reached = `${shownSpread(seconds)} s`;
  const judged = { value: medianOf(seconds), direction: 'at most', unit: ' s', ...limits } as const;
  return { findings: [judge(work, judged, reached)], details: [] };
}

async function startOnce(options: SystemOptions): Promise<number> {
  const system = await startSystem(options);
  try {
    while ((await fetch(`${system.url}/readyz`)).status !== 200) await delay(POLL_EVERY_MS);
    return performance.now() - system.startedAt;
  } finally {
    await system.stop();
  }
}
