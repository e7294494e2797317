import { spawnSync } from 'node:child_process';
import { chmod, copyFile, link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { buildFolder, canMount, unprivileged } from '@causeway/production';
import { startCrashablePostgres } from '@causeway/testing';
import { moveAccounts } from '../rig/move-accounts.ts';
import { fieldOf, nameOf, send } from '../rig/send.ts';
import { openWorld, type ServiceWorld, type Supplier } from '../rig/service-world.ts';
import { exactly, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 6;
const MANIFESTS = '/v1/data-import/manifests/';
const PAUSE_MS = 100;
const PAGES = ['/readyz', '/openapi.json', '/docs', '/docs/errors', '/metrics', '/.well-known/jwks.json'];

/** `pnpm build`'s folder moves accounts; as root also by a user without rights, on a read-only file system. */
export const runBuilt: Scenario = {
  row: 20,
  title: 'the production folder, run by nobody on a read-only tree',
  unit: 'accounts',
  full: 1_000,
  short: 2,
  async run(accounts, random): Promise<Outcome> {
    await using world = await startBuiltWorld();
    const pages = await readPages(world);
    const supplier = await world.createSupplier();
    const template = { code: supplier.code, language: 'en', subject: '{{ customer.given_name }}' };
    const { subject } = await world.staff().emailTemplates.preview.mutate(template);
    const part = await lodgePart(world, supplier);
    const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, accounts });
    const { figures, claims } = await movers.judge();
    const kind = isRoot ? (canMount ? 'read-only' : 'of others') : 'its own';
    return {
      figures: `${figures}; the folder's file system: ${kind}`,
      claims: [
        exactly('migrate.js ends with', lastLine(world.migrated), '0 The database is up to date.'),
        exactly('pages that the service answers', pages.join(' '), PAGES.map((page) => `200 ${page}`).join(' ')),
        exactly('a template that a thread has rendered', subject, 'Zoë'),
        exactly('a part that a thread has unpacked', part, '201'),
        ...claims,
        exactly('accounts in the database', await world.count('SELECT count(*) FROM accounts'), accounts),
        exactly('places in the folder that it can write to', world.run('touch written 2>/dev/null && pwd').output, ''),
        exactly('without DATABASE_URL it says', lastLine(world.run('node main.js')), NO_DATABASE),
        exactly('SIGTERM ends it with', String(await world.instances[0]?.process.terminate()), '0'),
      ],
    };
  },
};

const isRoot = process.getuid?.() === 0;

const NO_DATABASE =
  '1 DATABASE_URL must be set to a PostgreSQL of yours: the production build has no database server in it';

const lastLine = ({ status, output }: { status: number | null; output: string }) =>
  `${status} ${output.split('\n').at(-1)?.trim()}`;

/** How a part of a manifest is answered. */
async function lodgePart(world: BuiltWorld, { code, token }: Supplier): Promise<string> {
  const totals = { accounts: 1 };
  const body = { import_supplier: code, source_system: 'Harbour billing', as_of: '2026-04-16T22:00:00Z', totals };
  const manifest = await send(world.url(), { path: MANIFESTS, token, body });
  const part = {
    ...{ method: 'PUT', path: `${MANIFESTS}${fieldOf(manifest?.body, 'id')}/parts/1/`, token },
    headers: { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' },
  };
  return nameOf(await send(world.url(), { ...part, body: gzipSync('{"external_account_number":"A-1"}') }));
}

/** `200 /docs` and so on; the reference page's bundle by its own address. */
async function readPages(world: BuiltWorld): Promise<string[]> {
  const read = async (page: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(new URL(page, world.url()));
    // A machine that stands still for seconds makes the service unready meanwhile.
    if (response.status !== 503) return { status: response.status, text: await response.text() };
    await delay(PAUSE_MS);
    return read(page);
  };
  const pages: string[] = [];
  for (const page of PAGES) {
    const { status, text } = await read(page);
    const bundle = /src="(\/docs\/reference-\w+\.js)"/.exec(text)?.[1];
    const isWhole = page !== '/docs' || (bundle !== undefined && (await read(bundle)).text.length > 1_000_000);
    pages.push(`${isWhole ? '' : 'without its bundle '}${status} ${page}`);
  }
  return pages;
}

/** What a command of the production folder answered. */
interface Ran {
  status: number | null;
  output: string;
}

/** The production folder, where nothing can be written, run as root by a user without rights. */
interface BuiltWorld extends ServiceWorld {
  /** What `node migrate.js` did. */
  migrated: Ran;
  /** Runs a command as the service's user, in the same surroundings. */
  run(command: string, variables?: Record<string, string>): Ran;
}

/** Builds the folder, migrates an empty database and serves. */
function startBuiltWorld(): Promise<BuiltWorld> {
  return openWorld({}, async ({ stack, start }) => {
    const place = await mkdtemp(path.join(tmpdir(), `causeway-built-${process.pid}-`));
    stack.defer(() => rm(place, { recursive: true, force: true }));
    const folder = path.join(place, 'dist');
    const node = await layFolder(place, folder);
    const run = (command: string, variables: Record<string, string> = {}) =>
      runIn(folder, ['sh', '-c', command], { PATH: `${place}:${process.env.PATH}`, ...variables });
    const postgres = await startCrashablePostgres();
    stack.defer(() => postgres.stop());
    const migrated = run('node migrate.js', { DATABASE_URL: postgres.url });
    const program = [...asNobody(folder), node, '--max-semi-space-size=16', path.join(folder, 'main.js')];
    const service = await start({ DATABASE_URL: postgres.url }, program);
    return { instances: [{ process: service }], databaseUrl: () => postgres.url, migrated, run };
  });
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

const asNobody = (folder: string): string[] => (isRoot ? unprivileged(folder) : []);

function runIn(folder: string, command: string[], env: NodeJS.ProcessEnv): Ran {
  const [first = '', ...words] = [...asNobody(folder), ...command];
  const { status, stdout, stderr } = spawnSync(first, words, { cwd: folder, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}
