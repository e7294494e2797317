import { type PostgresServer, type ServiceProcess, startFakeVendor, startServiceProcess } from '@causeway/testing';
import { type ServiceWorld, serviceWorld, variablesOf } from './service-world.ts';

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
  variables?: Record<string, string>;
}

const PASSWORD = 'password-of-the-service';
export const DATABASE = 'causeway';

/** The server must run; the first instance migrates. */
export async function startOperatorsWorld({ server, instances: count, ...options }: Options): Promise<OperatorsWorld> {
  const stack = new AsyncDisposableStack();
  try {
    const { password, host } = new URL(server().url);
    await server().query(`CREATE ROLE causeway_service LOGIN PASSWORD '${PASSWORD}'`);
    await server().query(`CREATE DATABASE ${DATABASE} TEMPLATE template0`);
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const at = `${options.hosts ?? host}/${DATABASE}?target_session_attrs=read-write`;
    const { variables = {} } = options;
    const all: ReturnType<typeof variablesOf> & Record<string, string> = {
      ...variablesOf({ vendors: { VENDOR: vendor.url }, variables }),
      DATABASE_URL: `postgresql://causeway_service:${PASSWORD}@${at}`,
      DATABASE_OWNER_URL: `postgresql://causeway:${password}@${at}`,
    };
    const instances: { process: ServiceProcess }[] = [];
    const add = async (program?: readonly string[]) => {
      const process = await startServiceProcess(all, program === undefined ? {} : { program });
      stack.defer(() => process.kill());
      instances.push({ process });
      return process;
    };
    const databaseUrl = () => server().url.replace(/postgres$/, DATABASE);
    const parts = { instances, vendor, staffApiKey: all.STAFF_API_KEY, databaseUrl };
    while (instances.length < count) await add();
    return { ...serviceWorld(stack, parts), instances, add };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
