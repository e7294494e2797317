import { randomUUID } from 'node:crypto';
import { type CausewayClient, createClient, type Inputs } from '@causeway/client';
import pg from 'pg';
import { inject } from 'vitest';

/** An organisation with a key, an import supplier and an operations team, on the shared service. */
export interface TestSupplier {
  url: string;
  code: string;
  organisationId: string;
  apiKey: string;
  team: string;
  /** CAUSEWAY_URL and CAUSEWAY_API_KEY of it. */
  variables: Record<string, string>;
  staff: CausewayClient;
}

type Settings = Partial<Omit<Inputs['importSuppliers']['create'], 'organisation_id' | 'code'>>;

/** Creates it; `settings` are those of the import supplier. */
export async function createSupplier(
  settings: Settings = {},
  at: { url: string; staffApiKey: string } = inject('sharedService'),
): Promise<TestSupplier> {
  const { url, staffApiKey } = at;
  const staff = createClient({ url, apiKey: staffApiKey });
  const unique = randomUUID().slice(0, 8).toUpperCase();
  const { id: organisationId } = await staff.organisations.create.mutate({ name: `Organisation ${unique}` });
  const { api_key: apiKey } = await staff.apiKeys.issue.mutate({ organisation_id: organisationId, label: 'test' });
  const code = `SUPPLIER-${unique}`;
  await staff.importSuppliers.create.mutate({ name: code, ...settings, code, organisation_id: organisationId });
  const { name: team } = await staff.operationsTeams.create.mutate({ name: `Team ${unique}` });
  return { url, code, organisationId, apiKey, team, variables: { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: apiKey }, staff };
}

/** Rows of the shared service's database, as its owner sees them. */
export async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: inject('sharedService').databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end());
  return rows;
}

/** The key of the service team. */
export const staffVariables = (): Record<string, string> => {
  const { url, staffApiKey } = inject('sharedService');
  return { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: staffApiKey };
};
