import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CpuProfile, type ProfileShares, sharesOf } from '../report/cpu-profile.ts';
import { table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import type { Part } from './part.ts';

const SAMPLE_EVERY_US = 200;
const TOP = 40;
const GROUPS = 25;

/** Where the service spends its time during a journey: a separate process under node --cpu-prof. */
export const profile: Part = {
  name: 'profile',
  heading: 'Profile of the journey, 16 connections',
  async measure(world, { effort }) {
    const directory = await mkdtemp(path.join(world.postgres.directory, 'profile-'));
    const target = await world.startTarget('profiled', {
      database: world.service,
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${SAMPLE_EVERY_US}`],
    });
    const [system] = target.instances;
    if (system === undefined) throw new Error('The profiled service did not start');
    const request = { scenario: 'journey', connections: 16, prefix: freshPrefix(), ...effort } as const;
    const beganAt = performance.now();
    const { perSecond, cores } = await measureTurn(world, target, request);
    const window = { fromMs: beganAt + effort.warmUpMs - system.startedAt, toMs: performance.now() - system.startedAt };
    await system.stop();
    const [file] = await readdir(directory);
    const recorded = JSON.parse(await readFile(path.join(directory, file ?? ''), 'utf8')) as CpuProfile;
    const intro =
      `${shown(perSecond)} accounts a second while being profiled; the service used ${shown(cores.system)} cores, ` +
      `PostgreSQL ${shown(cores.postgres)}. Shares are of the time the service's main thread was not idle.`;
    return { findings: [], details: [intro, ...describe(sharesOf(recorded, window))] };
  },
};

function describe({ groups, functions, callers }: ProfileShares): string[] {
  const percent = (share: number) => `${shown(share * 100)} %`;
  const rows = (shares: ProfileShares['groups'], count: number) =>
    shares.slice(0, count).map(({ name, share }) => [name, percent(share)]);
  return [
    table(['self time by package or file', 'share'], rows(groups, GROUPS)),
    table(['self time by function', 'share'], rows(functions, TOP)),
    table(['with all that it calls', 'share'], rows(callers, TOP)),
  ];
}
