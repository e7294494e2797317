import { createHash } from 'node:crypto';
import { type AddedLines, addParts, contradictions } from '@causeway/book';
import { LIMITS, type Manifest, type ManifestRequest, type WithdrawManifestRequest } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { LOCK_IMPORT_SUPPLIER } from '../import-suppliers/set-import-supplier-status.sql.ts';
import { READ_PART_FIGURES, SEAL_MANIFEST, WITHDRAW_MANIFEST } from './change-manifest.sql.ts';
import { findManifest, manifestStateNotAllowed } from './find-manifest.ts';
import { getManifest, receivedParts } from './get-manifest.ts';
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
