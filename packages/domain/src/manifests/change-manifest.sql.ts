import type { AddedLines } from '@causeway/book';
import { narrow, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** The figures of `limit` parts after the number `after`. */
export const READ_PART_FIGURES = sql('read-manifest-part-figures', {
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
export const SEAL_MANIFEST = sql('seal-manifest', { id: 'uuid' })`
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
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'manifest', 'sealed', jsonb_build_object(
      'digest', encode(digest, 'hex'), 'lodged_before_load', lodged_before_load)
    FROM changed
  )
  SELECT id FROM changed`;

export const WITHDRAW_MANIFEST = sql('withdraw-manifest', { id: 'uuid' })`
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
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'manifest', 'withdrawn', jsonb_strip_nulls(jsonb_build_object(
      'state_before', state_before, 'reason', ${'reason'}::text))
    FROM changed
  )
  SELECT id FROM changed`;
