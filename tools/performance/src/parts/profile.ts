import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ScenarioName } from '../load/turn.ts';
import { type CpuProfile, type ProfileShares, sharesOf } from '../report/cpu-profile.ts';
import { type PartResult, table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { measureTurn, type TurnRequest } from '../world/measure-turn.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

const SAMPLE_EVERY_US = 200;
const TOP = 40;
const GROUPS = 25;

/** Where the service spends its time: a separate process under node --cpu-prof. */
export const profiles: readonly Part[] = [profileOf('journey', 16), profileOf('validate', 64), profileOf('stage', 64)];

function profileOf(scenario: ScenarioName, connections: number): Part {
  return {
    name: `profile-${scenario}`,
    heading: `Profile of ${scenario}, ${connections} connections`,
    measure: (world, { effort }) => measureProfile(world, { scenario, connections, ...effort }),
  };
}

async function measureProfile(world: World, work: TurnRequest): Promise<PartResult> {
  const directory = await mkdtemp(path.join(world.postgres.directory, 'profile-'));
  const startedAt = performance.now();
  const target = await world.startTarget('profiled', {
    database: world.service,
    nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-interval=${SAMPLE_EVERY_US}`],
  });
  const beganAt = performance.now();
  const { perSecond, cores } = await measureTurn(world, target, work);
  const window = { fromMs: beganAt + work.warmUpMs - startedAt, toMs: performance.now() - startedAt };
  await target.system.terminate();
  const [file] = await readdir(directory);
  const recorded = JSON.parse(await readFile(path.join(directory, file ?? ''), 'utf8')) as CpuProfile;
  const intro =
    `${shown(perSecond)} accounts a second while being profiled; the service used ${shown(cores.system)} cores, ` +
    `PostgreSQL ${shown(cores.postgres)}. Shares are of the time the service's main thread was not idle.`;
  return { findings: [], details: [intro, ...describe(sharesOf(recorded, window))] };
}

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
