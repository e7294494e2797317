import { randomUUIDv7 } from 'node:crypto';
import { totalsInOneSpelling } from '@causeway/book';
import { type CreateManifestRequest, LIMITS, type Manifest } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { getManifest } from './get-manifest.ts';

/** A clock of the source that runs ahead by this much is forgiven. */
const CLOCKS_DIFFER_MS = 300_000;

/**
 * Creates a manifest with its totals, which is OPEN (behaviour 22.1). Refuses with `import_supplier_does_not_exist`,
 * with `request_failed_validation` if `as_of` is in the future, and with `too_many_manifests` if the import supplier has
 * as many as it may that are not withdrawn.
 */
export async function createManifest(context: Context, request: CreateManifestRequest): Promise<Manifest> {
  const { import_supplier: code, source_system, as_of, totals, computed_from_book } = request;
  await findImportSupplier(context, code, 'import_supplier');
  if (Date.parse(as_of) > context.clock().getTime() + CLOCKS_DIFFER_MS)
    throw invalidField('as_of', 'Must not be in the future.', 'date_in_future');
  const id = randomUUIDv7();
  await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_MANIFESTS, { import_supplier_code: code });
    const [counted] = await transaction.query(COUNT_MANIFESTS, { import_supplier_code: code });
    if (counted !== undefined && counted.manifests >= LIMITS.manifests) throw tooMany();
    await transaction.query(CREATE_MANIFEST, {
      ...auditValues(context, id),
      import_supplier_code: code,
      source_system,
      as_of,
      totals: JSON.stringify(totalsInOneSpelling(totals)),
      accounts: totals.accounts,
      computed_from_book,
    });
  });
  return getManifest(context, { manifest_id: id });
}

function tooMany(): DomainError {
  return new DomainError('too_many_manifests', `The import supplier has ${LIMITS.manifests} manifests: withdraw one.`);
}

/** Waits for other creations of the import supplier's manifests: they are committed in the order of their places. */
const LOCK_MANIFESTS = sql('lock-manifests', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('manifests ' || ${'import_supplier_code'}, 0)) AS lock`;

const COUNT_MANIFESTS = sql('count-manifests', { manifests: 'integer' })`
  SELECT count(*)::integer AS manifests
  FROM manifests
  WHERE import_supplier_code = ${'import_supplier_code'} AND state <> 'WITHDRAWN'`;

const CREATE_MANIFEST = sql('create-manifest')`
  WITH manifest AS (
    INSERT INTO manifests
      (id, import_supplier_code, source_system, as_of, totals, accounts, computed_from_book, created_by, created_at)
    VALUES (
      ${'id'}, ${'import_supplier_code'}, ${'source_system'}, ${'as_of'}, ${'totals'}::jsonb, ${'accounts'},
      ${'computed_from_book'}, ${'api_key_id'}, ${'at'}
    )
    RETURNING import_supplier_code, source_system, totals, computed_from_book
  )
  INSERT INTO audit_events ${AUDITED} 'manifest', 'created', jsonb_build_object(
    'import_supplier', import_supplier_code, 'source_system', source_system, 'totals', totals,
    'computed_from_book', computed_from_book)
  FROM manifest`;
