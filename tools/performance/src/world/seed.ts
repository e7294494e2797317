import { randomBytes } from 'node:crypto';
import { createClient } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client';
import type { Postgres } from './postgres.ts';
import { SERVICE_PROGRAM, startSystem } from './system.ts';

export const IMPORT_SUPPLIER = 'BENCH-2026';
export const OPERATIONS_TEAM = 'Migration support';
const SEED_DATABASE = 'bench_seed';
const RENEW_AFTER_MS = 20 * 60_000;

/** The initial contents of every database of the run: one organisation with a key, an import supplier and a team. */
export interface Seed {
  database: string;
  tokenSecret: string;
  staffApiKey: string;
  /** A token of the organisation, valid on every system: they share the secret and the key. */
  token(url: string): Promise<string>;
}

/** Lets the service migrate a database, sets it up through the service's interface, then keeps it as a template. */
export async function createSeed(postgres: Postgres): Promise<Seed> {
  const tokenSecret = randomBytes(32).toString('hex');
  const staffApiKey = randomBytes(24).toString('hex');
  const DATABASE_URL = await postgres.createDatabase(SEED_DATABASE);
  const service = await startSystem({
    program: SERVICE_PROGRAM,
    variables: { DATABASE_URL, TOKEN_SECRET: tokenSecret, STAFF_API_KEY: staffApiKey },
  });
  const apiKey = await setUp({ url: service.url, apiKey: staffApiKey }).finally(() => service.terminate());
  let current: { token: string; since: number } | undefined;
  return {
    database: SEED_DATABASE,
    tokenSecret,
    staffApiKey,
    async token(url) {
      if (current === undefined || performance.now() - current.since > RENEW_AFTER_MS) {
        current = { token: (await obtainTokens(url, { apiKey })).token, since: performance.now() };
      }
      return current.token;
    },
  };
}

/** One organisation with an import supplier, and a team; returns the organisation's key. */
async function setUp(service: { url: string; apiKey: string }): Promise<string> {
  const staff = createClient(service);
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: 'Bench Energy' });
  const { api_key } = await staff.apiKeys.issue.mutate({ organisation_id, label: 'bench' });
  await staff.importSuppliers.create.mutate({ code: IMPORT_SUPPLIER, name: 'Bench', organisation_id, country: 'GB' });
  await staff.operationsTeams.create.mutate({ name: OPERATIONS_TEAM });
  return api_key;
}
