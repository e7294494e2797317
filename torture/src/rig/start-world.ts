import { randomBytes, randomUUID } from 'node:crypto';
import { type CausewayClient, createClient, type Inputs, obtainToken } from '@causeway/client';
import {
  type CrashablePostgres,
  type FakeVendor,
  type FaultProxy,
  type ServiceProcess,
  startCrashablePostgres,
  startFakeVendor,
  startFaultProxy,
  startServiceProcess,
} from '@causeway/testing';
import pg from 'pg';

export interface Instance {
  process: ServiceProcess;
  /** Between this instance and the database. */
  proxy: FaultProxy;
}

/** One import supplier's engineers: what their requests need. */
export interface Supplier {
  code: string;
  organisationId: string;
  apiKey: string;
  token: string;
  teamName: string;
}

export type SupplierOptions = Partial<Omit<Inputs['importSuppliers']['create'], 'organisation_id'>>;

/** A database server, instances of the service on it, each behind a proxy, and a payment vendor. */
export interface World extends AsyncDisposable {
  readonly instances: readonly Instance[];
  readonly postgres: CrashablePostgres;
  readonly vendor: FakeVendor;
  /** Straight to the database, past every proxy. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The address of the n-th instance, the first again after the last. */
  url(number?: number): string;
  readonly staffApiKey: string;
  staff(): CausewayClient;
  /** A new organisation with a key, an import supplier and an operations team. */
  createSupplier(options?: SupplierOptions): Promise<Supplier>;
}

export interface WorldOptions {
  /** Of the service: 1 unless given. */
  instances?: number;
  /** For the service, beyond what it cannot do without. */
  variables?: Record<string, string>;
  /** Vendors beside `VENDOR`, which is `world.vendor`: name -> base URL. */
  vendors?: Record<string, string>;
  /** The service logs what it logs in production, and nobody reads it: for the scenarios about load. */
  dropLog?: boolean;
  /** Of postgresql.conf. */
  settings?: Record<string, string>;
}

/** A busy machine is no overload of the service. */
const NO_LIMITS_OF_TIME = { MAX_EVENT_LOOP_DELAY_MS: '60000', MAX_EXPECTED_WAIT_MS: '60000' };
/** For the scenarios about load. */
export const LIMITS_OF_PRODUCTION = { MAX_EVENT_LOOP_DELAY_MS: '', MAX_EXPECTED_WAIT_MS: '' };

export const VENDOR_SECRET = 'vendor-secret-of-the-torture-rig';

/** Starts everything on free ports; `await using world = await startWorld()` ends it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { dropLog = false } = options;
  const stack = new AsyncDisposableStack();
  try {
    const postgres = await startCrashablePostgres(options.settings);
    stack.defer(() => postgres.stop());
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const staffApiKey = randomBytes(24).toString('hex');
    const variables = {
      STAFF_API_KEY: staffApiKey,
      TOKEN_SECRET: randomBytes(24).toString('hex'),
      ...(dropLog ? {} : { LOG_LEVEL: 'error' }),
      ...NO_LIMITS_OF_TIME,
      PAYMENT_VENDORS: vendorSettings({ VENDOR: vendor.url, ...options.vendors }),
      ...options.variables,
    };
    const instances = await Promise.all(
      Array.from({ length: options.instances ?? 1 }, () => startInstance(stack, postgres, { variables, dropLog })),
    );
    let pool = connect(postgres.url);
    stack.defer(() => pool.pool.end());
    const world: World = {
      instances,
      postgres,
      vendor,
      staffApiKey,
      async query<Row extends object>(text: string, values: unknown[] = []) {
        // A server that started again listens elsewhere.
        if (pool.url !== postgres.url) {
          await pool.pool.end();
          pool = connect(postgres.url);
        }
        return (await pool.pool.query<Row>(text, values)).rows;
      },
      url: (number = 0) => instances[number % instances.length]?.process.url ?? '',
      staff: () => createClient({ url: world.url(), apiKey: staffApiKey }),
      createSupplier: (supplier) => createSupplier(world, supplier),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
    return world;
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function connect(url: string): { url: string; pool: pg.Pool } {
  const pool = new pg.Pool({ connectionString: url, application_name: 'torture', max: 4 });
  pool.on('error', () => undefined);
  return { url, pool };
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

function vendorSettings(vendors: Record<string, string>): string {
  return JSON.stringify(
    Object.entries(vendors).map(([name, baseUrl]) => ({
      ...{ name, kind: 'http', base_url: baseUrl, secret: VENDOR_SECRET },
    })),
  );
}

async function createSupplier(world: World, options: SupplierOptions = {}): Promise<Supplier> {
  const staff = world.staff();
  const unique = randomUUID().slice(0, 8).toUpperCase();
  const { code = `SUPPLIER-${unique}` } = options;
  const { id: organisationId } = await staff.organisations.create.mutate({ name: `Organisation ${unique}` });
  const [{ api_key: apiKey }, { name: teamName }] = await Promise.all([
    staff.apiKeys.issue.mutate({ organisation_id: organisationId, label: 'torture' }),
    staff.operationsTeams.create.mutate({ name: `Team ${unique}` }),
    staff.importSuppliers.create.mutate({ name: code, organisation_id: organisationId, ...options, code }),
  ]);
  const { token } = await obtainToken(world.url(), apiKey);
  return { code, organisationId, apiKey, token, teamName };
}
