import { createHash } from 'node:crypto';
import { type AddedLines, addParts, contradictions } from '@causeway/book';
import { LIMITS, type Manifest, type ManifestRequest, type WithdrawManifestRequest } from '@causeway/contracts';
import { narrow, type Queryable, sql } from '@causeway/db';
import { LOCK_IMPORT_SUPPLIER } from '../import-suppliers/import-supplier.sql.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { findManifest, getManifest, manifestStateNotAllowed, receivedParts } from './get-manifest.ts';
import { LOCK_MANIFEST } from './manifest.sql.ts';

/**
 * Seals a manifest whose lines add up to its totals (behaviour 22.3): nothing of it changes from then on. It waits for
 * parts that are being stored, and for the calls that stage or create an account of the import supplier: whether one
 * was created before is exact. Sealing again changes nothing. Refuses with `manifest_does_not_exist`,
 * `manifest_state_not_allowed`, `bulk_parts_missing`, and with `manifest_contradicts_itself`, figure by figure.
 */
export async function sealManifest(context: Context, { manifest_id }: ManifestRequest): Promise<Manifest> {
  await context.database.transaction(async (transaction) => {
    const manifest = await findManifest({ ...context, database: transaction }, manifest_id, LOCK_MANIFEST);
    const { id, state, totals, import_supplier_code: code } = manifest;
    if (state === 'SEALED') return;
    if (state !== 'OPEN') throw manifestStateNotAllowed(state, 'cannot be sealed');
    await refuseIncomplete(transaction, id);
    const { added, digest } = await readParts(transaction, id);
    const errors = contradictions(totals, added);
    if (errors.length > 0) throw contradictsItself(errors);
    await transaction.query(LOCK_IMPORT_SUPPLIER, { code });
    await transaction.query(SEAL_MANIFEST, { ...auditValues(context, id), digest });
  });
  return getManifest(context, { manifest_id });
}

/**
 * Withdraws a manifest, sealed or not (behaviour 22.4): nothing is compared with it any more. Withdrawing again changes
 * nothing. Refuses with `manifest_does_not_exist`.
 */
export async function withdrawManifest(
  context: Context,
  { manifest_id, reason }: WithdrawManifestRequest,
): Promise<Manifest> {
  const { id } = await findManifest(context, manifest_id);
  await context.database.query(WITHDRAW_MANIFEST, { ...auditValues(context, id), reason: reason ?? null });
  return getManifest(context, { manifest_id });
}

async function refuseIncomplete(transaction: Queryable, id: string): Promise<void> {
  const { parts, missing } = await receivedParts(transaction, id);
  if (parts > 0 && missing.length === 0) return;
  const all = missing.length < LIMITS.bulk_missing_parts;
  const detail =
    parts === 0
      ? 'No part has been received.'
      : `Parts are missing: ${missing.join(', ')}${all ? '' : ' and perhaps others'}.`;
  throw new DomainError('bulk_parts_missing', detail, { attr: 'parts' });
}

const PARTS_AT_ONCE = 500;

/** What all parts add up to, and the digest of their digests. */
async function readParts(transaction: Queryable, id: string): Promise<{ added: AddedLines; digest: Buffer }> {
  const hash = createHash('sha256');
  let added = addParts([]);
  for (let after = 0; ; ) {
    const rows = await transaction.query(READ_PART_FIGURES, { id, after, limit: PARTS_AT_ONCE });
    added = addParts([added, ...rows.map(({ figures }) => figures)]);
    for (const { sha256 } of rows) hash.update(`${sha256.toString('hex')}\n`);
    const last = rows.at(-1);
    if (last === undefined) return { added, digest: hash.digest() };
    after = last.number;
  }
}

function contradictsItself(errors: DomainError['errors']): DomainError {
  const figures = errors.length === 1 ? '1 figure' : `${errors.length} figures`;
  return new DomainError('manifest_contradicts_itself', `The manifest contradicts itself in ${figures}, see errors.`, {
    errors,
  });
}

/** The figures of `limit` parts after the number `after`. */
const READ_PART_FIGURES = sql('read-manifest-part-figures', {
  number: 'integer',
  sha256: 'bytea',
  figures: narrow<AddedLines>('jsonb'),
})`
  SELECT number, sha256, figures
  FROM manifest_parts
  WHERE manifest_id = ${'id'} AND number > ${'after'}
  ORDER BY number
  LIMIT ${'limit'}`;

/** For a manifest that is locked, and an import supplier of which nobody creates an account meanwhile. */
const SEAL_MANIFEST = sql('seal-manifest', { id: 'uuid' })`
  WITH changed AS (
    UPDATE manifests AS manifest
    SET
      state = 'SEALED',
      digest = ${'digest'}::bytea,
      sealed_by = ${'api_key_id'},
      sealed_at = ${'at'},
      lodged_before_load = NOT EXISTS (
        SELECT
        FROM account_imports
        WHERE import_supplier_code = manifest.import_supplier_code AND state = 'COMPLETED'
      )
    WHERE id = ${'id'} AND state = 'OPEN'
    RETURNING id, digest, lodged_before_load
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'manifest', 'sealed', jsonb_build_object(
      'digest', encode(digest, 'hex'), 'lodged_before_load', lodged_before_load)
    FROM changed
  )
  SELECT id FROM changed`;

const WITHDRAW_MANIFEST = sql('withdraw-manifest', { id: 'uuid' })`
  WITH before AS (
    SELECT id, state::text AS state
    FROM manifests
    WHERE id = ${'id'} AND state <> 'WITHDRAWN'
    FOR NO KEY UPDATE
  ),
  changed AS (
    UPDATE manifests AS manifest
    SET state = 'WITHDRAWN', withdrawn_at = ${'at'}, withdrawn_reason = ${'reason'}
    FROM before
    WHERE manifest.id = before.id
    RETURNING manifest.id, before.state AS state_before
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'manifest', 'withdrawn', jsonb_strip_nulls(jsonb_build_object(
      'state_before', state_before, 'reason', ${'reason'}::text))
    FROM changed
  )
  SELECT id FROM changed`;
