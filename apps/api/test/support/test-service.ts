import { randomBytes, randomUUID } from 'node:crypto';
import { type AccountPayload, AccountPayload as AccountPayloadSchema, LIMITS } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { mpanOf } from '@causeway/realistic-books';
import { obtainTokens } from '@causeway/rest-client';
import {
  addOrganisation,
  addSupplier,
  createTestDatabase,
  type DatabaseWithPrisma,
  TOKEN_SECRET,
} from '@causeway/testing';
import { awaited, noLongerAwaited } from '@causeway/testing/waits';
import { createTRPCClient, httpBatchLink, type TRPCClient } from '@trpc/client';
import type { inferRouterInputs } from '@trpc/server';
import { afterAll, vi } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import type { AppRouter } from '../../src/procedures/router.ts';
import { type Service, startService } from '../../src/service.ts';
import { assertDocumented } from './assert-documented.ts';

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

/** An answer of the REST interface; it is as the published document promises, or the call has thrown. */
export interface RestAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  headers: Headers;
}

export interface RestCalls {
  /** POST below /v1/data-import/. A string or bytes are sent as they are. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<RestAnswer>;
  /** GET below /v1/data-import/. */
  get(path: string, headers?: Record<string, string>): Promise<RestAnswer>;
}

/** The calls of one caller; without a token those of somebody unknown. Every answer is checked against the document. */
export function restCalls(url: string, token?: string): RestCalls {
  async function call(method: string, path: string, init: RequestInit): Promise<RestAnswer> {
    const response = await fetch(`${url}/v1/data-import/${path}`, { method, ...init });
    const text = await response.text();
    const answer = {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    };
    assertDocumented({ method, path: `/v1/data-import/${path}`, ...answer });
    return answer;
  }
  const authorization: Record<string, string> = token === undefined ? {} : { Authorization: `Token ${token}` };
  return {
    post(path, body, headers = {}) {
      const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
      const type = { 'Content-Type': 'application/json' };
      return call('POST', path, {
        body: sent as NonNullable<RequestInit['body']>,
        headers: { ...type, ...authorization, ...headers },
      });
    },
    get: (path, headers = {}) => call('GET', path, { headers: { ...authorization, ...headers } }),
  };
}

export type TrpcClient = TRPCClient<AppRouter>;

/** The typed client of a test, with a token that it keeps or asks for. packages/client is tested in its own package. */
export function trpcClient(url: string, token: string | (() => Promise<string>)): TrpcClient {
  const current = typeof token === 'string' ? () => token : token;
  const headers = async () => ({ Authorization: `Token ${await current()}` });
  return createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${url}/trpc`, headers, maxItems: LIMITS.batch })],
  });
}

/** Exchanges an API key for a token (behaviour 5). */
export async function obtainToken(url: string, apiKey: string): Promise<string> {
  const { token } = await obtainTokens(url, { apiKey });
  return token;
}

export interface SupplierIdentity {
  url: string;
  code: string;
  organisationId: string;
  apiKey: string;
  token: string;
  teamName: string;
}

/** One import supplier and what its engineers do with it. */
export interface TestSupplier extends SupplierIdentity, RestCalls {
  trpc: TrpcClient;
  /** A valid payload with a number of its own. */
  account(overrides?: Record<string, unknown>): AccountPayload & Record<string, unknown>;
  /** Stages an account; its external account number. */
  stage(overrides?: Record<string, unknown>): Promise<string>;
  /** Stages and processes an account; its numbers and the id its rows hang off. */
  importAccount(overrides?: Record<string, unknown>): Promise<ImportedAccount>;
  /** The body of a process call. */
  processRequest(externalAccountNumber: string): Record<string, unknown>;
}

export interface ImportedAccount {
  id: string;
  externalAccountNumber: string;
  serviceAccountNumber: string;
  /** The two fields that every import into the account begins with. */
  reference: { import_supplier: string; external_account_number: string };
}

let accounts = 0;

/** At a meter point of its own: what is in two accounts is remarked, some seconds later. */
function addressesOf({ supply_addresses = [] }: AccountPayload, account: number): AccountPayload['supply_addresses'] {
  const identifier = mpanOf(`12${String(account).padStart(10, '0')}`);
  return supply_addresses.map((address) => ({
    ...address,
    meter_points: address.meter_points?.map((point) => ({ ...point, identifier })),
  }));
}

export function createTestSupplier(identity: SupplierIdentity): TestSupplier {
  const { url, code, token, teamName } = identity;
  const calls = restCalls(url, token);
  const [example] = (AccountPayloadSchema.meta()?.examples ?? []) as AccountPayload[];

  const supplier: TestSupplier = {
    ...identity,
    ...calls,
    trpc: trpcClient(url, token),
    account(overrides = {}) {
      accounts += 1;
      return {
        ...(example as AccountPayload),
        import_supplier: code,
        external_account_number: `ACC-${accounts}`,
        supply_addresses: addressesOf(example as AccountPayload, accounts),
        ...overrides,
      };
    },
    async stage(overrides = {}) {
      const account = supplier.account(overrides);
      const { status, body } = await calls.post('account-import-process/create-or-update/', account);
      if (status !== 201) {
        throw new Error(`Staging answered ${status}: ${JSON.stringify(body)}`);
      }
      return account.external_account_number;
    },
    async importAccount(overrides = {}) {
      const externalAccountNumber = await supplier.stage(overrides);
      const { status, body } = await calls.post(
        'account-import-process/process/',
        supplier.processRequest(externalAccountNumber),
      );
      if (status !== 201) {
        throw new Error(`Processing answered ${status}: ${JSON.stringify(body)}`);
      }
      return {
        id: accountImportId(code, externalAccountNumber),
        externalAccountNumber,
        serviceAccountNumber: String(body.service_account_number),
        reference: { import_supplier: code, external_account_number: externalAccountNumber },
      };
    },
    processRequest: (externalAccountNumber) => ({
      external_account_number: externalAccountNumber,
      import_supplier_code: code,
      operations_team_name: teamName,
    }),
  };
  return supplier;
}

/** Looks every now and then whether it is so: to look without a pause would keep the service from becoming it. */
export async function until(isSo: () => Promise<boolean> | boolean, pauseMs = 40): Promise<void> {
  const condition = {};
  awaited(condition, `this to be true: ${isSo}`);
  await vi.waitUntil(isSo, { interval: pauseMs, timeout: 600_000 }).finally(() => noLongerAwaited(condition));
}
