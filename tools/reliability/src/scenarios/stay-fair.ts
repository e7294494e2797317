import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { obtainTokens } from '@causeway/rest-client';
import type { Random } from '@causeway/testing';
import pg from 'pg';
import type { Met } from '../hostile/hammer.ts';
import { HOSTILE_LOADS, type HostileLoadName, type HostileSite } from '../hostile/loads.ts';
import { cellsOf, createGoodClient, longestSlowTime, withinSlowTime } from '../rig/good-client.ts';
import { accountPayload, performSteps } from '../rig/operations.ts';
import type { Supplier } from '../rig/service-world.ts';
import { AT_ANY_SPEED, LIMITS_OF_PRODUCTION, startWorld, type World } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { type Claim, dependingOnSpeed, exactly, listed, none, type Outcome, type Scenario } from '../scenario.ts';

const HANGING: HostileLoadName = 'a vendor that never answers';
const UNPACKED: HostileLoadName = 'parts that are large when they are unpacked';
const ENDLESS: HostileLoadName = 'previews of templates that never end';
const IN_ROWS_OF_THEIR_OWN: readonly HostileLoadName[] = [HANGING, UNPACKED, ENDLESS];
const OTHERS = (Object.keys(HOSTILE_LOADS) as HostileLoadName[]).filter((name) => !IN_ROWS_OF_THEIR_OWN.includes(name));
/** Loads that wait and do not compute: their effect on others is the same on a slow machine. */
const SHORT: readonly HostileLoadName[] = ['wrong API keys behind the same address', 'imports into one locked account'];
const FULL_SECONDS = 12;
/** Small limits, so that the small form does not need a thousand calls. */
const FEW_AT_WORK = { MAX_REQUESTS_AT_WORK: '50' };

type Row = [row: number, title: string, short: number, loads: readonly HostileLoadName[], inShort?: typeof SHORT];

const ROWS: readonly Row[] = [
  [14, "one organisation's vendor hangs beside another organisation's calls", 1, [HANGING]],
  [18, 'hostile organisations and strangers beside a good organisation', 2, OTHERS, SHORT],
  [
    38,
    "parts that are large when they are unpacked, eight at once, beside another organisation's calls",
    1,
    [UNPACKED],
  ],
  [39, 'previews of templates that never end, beside a good organisation', 1, [ENDLESS]],
];

/** Each hostile load beside a good organisation, whose calls must not be refused, nor slow for more than a short time. */
export const STAY_FAIR: readonly Scenario[] = ROWS.map(([row, title, short, loads, inShort = loads]) => ({
  ...{ row, title, alone: true, unit: 'seconds of each load', full: FULL_SECONDS, short },
  run: (seconds, random) => tryAll(seconds < FULL_SECONDS ? inShort : loads, seconds, random),
}));

const HEAD = [
  ...['hostile load', 'p50 before / during / after, ms', 'p99 before / during / after, ms'],
  ...['refused before / during / after', 'slower than 3 x p50 for', 'resident, MB'],
];

async function tryAll(names: readonly HostileLoadName[], seconds: number, random: Random): Promise<Outcome> {
  const tried: Tried[] = [];
  for (const name of names) tried.push(await tryLoad(name, seconds, random));
  const rows = tried.map(({ row }) => row);
  const claims = tried.flatMap((one) => one.claims);
  const broken = claims.filter(({ holds }) => !holds).length;
  const figures = `${rows.length} hostile loads, ${broken} promises to the good organisation broken`;
  return { figures, claims, table: { head: HEAD, rows } };
}

/** How long a slow machine may delay the expected effect of a load. */
const FELT_PATIENCE_MS = 30_000;
const LIST_LENGTH = 10_000;
/** Before the load and after it, of its time. */
const CALM_SHARE = 0.4;

interface Tried {
  row: string[];
  claims: Claim[];
}

