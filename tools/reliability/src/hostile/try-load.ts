import { readFileSync } from 'node:fs';
import type { Random } from '@causeway/testing';
import pg from 'pg';
import { timeUntil } from '../rig/gate.ts';
import { createGoodClient, type GoodTime, longestSlowTime } from '../rig/good-client.ts';
import { accountPayload, operationOn } from '../rig/operations.ts';
import { nameOf, send } from '../rig/send.ts';
import type { Supplier } from '../rig/service-world.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { type Claim, exactly, none, type Table, within } from '../scenario.ts';
import { HOSTILE_LOADS, type HostileLoad, type HostileLoadName, type HostileSite } from './loads.ts';
import { type RunningLoad, startHostileLoad } from './start-hostile-load.ts';

export interface Trial {
  name: HostileLoadName;
  seconds: number;
  random: Random;
  variables: Record<string, string>;
  /** Whether a refusal may be the machine's fault: not if there is no time limit. */
  dependsOnSpeed: boolean;
}

/** The effect of a hostile load on a good organisation, on a separate service. */
export interface TriedLoad {
  row: string[];
  claims: Claim[];
}

/** How often its median before, and for how long, a good organisation's calls may take. */
const SLOWER = 3;
const SLOW_FOR_MS = 1_000;
/** How long a slow machine may delay the expected effect of a load. */
const FELT_PATIENCE_MS = 30_000;
const LIST_LENGTH = 10_000;
/** Before the load and after it, of its time. */
const CALM_SHARE = 0.4;

export const HEAD: Table['head'] = [
  ...['hostile load', 'p50 before / during / after, ms', 'p99 before / during / after, ms'],
  ...['refused before / during / after', 'slower than 3 x p50 for', 'resident, MB'],
];

export async function tryLoad({ name, seconds, random, variables, dependsOnSpeed }: Trial): Promise<TriedLoad> {
  await using world = await startWorld({ variables, dropLog: true });
  const good = await world.createSupplier();
  const site = await prepareSite(world);
  await using locked = name === 'imports into one locked account' ? await lockAccount(world, site.supplier) : undefined;
  if (name.includes('long lists')) await fillList(world, site.supplier);
  if (name === 'a vendor that never answers') world.vendor.behave({ kind: 'silence' });
  using client = createGoodClient(world, good, random.fork(name));
  await client.measure(500);
  const before = await client.measure(seconds * CALM_SHARE * 1_000);
  const load = await startHostileLoad(name, site);
  const during = await client.measure(seconds * 1_000);
  const residentMb = memoryOf(world);
  const felt = await waitUntilFelt(name, load);
  await load.stop();
  await locked?.release();
  const after = await client.measure(seconds * CALM_SHARE * 1_000);
  const slowMs = longestSlowTime(during, SLOWER * before.p50);
  const refused = none(`refused to the good organisation during: ${name}`, during.refused);
  return {
    row: [name, ...rowOf([before, during, after]), `${(slowMs / 1_000).toFixed(1)} s`, residentMb],
    claims: [
      { ...refused, dependsOnSpeed },
      {
        ...none(`refused to the good organisation before or after: ${name}`, [...before.refused, ...after.refused]),
        dependsOnSpeed,
      },
      felt,
      exactly(`the service has ended by: ${name}`, String(world.instances[0]?.process.exited), 'false'),
      within(`its calls slower than ${SLOWER} x p50 during: ${name}`, slowMs, SLOW_FOR_MS),
    ],
  };
}

/** A load that was refused immediately proves nothing. */
async function waitUntilFelt(name: HostileLoadName, load: RunningLoad): Promise<Claim> {
  const { felt }: HostileLoad = HOSTILE_LOADS[name];
  let met = await load.met();
  const isFelt = async () => {
    met = await load.met();
    return felt(met);
  };
  const holds = Number.isFinite(await timeUntil(isFelt, FELT_PATIENCE_MS));
  const answers = Object.entries(met.statuses).map(([status, times]) => `${times} x ${status}`);
  const found = [...answers, `${met.hanging} hanging`, `${met.open} connections held`].join(', ');
  return { what: `the service had to do with: ${name}`, holds, found };
}

function rowOf(times: readonly GoodTime[]): string[] {
  const each = (show: (time: GoodTime) => string) => times.map(show).join(' / ');
  return [
    each(({ p50 }) => p50.toFixed(1)),
    each(({ p99 }) => p99.toFixed(0)),
    each(({ refused, calls }) => `${refused.length} of ${calls}`),
  ];
}

/** An organisation with one imported account, as any other. */
async function prepareSite(world: World): Promise<HostileSite> {
  const supplier = await world.createSupplier();
  const account = 'HOSTILE';
  for (const step of ['stage', 'process'] as const) {
    const answer = await send(world.url(), { ...operationOn(supplier, account, step), token: supplier.token });
    if (answer?.status !== 201) throw new Error(`${step} answered ${nameOf(answer)}`);
  }
  return { url: world.url(), supplier, account };
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
      const isFree = async () => {
        const waiting = await world.query("SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'");
        return waiting.length === 0;
      };
      await timeUntil(isFree);
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
