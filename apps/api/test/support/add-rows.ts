import { randomUUID } from 'node:crypto';
import type { Database } from '@causeway/db';
import { newApiKey, secretDigest } from '@causeway/domain';

// What nearly every test needs and few are about, as the procedures of the service team store it: by those it would take
// longer than most tests do.

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
export async function addOrganisation({ pool }: Database) {
  const [organisationId, apiKey, teamName] = [randomUUID(), newApiKey('supplier'), `Team ${randomUUID()}`];
  const key = [randomUUID(), secretDigest(apiKey)];
  const values = [organisationId, `Organisation ${organisationId}`, ...key, randomUUID(), teamName];
  await pool.query({ name: 'add-organisation', text: ADD_ORGANISATION, values });
  return { organisationId, apiKey, teamName };
}

/** An import supplier with every setting at its default. */
export async function addSupplier({ pool }: Database, code: string, organisationId: string): Promise<void> {
  await pool.query({ name: 'add-supplier', text: ADD_SUPPLIER, values: [code, organisationId] });
}
