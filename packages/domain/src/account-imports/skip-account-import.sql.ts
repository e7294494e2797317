import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';
import { eventsOfSkipping } from '../events/events.sql.ts';
import { IS_NAMED } from './is-named.sql.ts';

/** Resolves the open refusals: nothing is expected of a skipped account. */
export const SKIP_ACCOUNT_IMPORT = sql('skip-account-import')`
  WITH skipped AS (
    UPDATE account_imports AS import
    SET state = 'SKIPPED', skip_reason = ${'reason'}, updated_at = ${'at'}, skipped_at = ${'at'}
    WHERE id = ${'id'}
      AND ${IS_NAMED}
      AND state <> 'COMPLETED'
      AND erased_at IS NULL
    RETURNING id, import_supplier_code, external_account_number
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'account_import', 'skipped', jsonb_build_object('reason', ${'reason'}::text)
    FROM skipped
  ),
  ${eventsOfSkipping('skipped')},
  resolved AS (
    UPDATE account_import_refusals
    SET resolved_at = ${'at'}
    FROM skipped
    WHERE account_import_id = skipped.id AND resolved_at IS NULL
  )
  SELECT FROM skipped`;

export const UNSKIP_ACCOUNT_IMPORT = sql('unskip-account-import')`
  WITH unskipped AS (
    UPDATE account_imports AS import
    SET
      state = CASE WHEN failed_at IS NULL THEN 'STAGED' ELSE 'FAILED' END::account_import_state,
      skip_reason = NULL,
      updated_at = ${'at'},
      skipped_at = NULL
    WHERE id = ${'id'}
      AND ${IS_NAMED}
      AND state = 'SKIPPED'
      AND erased_at IS NULL
    RETURNING id, import_supplier_code, external_account_number
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'account_import', 'unskipped',
      jsonb_strip_nulls(jsonb_build_object('reason', ${'reason'}::text))
    FROM unskipped
  ),
  ${eventsOfSkipping('unskipped')}
  SELECT FROM unskipped`;
