import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresServer, type PostgresServer, type Random } from '@causeway/testing';
import { send } from '../rig/send.ts';
import type { ServiceWorld } from '../rig/service-world.ts';
import { startOperatorsWorld, startWorld } from '../rig/start-world.ts';
import { waitUntil } from '../rig/wait.ts';

/** A world, and how one part of it is struck. */
interface Struck {
  world: ServiceWorld;
  strike(): Promise<void>;
  /** Resolves when everything that was struck serves again. */
  finish?(): Promise<unknown>;
}

export type Victim = (
  stack: AsyncDisposableStack,
  random: Random,
  variables?: Record<string, string>,
) => Promise<Struck>;

const POLL_INTERVAL_MS = 20;
const PATIENCE_MS = 60_000;
/** By default recovery begins with a sync of all files one by one, which takes half of its time. */
const FAST_RECOVERY = { recovery_init_sync_method: 'syncfs' };

const openWorld = async (stack: AsyncDisposableStack, variables: Record<string, string> = {}) =>
  stack.use(await startWorld({ instances: 2, settings: FAST_RECOVERY, variables }));

/** kill -9 of one of two instances. Does not wait for its start, which takes most of the time; the other one is spared. */
export const SERVICE: Victim = async (stack, random, variables) => {
  const world = await openWorld(stack, variables);
  let starting: Promise<unknown> = Promise.resolve();
  return {
    world,
    async strike() {
      await starting;
      starting = random.pick(world.instances).process.restart();
    },
    finish: () => starting,
  };
};

/** An immediate stop of the database server, which is a crash, and a start that recovers. */
export const DATABASE: Victim = async (stack, _random, variables) => {
  const world = await openWorld(stack, variables);
  const { postgres, instances } = world;
  return {
    world,
    async strike() {
      await postgres.crash();
      await postgres.start();
      for (const { proxy } of instances) proxy.retarget(postgres.port);
    },
  };
};

/**
 * The primary is gone, its synchronous standby is promoted, and a new standby takes the place of the old primary. The
 * service knows both hosts from its URL. Resolves when every instance is ready again.
 */
export const PRIMARY: Victim = async (stack, random) => {
  let primary = await createPostgresServer({ settings: { wal_keep_size: '512MB' } });
  stack.defer(() => primary.remove());
  await primary.start();
  let standby = await attachStandby(primary);
  stack.defer(() => standby.remove());
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
  const world = stack.use(await startOperatorsWorld({ server: () => primary, instances: 2, hosts }));
  const isReady = async (instance: number) => (await send(world.url(instance), { path: '/readyz' }))?.status === 200;
  return {
    world,
    async strike() {
      const gone = primary;
      await gone.end(random.pick(['SIGKILL', 'SIGQUIT', 'SIGINT']));
      await standby.query('SELECT pg_promote()');
      const areBack = await Promise.all(
        world.instances.map((_, instance) => waitUntil(() => isReady(instance), PATIENCE_MS)),
      );
      if (areBack.includes(false)) throw new Error('An instance did not come back after a promotion.');
      primary = standby;
      await gone.remove();
      standby = await attachStandby(primary, gone.port);
    },
  };
};

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
