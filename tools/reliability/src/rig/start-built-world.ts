import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildFolder, unprivileged } from '@causeway/production';
import { startCrashablePostgres, startFakeVendor, startServiceProcess } from '@causeway/testing';
import pg from 'pg';
import { type ServiceWorld, serviceWorld, variablesOf } from './service-world.ts';

/** What a command of the production folder answered. */
export interface Ran {
  status: number | null;
  output: string;
}

/** The production folder, run as an operator runs it: its own roles, a user without rights, nothing to write to. */
export interface BuiltWorld extends ServiceWorld {
  folder: string;
  /** What `node migrate.js` did, as the owner of the database. */
  migrated: Ran;
  /** Runs a command as the service's user, in the same surroundings. */
  run(command: string, variables?: Record<string, string>): Ran;
}

/** Builds the folder, migrates an empty database and serves. Only root can: it runs the service as another user. */
export async function startBuiltWorld(): Promise<BuiltWorld> {
  const stack = new AsyncDisposableStack();
  try {
    const place = await mkdtemp(path.join(tmpdir(), `causeway-built-${process.pid}-`));
    stack.defer(() => rm(place, { recursive: true, force: true }));
    const folder = path.join(place, 'dist');
    const node = await layFolder(place, folder);
    const run = (command: string, variables: Record<string, string> = {}) =>
      runIn(folder, ['sh', '-c', command], { PATH: `${place}:${process.env.PATH}`, ...variables });
    const postgres = await startCrashablePostgres();
    stack.defer(() => postgres.stop());
    const url = await createServiceRole(postgres.url);
    const migrated = run('node migrate.js', { DATABASE_URL: url, DATABASE_OWNER_URL: postgres.url });
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const variables = variablesOf({ vendors: { VENDOR: vendor.url } });
    const program = [...unprivileged(folder), node, '--max-semi-space-size=16', path.join(folder, 'main.js')];
    const service = await startServiceProcess({ DATABASE_URL: url, ...variables }, { program });
    stack.defer(() => service.kill());
    const parts = { vendor, staffApiKey: variables.STAFF_API_KEY, databaseUrl: () => postgres.url };
    return { ...serviceWorld(stack, { ...parts, instances: [{ process: service }] }), folder, migrated, run };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** The folder, which nobody may write to, and Node beside it: other users cannot reach that of a clone under /root. */
async function layFolder(place: string, folder: string): Promise<string> {
  await buildFolder(folder);
  spawnSync('chmod', ['-R', 'a-w,a+rX', folder]);
  const node = path.join(place, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  await chmod(place, 0o755);
  return node;
}

function runIn(folder: string, command: string[], env: NodeJS.ProcessEnv): Ran {
  const [first = '', ...words] = [...unprivileged(folder), ...command];
  const { status, stdout, stderr } = spawnSync(first, words, { cwd: folder, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}

/** A role that may only log in: `migrate` gives it its rights. */
async function createServiceRole(ownerUrl: string): Promise<string> {
  const password = randomBytes(16).toString('hex');
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`CREATE ROLE built_service LOGIN PASSWORD '${password}'`);
  await client.end();
  return Object.assign(new URL(ownerUrl), { username: 'built_service', password }).href;
}
