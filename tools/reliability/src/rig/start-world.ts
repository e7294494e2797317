import {
  type CrashablePostgres,
  type FaultProxy,
  type PostgresServer,
  type ServiceProcess,
  startCrashablePostgres,
  startFaultProxy,
} from '@causeway/testing';
import { openWorld, type ServiceOptions, type ServiceWorld } from './service-world.ts';

export { AT_ANY_SPEED, LIMITS_OF_PRODUCTION, type Supplier } from './service-world.ts';

export interface Instance {
  process: ServiceProcess;
  /** Between this instance and the database. */
  proxy: FaultProxy;
}

/** A database server, instances of the service on it, each behind a proxy, and a payment vendor. */
export interface World extends ServiceWorld {
  readonly instances: readonly Instance[];
  readonly postgres: CrashablePostgres;
}

export interface WorldOptions extends ServiceOptions {
  /** Of the service: 1 unless given. */
  instances?: number;
  /** Of postgresql.conf. */
  settings?: Record<string, string>;
}

/** Starts everything on free ports; `await using world = await startWorld()` ends it. */
export function startWorld({ instances = 1, settings, ...options }: WorldOptions = {}): Promise<World> {
  return openWorld(options, async ({ stack, start }) => {
    const postgres = await startCrashablePostgres(settings);
    stack.defer(() => postgres.stop());
    const startInstance = async (): Promise<Instance> => {
      const proxy = await startFaultProxy({ port: postgres.port, protocol: 'postgres' });
      stack.defer(() => proxy.close());
      const address = new URL(postgres.url);
      address.port = String(proxy.port);
      return { process: await start({ DATABASE_URL: address.href }), proxy };
    };
    const all = await Promise.all(Array.from({ length: instances }, startInstance));
    return { instances: all, postgres, databaseUrl: () => postgres.url };
  });
}

/** A world on a server that is set up as operators do: a database, its owner, and a role for the service. */
export interface OperatorsWorld extends ServiceWorld {
  readonly instances: { process: ServiceProcess }[];
  /** Starts another instance, of this version or of the one that this command runs. */
  add(program?: readonly string[]): Promise<ServiceProcess>;
}

interface Options {
  instances: number;
  /** Where the database is reached now; a standby's port is added to the URLs of the service. */
  server: () => PostgresServer;
  /** `host:port` of every server, for DATABASE_URL: by default that of `server`. */
  hosts?: string;
}

const PASSWORD = 'password-of-the-service';
const DATABASE = 'causeway';

/** The server must run; the first instance migrates. */
export function startOperatorsWorld({ server, instances: count, hosts }: Options): Promise<OperatorsWorld> {
  return openWorld({}, async ({ start }) => {
    const { password, host } = new URL(server().url);
    await server().query(`CREATE ROLE causeway_service LOGIN PASSWORD '${PASSWORD}'`);
    await server().query(`CREATE DATABASE ${DATABASE} TEMPLATE template0`);
    const at = `${hosts ?? host}/${DATABASE}?target_session_attrs=read-write`;
    const variables = {
      DATABASE_URL: `postgresql://causeway_service:${PASSWORD}@${at}`,
      DATABASE_OWNER_URL: `postgresql://causeway:${password}@${at}`,
    };
    const instances: { process: ServiceProcess }[] = [];
    const add = async (program?: readonly string[]) => {
      const process = await start(variables, program);
      instances.push({ process });
      return process;
    };
    while (instances.length < count) await add();
    return { instances, add, databaseUrl: () => server().url.replace(/postgres$/, DATABASE) };
  });
}
