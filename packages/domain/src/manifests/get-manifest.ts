import type {
  ListManifestsRequest,
  Manifest,
  ManifestRecord,
  ManifestRequest,
  ManifestState,
} from '@causeway/contracts';
import type { Queryable, RowOf, SqlStatement } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { listOfSupplier } from '../shared/list-page.ts';
import { COUNT_MANIFEST_PARTS, LIST_MANIFESTS, type ManifestRow, READ_MANIFEST } from './manifest.sql.ts';

/** A manifest and what was received of it (behaviour 22.4). Refuses with `manifest_does_not_exist`. */
export async function getManifest(context: Context, { manifest_id }: ManifestRequest): Promise<Manifest> {
  const row = await findManifest(context, manifest_id);
  const { parts, lines, missing } = await receivedParts(context.database, row.id);
  return { ...manifestRecord(row), parts, missing_parts: missing, lines };
}

export async function receivedParts(database: Queryable, id: string): Promise<RowOf<typeof COUNT_MANIFEST_PARTS>> {
  const [received = { parts: 0, lines: 0, missing: [] }] = await database.query(COUNT_MANIFEST_PARTS, { id });
  return received;
}

/** A manifest as a list has it. */
export function manifestRecord(row: ManifestRow): ManifestRecord {
  const { import_supplier_code, organisation_id: _organisation, creation_order: _order, ...others } = row;
  const { sealer_label: _label, sealer_person: _person, sealed_by_staff: _staff, ...record } = others;
  return { ...withUtcDatetimes(record), import_supplier: import_supplier_code, lodged_by: lodgedBy(row) };
}

function lodgedBy({ sealer_label, sealer_person, sealed_by_staff }: ManifestRow): ManifestRecord['lodged_by'] {
  if (sealer_label === null) return null;
  return { kind: sealed_by_staff ? 'staff' : 'supplier', api_key_label: sealer_label, person: sealer_person };
}

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

/** The same; undefined if none exists. */
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

/** One page of an import supplier's manifests, oldest first (behaviour 22.4), as `listOfSupplier` tells. */
export function listManifests(context: Context, request: ListManifestsRequest) {
  return listOfSupplier(context, request, {
    statement: LIST_MANIFESTS,
    record: manifestRecord,
    read: readManifest,
    name: 'manifests',
  });
}
