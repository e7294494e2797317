import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createPostgresServer, type Random, SERVICE_PROGRAM, type ServiceProcess } from '@causeway/testing';
import { moveAccounts } from '../rig/move-accounts.ts';
import { startOperatorsWorld } from '../rig/start-world.ts';
import { exactly, type Outcome, type Scenario } from '../scenario.ts';
import { REPOSITORY } from '../try-defect.ts';

const CLIENTS = 6;
const FULL_SECONDS = 20;

/**
 * An upgrade and a rollback without a pause: both versions on one database, migrated by the newer one. In the short form
 * this version is the previous one too, as if nothing had changed: an install takes minutes.
 */
export const besideThePrevious: Scenario = {
  row: 24,
  title: 'the previous version beside this one: an upgrade and a rollback under load',
  unit: 'seconds of load in each of five phases',
  full: FULL_SECONDS,
  short: 1,
  async run(seconds, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    if (seconds < FULL_SECONDS) return upgradeAndRollBack(SERVICE_PROGRAM, seconds, random);
    const { commit, program } = await installPreviousVersion(stack);
    const { figures, claims } = await upgradeAndRollBack(program, seconds, random);
    return { figures: `before: ${commit}; ${figures}`, claims };
  },
};

/** @param previous the command that runs the previous version */
async function upgradeAndRollBack(previous: readonly string[], seconds: number, random: Random): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const server = await createPostgresServer();
  stack.defer(() => server.remove());
  await server.start();
  await using world = await startOperatorsWorld({ server: () => server, instances: 0 });
  const old = await world.add(previous);
  const supplier = await world.createSupplier();
  const migrations = () => world.count('SELECT count(*) FROM _prisma_migrations');
  const before = await migrations();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, keyedShare: 0.1 });
  const codes: (number | null)[] = [];
  const stop = async (service: ServiceProcess) => {
    codes.push(await service.terminate());
    const index = world.instances.findIndex(({ process }) => process === service);
    world.instances.splice(index, 1);
  };
  const steps: (() => Promise<unknown>)[] = [
    async () => undefined,
    // The new version migrates as it starts; the old one serves on.
    () => world.add(),
    () => stop(old),
    () => world.add(previous),
    () => stop((world.instances[0] as { process: ServiceProcess }).process),
  ];
  for (const step of steps) {
    await step();
    await delay(seconds * 1_000);
  }
  const after = await migrations();
  const { figures, claims } = await movers.judge();
  return {
    figures: `${before} migrations before, ${after} after; ${figures}`,
    claims: [...claims, exactly('both stopped as they should', JSON.stringify(codes), '[0,0]')],
  };
}

const run = promisify(execFile);

/** PREVIOUS, or the last commit before the newest migration: the version with which this one has most to disagree. */
async function previousCommit(): Promise<string> {
  const git = (...words: string[]) => run('git', words, { cwd: REPOSITORY }).then(({ stdout }) => stdout.trim());
  const given = process.env.PREVIOUS;
  if (given) return git('rev-parse', '--short', given);
  const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'prisma/migrations/*/migration.sql');
  return git('rev-parse', '--short', `${added}~1`);
}

/** The tree of the previous version in a folder of its own, installed: its short commit, and the command that runs it. */
async function installPreviousVersion(
  stack: AsyncDisposableStack,
): Promise<{ commit: string; program: readonly string[] }> {
  const commit = await previousCommit();
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-previous-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const archive = path.join(folder, 'tree.tar');
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: REPOSITORY });
  await run('tar', ['-xf', archive, '-C', folder]);
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: folder });
  await run('npx', ['-y', 'pnpm@12', 'generate'], { cwd: folder });
  const main = path.join(folder, 'apps/api/src/main.ts');
  return { commit, program: [process.execPath, '--max-semi-space-size=16', main] };
}
