import { randomUUID } from 'node:crypto';
import type { Database } from '@causeway/db';
import {
  type Actor,
  type Context,
  createImportSupplierDirectory,
  createOrganisation,
  issueApiKey,
  revokeApiKey,
} from '@causeway/domain';

function staffContext(database: Database): Context {
  const clock = () => new Date();
  return {
    database,
    clock,
    timeZone: 'UTC',
    bulk: { filesDays: 30, maxStoredBytes: 1024 ** 3 },
    documentBucket: 'bucket',
    importSuppliers: createImportSupplierDirectory(database, clock),
    paymentVendors: new Map(),
    actor: { kind: 'staff', apiKeyId: randomUUID() },
    requestId: 'test',
  };
}

/** A key of an organisation of its own. */
export async function newSupplierKey(database: Database): Promise<{ apiKey: string; actor: Actor }> {
  const context = staffContext(database);
  const { id: organisationId } = await createOrganisation(context, { name: randomUUID() });
  const issued = await issueApiKey(context, { organisation_id: organisationId, label: 'test' });
  return { apiKey: issued.api_key, actor: { kind: 'organisation', apiKeyId: issued.id, organisationId } };
}

export async function revoke(database: Database, apiKeyId: string): Promise<void> {
  await revokeApiKey(staffContext(database), { id: apiKeyId });
}
