import { setTimeout as delay } from 'node:timers/promises';
import {
  canMountDisk,
  createPostgresServer,
  mountSmallDisk,
  type PostgresServer,
  percentile,
  type Random,
  type SmallDisk,
} from '@causeway/testing';
import type { Judged, Ledger } from '../rig/move-accounts.ts';
import { createProbe, type Probe } from '../rig/probe.ts';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import { type EmbeddedWorld, startEmbeddedWorld } from '../rig/start-embedded-world.ts';
import { type OperatorsWorld, startOperatorsWorld, type World } from '../rig/start-world.ts';
import type { Striker } from '../rig/strikers.ts';
import { type Claim, exactly, isSo, listed, none, type Outcome, within } from '../scenario.ts';

/** What befalls the service again and again while clients move accounts. */
export interface Trouble {
  /** Resolves when it is over: whether the service came back. */
  strike(number: number): Promise<boolean>;
  finish?(): Promise<void>;
  /** Its figures, and its claims beside those about every account. */
  tell(judged: Judged): Outcome;
}

export interface Battle<Ground extends ServiceWorld> {
  world: Ground;
  supplier: Supplier;
  ledger: Ledger;
  random: Random;
  strikes: number;
}

const POLL_INTERVAL_MS = 20;

const oddOf = (probes: readonly Probe[]): Claim[] =>
  none({ 'an answer to an operator or a probe that is not as promised': probes.flatMap(({ odd }) => odd) });

/** Struck once and again, whether it is back or not. */
export function struckBy(arm: (world: World, random: Random) => Striker) {
  return ({ world, ledger, random, strikes }: Battle<World>): Trouble => {
    const striker = arm(world, random);
    const doubtsBefore: number[] = [];
    return {
      async strike() {
        doubtsBefore.push(ledger.inDoubt);
        await striker.strike();
        return true;
      },
      finish: striker.finish,
      tell({ lost, doubled }) {
        const { accounts, sent, inDoubt, doubts, countedUntold, repeated } = ledger;
        const felt = doubtsBefore.filter((before, number) => (doubtsBefore[number + 1] ?? inDoubt) > before).length;
        const share = ((100 * inDoubt) / sent).toFixed(2);
        return {
          figures: `${strikes} strikes, ${felt} felt by a client before the next; ${accounts.size} accounts, ${sent} requests, ${share} % in doubt (${listed(doubts)}), ${countedUntold} of these had counted, ${repeated} repeated with a key; ${lost} lost, ${doubled} doubled`,
          claims: none({ 'a request with a key answered otherwise than the first with it': ledger.unlike }),
        };
      },
    };
  };
}

/** kill -9 of the server that the service runs itself, and of one of its sessions, in turns. */
export function killServer({ world, supplier, ledger, random, strikes }: Battle<EmbeddedWorld>): Trouble {
  const [withinMs, patienceMs] = [10_000, 30_000];
  const probe = createProbe(world, supplier);
  const port = world.postmaster()?.port;
  const slowestMs = { server: 0, session: 0 };
  const untold: number[] = [];
  return {
    async strike(number) {
      const victim = number % 2 === 1 ? 'server' : 'session';
      probe.toldNotReady = false;
      const isThere = await killEmbedded(world, victim, random);
      slowestMs[victim] = Math.max(slowestMs[victim], await probe.untilBack(patienceMs, isThere));
      if (victim === 'server' && !probe.toldNotReady) untold.push(number);
      return Number.isFinite(slowestMs[victim]);
    },
    tell: ({ figures }) => ({
      figures: `${strikes} kills, back within ${Math.round(slowestMs.server)} ms when the server was killed, ${Math.round(slowestMs.session)} ms when a session was; ${figures}`,
      claims: [
        exactly('kills after which the service came back', strikes, strikes),
        ...none({ 'kills of the server that /readyz did not tell of': untold }),
        ...oddOf([probe]),
        exactly('requests without an answer', ledger.doubts['no answer'] ?? 0, 0),
        exactly("the server's port is the same in the end", world.postmaster()?.port ?? 'none', port ?? 'none'),
        within('back after a kill of the server', slowestMs.server, withinMs),
        within('back after a kill of a session', slowestMs.session, withinMs),
      ],
    }),
  };
}

