import { narrow, type ReconciliationState, type ReconciliationVerdict, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/**
 * Signs a finished reconciliation off that nobody has signed off yet, in the name of the key's person; the stored
 * report is made again, with the sign-off. Returns the reconciliation as it is then, and that person. No row: there is
 * none.
 */
export const SIGN_OFF_RECONCILIATION = sql('sign-off-reconciliation', {
  state: narrow<ReconciliationState>('text'),
  verdict: narrow<ReconciliationVerdict | null>('text | null'),
  differences: 'bigint | null',
  finished_at: 'timestamptz | null',
  signed_off_person: 'text | null',
  signed_off_at: 'timestamptz | null',
  signed_off_note: 'text | null',
  person: 'text | null',
})`
  WITH signer AS MATERIALIZED (
    SELECT id, person
    FROM api_keys
    WHERE id = ${'api_key_id'}
  ),
  signed AS (
    UPDATE reconciliations AS reconciliation
    SET
      signed_off_by = signer.id,
      signed_off_person = signer.person,
      signed_off_at = ${'at'},
      signed_off_note = ${'note'},
      report_jws = NULL
    FROM signer
    WHERE reconciliation.id = ${'id'}
      AND state = 'FINISHED'
      AND signed_off_at IS NULL
      AND signer.person IS NOT NULL
    RETURNING reconciliation.*
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'reconciliation', 'signed_off',
      jsonb_build_object('verdict', verdict, 'differences', differences, 'note', signed_off_note)
    FROM signed
  ),
  reconciliation AS (
    SELECT * FROM signed
    UNION ALL
    SELECT * FROM reconciliations
    WHERE id = ${'id'} AND NOT EXISTS (SELECT FROM signed)
  )
  SELECT
    state::text AS state,
    verdict::text AS verdict,
    differences,
    finished_at,
    signed_off_person,
    signed_off_at,
    signed_off_note,
    (SELECT person FROM signer) AS person
  FROM reconciliation`;
