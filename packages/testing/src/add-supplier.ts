import { createHash, randomBytes, randomUUID } from 'node:crypto';

// What nearly every test needs and few are about, as the procedures of the service team store it: by those it would take
// longer than most tests do, above all in a process that has just been started.

/** A connection of the tables' owner. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

const ADD_ORGANISATION = `
  WITH organisation AS (
    INSERT INTO organisations (id, name, created_at) VALUES ($1, $2, now())
  ),
  key AS (
    INSERT INTO api_keys (id, organisation_id, label, digest, created_at) VALUES ($3, $1, 'test', $4, now())
  )
  INSERT INTO operations_teams (id, name, created_at) VALUES ($5, $6, now())`;

const ADD_SUPPLIER = `
  INSERT INTO import_suppliers
    (code, organisation_id, name, country, document_root, send_customer_emails, reject_undocumented_fields, created_at)
  VALUES ($1, $2, $1, 'GB', $1, false, false, now())`;

/** An organisation with a key, and an operations team for all. */
export async function addOrganisation(query: Query) {
  const organisationId = randomUUID();
  const apiKey = `a key of a test ${randomBytes(16).toString('hex')}`;
  const digest = createHash('sha256').update(apiKey).digest();
  const teamName = `Team ${organisationId}`;
  const key = [randomUUID(), digest];
  await query(ADD_ORGANISATION, [organisationId, `Organisation ${organisationId}`, ...key, randomUUID(), teamName]);
  return { organisationId, apiKey, teamName };
}

/** An import supplier of an organisation, with every setting at its default. */
export async function addSupplier(query: Query, code: string, organisationId: string): Promise<void> {
  await query(ADD_SUPPLIER, [code, organisationId]);
}
