import type { ManifestState } from '@causeway/contracts';
import type { Queryable, SqlStatement } from '@causeway/db';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { type ManifestRow, READ_MANIFEST } from './manifest.sql.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Asking {
  actor: Context['actor'];
  database: Queryable;
}

/**
 * A manifest that the caller may see. Another organisation's gets the same answer as an id that was never created
 * (behaviour 22.4): `manifest_does_not_exist`.
 */
export async function findManifest(
  context: Asking,
  id: string,
  statement: SqlStatement<ManifestRow, 'id'> = READ_MANIFEST,
): Promise<ManifestRow> {
  const manifest = await readManifest(context, id, statement);
  if (manifest === undefined) throw noManifest('manifest_id');
  return manifest;
}

/** The refusal of an id that was never created, or is another organisation's. */
export function noManifest(attr: string): DomainError {
  return new DomainError('manifest_does_not_exist', 'There is no manifest with this id.', { attr });
}

/** The same; undefined if there is none. */
export async function readManifest(
  { actor, database }: Asking,
  id: string,
  statement: SqlStatement<ManifestRow, 'id'> = READ_MANIFEST,
): Promise<ManifestRow | undefined> {
  const [manifest] = UUID.test(id) ? await database.query(statement, { id }) : [];
  return manifest !== undefined && (actor.kind === 'staff' || actor.organisationId === manifest.organisation_id)
    ? manifest
    : undefined;
}

const REMEDIES: Record<ManifestState, string> = {
  OPEN: 'Seal it first.',
  SEALED: 'If it is wrong, withdraw it and lodge another one.',
  WITHDRAWN: 'Lodge another one.',
};

/** The refusal of what the manifest's state does not allow, with what to do. */
export function manifestStateNotAllowed(state: ManifestState, what: string): DomainError {
  const detail = `A manifest that is ${state} ${what}. ${REMEDIES[state]}`;
  return new DomainError('manifest_state_not_allowed', detail, { attr: 'manifest_id' });
}
