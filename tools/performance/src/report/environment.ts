import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { World } from '../world/world.ts';
import { shown } from './statistics.ts';

const SETTINGS = [
  ...['fsync', 'synchronous_commit', 'full_page_writes', 'wal_compression'],
  ...['shared_buffers', 'max_wal_size', 'max_connections'],
];

/** The machine and the programs of a run, line by line. The load is from before the run: other work on the machine. */
export async function describeEnvironment({ postgres }: World, loadBefore: number): Promise<string[]> {
  const [version] = await postgres.query<{ server_version: string }>('postgres', 'SHOW server_version');
  const settings = await postgres.query<{ name: string; value: string }>(
    'postgres',
    'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY ($1) ORDER BY name',
    [SETTINGS],
  );
  const shownSettings = settings.map(({ name, value }) => `${name} ${value}`).join(', ');
  return [
    `- ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${shown(totalmem() / 1e9)} GB of memory, ${process.platform} ${process.arch}; they are shared by PostgreSQL, the system measured and the load generator`,
    `- load of the machine just before the run: ${shown(loadBefore)}`,
    `- Node ${process.version}, PostgreSQL ${version?.server_version ?? 'unknown'} on the same machine: ${shownSettings}`,
  ];
}

/** How many processes wanted to run, on average over the last minute. */
export function loadNow(): number {
  return loadavg()[0] ?? Number.NaN;
}