/** Kills the server or a session of the service; returns when a server may answer again. */
export async function killEmbedded(
  world: EmbeddedWorld,
  victim: 'server' | 'session',
  random: Random,
): Promise<() => boolean> {
  const server = world.postmaster();
  if (server === undefined) throw new Error('There is no database server to kill.');
  if (victim === 'server') {
    process.kill(server.pid, 'SIGKILL');
    return () => (world.postmaster()?.pid ?? server.pid) !== server.pid;
  }
  const sessions = await world.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'causeway' ORDER BY pid",
  );
  process.kill(random.pick(sessions).pid, 'SIGKILL');
  return () => world.postmaster() !== undefined;
}

interface DiskWorld extends EmbeddedWorld {
  disk: SmallDisk;
}

const DISK_MB = 400;

/** The embedded server's files, tables and log, on a small disk. */
export async function mountDisk(stack: AsyncDisposableStack): Promise<DiskWorld> {
  if (!canMountDisk()) throw new Error('A small file system cannot be mounted here: it takes Linux, and root.');
  const disk = mountSmallDisk(DISK_MB);
  stack.defer(() => disk.unmount());
  return { ...(await startEmbeddedWorld({ dataDirectory: disk.folder })), disk };
}

/** The disk is full for a while. It affects the next write that needs a new page. */
export function fillDisk({ world, supplier, random, strikes }: Battle<DiskWorld>): Trouble {
  const heldMs = { from: 100, to: 3_000 };
  const [feltWithinMs, withinMs, patienceMs] = [20_000, 15_000, 60_000];
  const probe = createProbe(world, supplier);
  const servers = new Set([world.postmaster()?.pid]);
  const slowestMs = { felt: 0, back: 0 };
  return {
    async strike(number) {
      world.disk.fill();
      // Every second time the log needs a new file and cannot get it, which ends the server itself.
      if (number % 2 === 0) await world.query('SELECT pg_switch_wal()').catch(() => undefined);
      slowestMs.felt = Math.max(slowestMs.felt, await probe.untilRefused(feltWithinMs));
      await delay(random.integer(heldMs.from, heldMs.to));
      await world.disk.empty();
      slowestMs.back = Math.max(slowestMs.back, await probe.untilBack(patienceMs));
      servers.add(world.postmaster()?.pid);
      return Number.isFinite(slowestMs.back);
    },
    tell: ({ figures }) => ({
      figures: `${strikes} spells on a disk of ${DISK_MB} MB, felt within ${Math.round(slowestMs.felt)} ms, back ${Math.round(slowestMs.back)} ms after there was room, ${servers.size - 1} times with a new server; ${figures}`,
      claims: [
        exactly('spells after which the service came back', strikes, strikes),
        isSo('every spell was felt', Number.isFinite(slowestMs.felt)),
        ...oddOf([probe]),
        within('back after there is room', slowestMs.back, withinMs),
      ],
    }),
  };
}

/** The database stops accepting writes, as after a failover to a standby; then it accepts them again. */
export function refuseWrites({ world, supplier, random, strikes }: Battle<World>): Trouble {
  const heldMs = { from: 100, to: 1_000 };
  const [withinMs, patienceMs] = [5_000, 10_000];
  const probe = createProbe(world, supplier);
  const slowestMs = { told: 0, back: 0 };
  const areInTime = () => Number.isFinite(slowestMs.told + slowestMs.back);
  return {
    async strike(number) {
      const way = number % 2 === 0 ? wholeServer : sessionsToCome;
      await way(world, 'on');
      slowestMs.told = Math.max(slowestMs.told, await probe.untilDown(patienceMs));
      await delay(random.integer(heldMs.from, heldMs.to));
      await way(world, 'off');
      slowestMs.back = Math.max(slowestMs.back, await probe.untilBack(patienceMs));
      return areInTime();
    },
    tell: ({ figures }) => ({
      figures: `${strikes} spells, told after at most ${Math.round(slowestMs.told)} ms, back within ${Math.round(slowestMs.back)} ms; ${figures}`,
      claims: [
        isSo('every spell was told, by 503 to a write and by /readyz', Number.isFinite(slowestMs.told)),
        isSo('the service came back after every spell', Number.isFinite(slowestMs.back)),
        ...oddOf([probe]),
        within('back after the spell', slowestMs.back, withinMs),
      ],
    }),
  };
}

