import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { progress } from '../progress.ts';
import { type Finding, judge, type PartResult, table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { measureJob } from '../world/bulk-job.ts';
import { residentMb, watchResidentMb } from '../world/processes.ts';
import { BUILT_PROGRAM } from '../world/system.ts';
import type { Target } from '../world/world.ts';
import type { Part } from './part.ts';

const SIZES = [2_000, 20_000] as const;
const SETTLES_MS = 3_000;

/** The memory of a service that has done nothing but a job: that of the production folder, which no sources are read for. */
export const bulkMemory: Part = {
  name: 'bulk-memory',
  heading: 'Memory while a book is moved',
  async measure(world): Promise<PartResult> {
    if (!existsSync(BUILT_PROGRAM)) throw new Error('There is no dist: run npx pnpm@12 build first.');
    const rows: string[][] = [];
    const findings: Finding[] = [];
    for (const lines of SIZES) {
      const target = await world.startTarget(`memory of ${lines}`, { program: BUILT_PROGRAM });
      const idle = await idleMb(target);
      const { most, perSecond } = await mostMbWhile(target, () => measureJob(world, target, { kind: 'MOVE', lines }));
      await target.ledger.verify();
      await target.system.terminate();
      findings.push(judgeMemory(lines, { idle, most }));
      rows.push([lines.toLocaleString('en-GB'), shown(idle), shown(most), shown(perSecond)]);
      progress(`${lines} lines: ${shown(most - idle)} MB`);
    }
    return {
      findings,
      details: [
        'The production folder, started for the job.',
        table(['lines', 'idle, MB', 'at most, MB', 'accounts a second'], rows),
      ],
    };
  },
};

/** After the start. */
export async function idleMb(target: Target): Promise<number> {
  await delay(SETTLES_MS);
  return residentMb(target.system.pid);
}

export async function mostMbWhile<Result>(target: Target, work: () => Promise<Result>) {
  const stop = watchResidentMb(target.system.pid);
  const result = await work();
  return { ...result, most: stop() };
}

function judgeMemory(lines: number, { idle, most }: { idle: number; most: number }): Finding {
  const goal = { value: most - idle, direction: 'at most', mustReach: 120, aim: 60, unit: ' MB' } as const;
  const reached = `+ ${shown(most - idle)} MB: ${shown(most)} / ${shown(idle)} MB`;
  return judge(
    `Memory of the service during a job of ${lines.toLocaleString('en-GB')} lines, over idle`,
    goal,
    reached,
  );
}