/** The effect of a hostile load on a good organisation, on a separate service. */
async function tryLoad(name: HostileLoadName, seconds: number, random: Random): Promise<Tried> {
  const isShort = seconds < FULL_SECONDS;
  const few: Record<string, string> = name === HANGING ? FEW_AT_WORK : {};
  const variables = isShort ? { ...AT_ANY_SPEED, ...few } : LIMITS_OF_PRODUCTION;
  await using world = await startWorld({ variables, dropLog: true });
  const good = await world.createSupplier();
  const site = await prepareSite(world);
  await using locked = name === 'imports into one locked account' ? await lockAccount(world, site.supplier) : undefined;
  if (name.includes('long lists')) await fillList(world, site.supplier);
  if (name === HANGING) world.vendor.behave({ kind: 'silence' });
  const client = createGoodClient(world, good, random.fork(name));
  await client.measure(500);
  const before = await client.measure(seconds * CALM_SHARE * 1_000);
  const load = await startHostileLoad(name, site);
  const during = await client.measure(seconds * 1_000);
  const residentMb = memoryOf(world);
  const felt = await waitUntilFelt(name, load);
  await load.stop();
  await locked?.release();
  const after = await client.measure(seconds * CALM_SHARE * 1_000);
  const slowMs = longestSlowTime(during, before);
  const refused = none({
    [`refused to the good organisation during: ${name}`]: during.refused,
    [`refused to the good organisation before or after: ${name}`]: [...before.refused, ...after.refused],
  });
  return {
    row: [name, ...cellsOf([before, during, after]), `${(slowMs / 1_000).toFixed(1)} s`, residentMb],
    claims: [
      // With so few places, a good organisation whose calls pile up on a slow machine may use up its share.
      ...dependingOnSpeed(refused, !isShort || name === HANGING),
      felt,
      exactly(`the service has ended by: ${name}`, String(world.instances[0]?.process.exited), 'false'),
      withinSlowTime(`during: ${name}`, slowMs),
    ],
  };
}

/** A load that was refused immediately proves nothing. */
async function waitUntilFelt(name: HostileLoadName, load: RunningLoad): Promise<Claim> {
  let met = await load.met();
  const isFelt = async () => {
    met = await load.met();
    return HOSTILE_LOADS[name].felt(met);
  };
  const holds = await waitUntil(isFelt, FELT_PATIENCE_MS);
  const found = [listed(met.statuses), `${met.hanging} hanging`, `${met.open} connections held`].join(', ');
  return { what: `the service had to do with: ${name}`, holds, found };
}

/** An organisation with one imported account, as any other, and somebody of the service team. */
async function prepareSite(world: World): Promise<HostileSite> {
  const supplier = await world.createSupplier();
  const account = 'HOSTILE';
  await performSteps(world, supplier, account, ['stage', 'process']);
  const { token: staffToken } = await obtainTokens(world.url(), { apiKey: world.staffApiKey });
  return { url: world.url(), supplier, account, staffToken };
}

async function fillList(world: World, supplier: Supplier): Promise<void> {
  await world.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staging_order, payload,
      staged_at, updated_at)
    SELECT account_import_id($1, 'LONG-' || n), $1, 'LONG-' || n, 'STAGED', nextval('account_imports_staging_order_seq'),
      jsonb_set($2::jsonb, '{external_account_number}', to_jsonb('LONG-' || n)), now(), now()
    FROM generate_series(1, $3::int) AS n`,
    [supplier.code, JSON.stringify(accountPayload(supplier, 'LONG')), LIST_LENGTH],
  );
}

/** Holds the supplier's accounts as a long import does. */
async function lockAccount(world: World, { code }: Supplier) {
  const keeper = new pg.Client({ connectionString: world.postgres.url, application_name: 'keeper' });
  await keeper.connect();
  await keeper.query('BEGIN');
  await keeper.query(
    `SELECT FROM accounts JOIN account_imports import ON import.id = account_import_id
    WHERE import_supplier_code = $1 FOR UPDATE OF accounts`,
    [code],
  );
  return {
    release: async () => {
      await keeper.query('ROLLBACK');
      const waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'";
      await waitUntil(async () => (await world.count(waiting)) === 0);
    },
    [Symbol.asyncDispose]: () => keeper.end(),
  };
}

function memoryOf(world: World): string {
  try {
    const status = readFileSync(`/proc/${world.instances[0]?.process.pid}/status`, 'utf8');
    return ((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024) / 1e6).toFixed(0);
  } catch {
    return 'unknown';
  }
}

interface RunningLoad {
  /** Throws what made it end early. */
  met(): Promise<Met>;
  /** Cuts all of its connections; throws what made it end early. */
  stop(): Promise<void>;
}

/** Starts the load in its own thread. */
async function startHostileLoad(name: HostileLoadName, site: HostileSite): Promise<RunningLoad> {
  const worker = new Worker(new URL('../hostile/worker.ts', import.meta.url), { workerData: { name, site } });
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  await once(worker, 'message');
  return {
    async met() {
      if (failure !== undefined) throw failure;
      const told = once(worker, 'message');
      worker.postMessage('met?');
      const [met] = (await told) as [Met];
      return met;
    },
    async stop() {
      await worker.terminate();
      if (failure !== undefined) throw failure;
    },
  };
}
