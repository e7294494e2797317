import { randomBytes, randomUUID } from 'node:crypto';
import {
  addOrganisation,
  addSupplier,
  createTestDatabase,
  type DatabaseWithPrisma,
  TOKEN_SECRET,
} from '@causeway/testing';
import type { inferRouterInputs } from '@trpc/server';
import { afterAll } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import type { AppRouter } from '../../src/procedures/router.ts';
import { type Service, startService } from '../../src/service.ts';
import { createTestSupplier, type TestSupplier } from './test-supplier.ts';
import { obtainToken, type TrpcClient, trpcClient } from './trpc-client.ts';

/** The whole service on a database and a port of its own: a test goes through the door its user takes. */
export interface TestService {
  url: string;
  /** As the owner sees it: the service itself may do less. */
  database: DatabaseWithPrisma;
  databaseUrl: string;
  ownerUrl: string;
  staffApiKey: string;
  staff: TrpcClient;
  /** Sets the service's clock; undefined lets it run again. Suppliers' tokens are not changed. */
  setTime(time: string | undefined): void;
  /** A new organisation with a key, an import supplier and an operations team, and the calls it can make. */
  createSupplier(options?: SupplierOptions): Promise<TestSupplier>;
  /** Another instance on the same database, with the same clock; it ends with `stop` at the latest. */
  startInstance(variables?: Record<string, string>): Promise<Service>;
  stop(): Promise<void>;
}

export type SupplierOptions = Partial<
  Omit<inferRouterInputs<AppRouter>['importSuppliers']['create'], 'organisation_id'>
> & {
  /** Another import supplier of this organisation, with this key, in place of a new one. */
  of?: TestSupplier;
};

/** A service for all tests of a file, which stops after them. */
export async function serviceOfFile(variables: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(variables);
  afterAll(() => service.stop());
  return service;
}

/** Starts the service as `main.ts` does, with the given variables in place of the defaults. */
export async function startTestService(variables: Record<string, string> = {}): Promise<TestService> {
  const testDatabase = await createTestDatabase();
  const staffApiKey = randomBytes(24).toString('hex');
  let time: Date | undefined;
  const own = {
    DATABASE_URL: testDatabase.url,
    PORT: '0',
    STAFF_API_KEY: staffApiKey,
    TOKEN_SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    PAYMENT_VENDORS: 'SANDBOX',
    // The tests work in the service's own event loop: what they do must not look like overload.
    MAX_EVENT_LOOP_DELAY_MS: '60000',
    MAX_EXPECTED_WAIT_MS: '60000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '60000',
    // A connection that a machine under load leaves idle is used again.
    IDLE_TIMEOUT_MS: '600000',
    // Who needs lanes starts them in the test, with its clock.
    BULK_LANES: '0',
    WEBHOOK_LANES: '0',
    ...variables,
  };
  const startInstance = (others: Record<string, string> = {}) =>
    startService(readEnvironment({ ...own, ...others }), { clock: () => time ?? new Date() });
  const query = (text: string, values: unknown[]) => testDatabase.owner.pool.query(text, values);
  const instances = [await startInstance()];
  const [{ url }] = instances as [Service];
  // A token of one time is not good at another: staff obtain theirs anew after each change.
  let staffToken: Promise<string> | undefined;
  const staff = trpcClient(url, () => {
    staffToken ??= obtainToken(url, staffApiKey);
    return staffToken;
  });

  return {
    url,
    database: testDatabase.owner,
    databaseUrl: testDatabase.url,
    ownerUrl: testDatabase.ownerUrl,
    staffApiKey,
    staff,
    setTime: (next) => {
      time = next === undefined ? undefined : new Date(next);
      staffToken = undefined;
    },
    async createSupplier({ of, ...options } = {}) {
      const { organisationId, apiKey, teamName } = of ?? (await addOrganisation(query));
      const code = options.code ?? `SUPPLIER-${randomUUID().slice(0, 8).toUpperCase()}`;
      if (Object.keys(options).length === 0) await addSupplier(query, code, organisationId);
      else await staff.importSuppliers.create.mutate({ name: code, organisation_id: organisationId, ...options, code });
      const token = await obtainToken(url, apiKey);
      return createTestSupplier({ url, code, organisationId, apiKey, token, teamName });
    },
    async startInstance(others) {
      const instance = await startInstance(others);
      instances.push(instance);
      return instance;
    },
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await testDatabase.drop();
    },
  };
}