type Way = (world: World, readOnly: 'on' | 'off') => Promise<void>;

/** Open sessions notice with their next transaction. */
const wholeServer: Way = async (world, readOnly) => {
  await world.query(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`);
  await world.query('SELECT pg_reload_conf()');
};

/** Terminates open sessions, like a failover: the next ones may not write, even when others may again. */
const sessionsToCome: Way = async (world, readOnly) => {
  const [row] = await world.query<{ name: string }>('SELECT current_database() AS name');
  // RESET, not off: `off` would override the server's setting permanently.
  const change = readOnly === 'on' ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
  await world.query(`ALTER DATABASE "${row?.name}" ${change}`);
  if (readOnly === 'off') return;
  await world.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'causeway'");
};

interface PairWorld extends OperatorsWorld {
  pair: { primary: PostgresServer; standby: PostgresServer };
}

/** A primary with a synchronous standby; the service knows both hosts from its URL. */
export async function startPair(stack: AsyncDisposableStack): Promise<PairWorld> {
  const first = await createPostgresServer({ settings: { wal_keep_size: '512MB' } });
  stack.defer(() => first.remove());
  await first.start();
  const pair = { primary: first, standby: await attachStandby(first) };
  stack.defer(() => pair.standby.remove());
  stack.defer(() => pair.primary.remove());
  const hosts = [pair.standby, pair.primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  return { ...(await startOperatorsWorld({ server: () => pair.primary, instances: 2, hosts })), pair };
}

/** The primary is gone, its standby is promoted, and a new standby takes the place of the old primary. */
export function promoteStandby({ world, supplier, random, strikes }: Battle<PairWorld>): Trouble {
  const [withinMs, patienceMs] = [10_000, 60_000];
  const { pair, instances } = world;
  const probes = instances.map((_, instance) => createProbe(world, supplier, instance));
  const backMs: number[] = [];
  return {
    async strike() {
      const gone = pair.primary;
      await gone.end(random.pick(['SIGKILL', 'SIGQUIT', 'SIGINT']));
      const goneAt = performance.now();
      await pair.standby.query('SELECT pg_promote()');
      const back = await Promise.all(probes.map((probe) => probe.untilBack(patienceMs)));
      backMs.push(...back.map((ms) => (Number.isFinite(ms) ? performance.now() - goneAt : ms)));
      pair.primary = pair.standby;
      await gone.remove();
      pair.standby = await attachStandby(pair.primary, gone.port);
      return backMs.every(Number.isFinite);
    },
    tell({ figures }) {
      const slowest = Math.max(...backMs);
      return {
        figures: `${strikes} promotions, ${instances.length} instances; every instance answered again ${Math.round(percentile(backMs, 0.5))} ms (median) and at most ${Math.round(slowest)} ms after the primary was gone; ${figures}`,
        claims: [
          isSo('every instance came back after every promotion', Number.isFinite(slowest)),
          ...oddOf(probes),
          within('back after the primary was gone', slowest, withinMs),
        ],
      };
    },
  };
}

/** A standby that every commit of the primary waits for, once it has caught up. */
async function attachStandby(primary: PostgresServer, port?: number): Promise<PostgresServer> {
  await primary.query('ALTER SYSTEM RESET synchronous_standby_names');
  await primary.query('SELECT pg_reload_conf()');
  const standby = await primary.copy(port === undefined ? {} : { port });
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=standby`;
  await standby.write('postgresql.auto.conf', `primary_conninfo = '${source}'\n`);
  await standby.write('standby.signal', '');
  await standby.start();
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await primary.query('SELECT pg_reload_conf()');
  const isSynchronous = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await primary.query(isSynchronous)).length === 0) await delay(POLL_INTERVAL_MS);
  return standby;
}
