import { randomBytes, randomUUID } from 'node:crypto';
import { type CausewayClient, createClient, type Inputs } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client';
import {
  addOrganisation,
  addSupplier,
  type FakeVendor,
  type ServiceProcess,
  startFakeVendor,
  startServiceProcess,
} from '@causeway/testing';
import pg from 'pg';

/** One import supplier's engineers, with everything that their requests need. */
export interface Supplier {
  code: string;
  organisationId: string;
  apiKey: string;
  token: string;
  teamName: string;
}

export type SupplierOptions = Partial<Omit<Inputs['importSuppliers']['create'], 'organisation_id'>>;

/** Instances of the service on one database, embedded or external, and a payment vendor. */
export interface ServiceWorld extends AsyncDisposable {
  readonly instances: readonly { process: ServiceProcess }[];
  readonly vendor: FakeVendor;
  /**
   * A direct connection to the database, bypassing every proxy; it may write even while the database is read-only for
   * others.
   */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The number that a query answers in its only row. */
  count(text: string, values?: unknown[]): Promise<number>;
  /** The address of the n-th instance, wrapping around. */
  url(number?: number): string;
  readonly staffApiKey: string;
  staff(): CausewayClient;
  /** A new organisation with a key, an import supplier and an operations team. */
  createSupplier(options?: SupplierOptions): Promise<Supplier>;
}

/** Wide limits, so that a busy machine does not look like overload of the service. */
export const AT_ANY_SPEED = { MAX_EVENT_LOOP_DELAY_MS: '60000', MAX_EXPECTED_WAIT_MS: '60000' };
/** For the scenarios about load. */
export const LIMITS_OF_PRODUCTION = { MAX_EVENT_LOOP_DELAY_MS: '', MAX_EXPECTED_WAIT_MS: '' };

export const VENDOR_SECRET = 'vendor-secret-of-the-torture-rig';

export interface ServiceOptions {
  /** Variables of the service, in addition to the required ones; they take precedence. */
  variables?: Record<string, string>;
  /** Vendors beside `VENDOR`, which is `world.vendor`: name -> base URL. */
  vendors?: Record<string, string>;
  /** The service logs as in production, but the log is dropped: for the load scenarios. */
  dropLog?: boolean;
}

/** What the parts of a world are started with. */
export interface Opening {
  stack: AsyncDisposableStack;
  /** Starts an instance with these variables, of this version or of the one that `program` runs. */
  start(variables: Record<string, string>, program?: readonly string[]): Promise<ServiceProcess>;
}

interface Parts {
  instances: readonly { process: ServiceProcess }[];
  /** The current address of the database: a restarted server may have another one. */
  databaseUrl: () => string;
}

/** The world of the parts that `open` starts: they end with it, and at once if one of them does not start. */
export async function openWorld<Opened extends Parts>(
  options: ServiceOptions,
  open: (opening: Opening) => Promise<Opened>,
): Promise<ServiceWorld & Opened> {
  const { dropLog = false } = options;
  const stack = new AsyncDisposableStack();
  try {
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const staffApiKey = randomBytes(24).toString('hex');
    const common = {
      ...{ STAFF_API_KEY: staffApiKey, TOKEN_SECRET: randomBytes(24).toString('hex') },
      ...(dropLog ? {} : { LOG_LEVEL: 'error' }),
      ...AT_ANY_SPEED,
      PAYMENT_VENDORS: vendorSettings({ VENDOR: vendor.url, ...options.vendors }),
      ...options.variables,
    };
    const start: Opening['start'] = async (variables, program) => {
      const settings = { dropLog, ...(program && { program }) };
      const process = await startServiceProcess({ ...common, ...variables }, settings);
      stack.defer(() => process.kill());
      return process;
    };
    const opened = await open({ stack, start });
    const query = directQuery(stack, opened.databaseUrl);
    const url = (number = 0) => opened.instances[number % opened.instances.length]?.process.url ?? '';
    const world = {
      ...{ ...opened, vendor, staffApiKey, query, url },
      count: async (text: string, values?: unknown[]) => Number(Object.values((await query(text, values))[0] ?? {})[0]),
      staff: () => createClient({ url: url(), apiKey: staffApiKey }),
      createSupplier: (supplier?: SupplierOptions): Promise<Supplier> => createSupplier(world, supplier),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
    return world;
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

function directQuery(stack: AsyncDisposableStack, databaseUrl: () => string): ServiceWorld['query'] {
  let pool = connect(databaseUrl());
  stack.defer(() => pool.pool.end());
  return async <Row extends object>(text: string, values: unknown[] = []) => {
    if (pool.url !== databaseUrl()) {
      await pool.pool.end();
      pool = connect(databaseUrl());
    }
    return (await pool.pool.query<Row>(text, values)).rows;
  };
}

function connect(url: string): { url: string; pool: pg.Pool } {
  const options = '-c default_transaction_read_only=off';
  const pool = new pg.Pool({ connectionString: url, application_name: 'torture', max: 4, options });
  pool.on('error', () => undefined);
  return { url, pool };
}

function vendorSettings(vendors: Record<string, string>): string {
  return JSON.stringify(
    Object.entries(vendors).map(([name, base_url]) => ({ name, kind: 'http', base_url, secret: VENDOR_SECRET })),
  );
}

type CreatedIn = Pick<ServiceWorld, 'query' | 'staff' | 'url'>;

async function createSupplier(world: CreatedIn, options: SupplierOptions = {}): Promise<Supplier> {
  const { organisationId, apiKey, teamName } = await addOrganisation(world.query);
  const { code = `SUPPLIER-${randomUUID().slice(0, 8).toUpperCase()}` } = options;
  if (Object.keys(options).length === 0) await addSupplier(world.query, code, organisationId);
  else {
    const settings = { name: code, organisation_id: organisationId, ...options, code };
    await world.staff().importSuppliers.create.mutate(settings);
  }
  const { token } = await obtainTokens(world.url(), { apiKey });
  return { code, organisationId, apiKey, token, teamName };
}
