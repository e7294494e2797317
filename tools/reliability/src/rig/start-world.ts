import {
  type CrashablePostgres,
  type FaultProxy,
  type ServiceProcess,
  startCrashablePostgres,
  startFakeVendor,
  startFaultProxy,
  startServiceProcess,
} from '@causeway/testing';
import { type ServiceWorld, serviceWorld, variablesOf } from './service-world.ts';

export { LIMITS_OF_PRODUCTION, type Supplier } from './service-world.ts';

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

export interface WorldOptions {
  /** Of the service: 1 unless given. */
  instances?: number;
  /** Variables of the service, in addition to the required ones. */
  variables?: Record<string, string>;
  /** Vendors beside `VENDOR`, which is `world.vendor`: name -> base URL. */
  vendors?: Record<string, string>;
  /** The service logs as in production, but the log is dropped: for the load scenarios. */
  dropLog?: boolean;
  /** Of postgresql.conf. */
  settings?: Record<string, string>;
}

/** Starts everything on free ports; `await using world = await startWorld()` ends it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { dropLog = false } = options;
  const stack = new AsyncDisposableStack();
  try {
    const postgres = await startCrashablePostgres(options.settings);
    stack.defer(() => postgres.stop());
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const vendors = { VENDOR: vendor.url, ...options.vendors };
    const variables = variablesOf({ vendors, dropLog, variables: options.variables });
    const instances = await Promise.all(
      Array.from({ length: options.instances ?? 1 }, () => startInstance(stack, postgres, { variables, dropLog })),
    );
    const parts = { instances, vendor, staffApiKey: variables.STAFF_API_KEY, databaseUrl: () => postgres.url };
    return { ...serviceWorld(stack, parts), instances, postgres };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startInstance(
  stack: AsyncDisposableStack,
  postgres: CrashablePostgres,
  { variables, dropLog }: { variables: Record<string, string>; dropLog: boolean },
): Promise<Instance> {
  const proxy = await startFaultProxy({ port: postgres.port, protocol: 'postgres' });
  stack.defer(() => proxy.close());
  const address = new URL(postgres.url);
  address.port = String(proxy.port);
  const process = await startServiceProcess({ DATABASE_URL: address.href, ...variables }, { dropLog });
  stack.defer(() => process.kill());
  return { process, proxy };
}
