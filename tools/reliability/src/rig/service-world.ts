import { randomBytes, randomUUID } from 'node:crypto';
import { type CausewayClient, createClient, type Inputs } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client';
import { addOrganisation, addSupplier, type FakeVendor, type ServiceProcess } from '@causeway/testing';
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
  /** The address of the n-th instance, wrapping around. */
  url(number?: number): string;
  readonly staffApiKey: string;
  staff(): CausewayClient;
  /** A new organisation with a key, an import supplier and an operations team. */
  createSupplier(options?: SupplierOptions): Promise<Supplier>;
}

/** Wide limits, so that a busy machine does not look like overload of the service. */
const NO_LIMITS_OF_TIME = { MAX_EVENT_LOOP_DELAY_MS: '60000', MAX_EXPECTED_WAIT_MS: '60000' };
/** For the scenarios about load. */
export const LIMITS_OF_PRODUCTION = { MAX_EVENT_LOOP_DELAY_MS: '', MAX_EXPECTED_WAIT_MS: '' };

export const VENDOR_SECRET = 'vendor-secret-of-the-torture-rig';

export interface VariablesOptions {
  vendors: Record<string, string>;
  dropLog?: boolean;
  variables?: Record<string, string> | undefined;
}

/** The variables of every service, whichever its database; `variables` take precedence. */
export function variablesOf({ vendors, dropLog = false, variables }: VariablesOptions) {
  const staffApiKey = randomBytes(24).toString('hex');
  const secrets = { STAFF_API_KEY: staffApiKey, TOKEN_SECRET: randomBytes(24).toString('hex') };
  const PAYMENT_VENDORS = vendorSettings(vendors);
  return {
    ...secrets,
    ...(dropLog ? {} : { LOG_LEVEL: 'error' }),
    ...NO_LIMITS_OF_TIME,
    PAYMENT_VENDORS,
    ...variables,
  };
}

interface Parts {
  instances: readonly { process: ServiceProcess }[];
  vendor: FakeVendor;
  staffApiKey: string;
  /** The current address of the database: a restarted server may have another one. */
  databaseUrl: () => string;
}

/** The world of these parts; disposing of the stack ends it. */
export function serviceWorld(stack: AsyncDisposableStack, parts: Parts): ServiceWorld {
  const { instances, vendor, staffApiKey, databaseUrl } = parts;
  let pool = connect(databaseUrl());
  stack.defer(() => pool.pool.end());
  const world: ServiceWorld = {
    ...{ instances, vendor, staffApiKey },
    async query<Row extends object>(text: string, values: unknown[] = []) {
      if (pool.url !== databaseUrl()) {
        await pool.pool.end();
        pool = connect(databaseUrl());
      }
      return (await pool.pool.query<Row>(text, values)).rows;
    },
    url: (number = 0) => instances[number % instances.length]?.process.url ?? '',
    staff: () => createClient({ url: world.url(), apiKey: staffApiKey }),
    createSupplier: (supplier) => createSupplier(world, supplier),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
  return world;
}

function connect(url: string): { url: string; pool: pg.Pool } {
  const options = '-c default_transaction_read_only=off';
  const pool = new pg.Pool({ connectionString: url, application_name: 'torture', max: 4, options });
  pool.on('error', () => undefined);
  return { url, pool };
}

function vendorSettings(vendors: Record<string, string>): string {
  return JSON.stringify(
    Object.entries(vendors).map(([name, baseUrl]) => ({
      ...{ name, kind: 'http', base_url: baseUrl, secret: VENDOR_SECRET },
    })),
  );
}

async function createSupplier(world: ServiceWorld, options: SupplierOptions = {}): Promise<Supplier> {
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
