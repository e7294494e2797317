import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** One event a request, however many pages of the account it reads. */
export const RECORD_VIEW = sql('record-view')`
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
  SELECT ${AUDIT_VALUES}, 'account_import', 'payload_viewed'
  WHERE NOT EXISTS (
    SELECT FROM audit_events
    WHERE subject_id = ${'id'} AND action = 'payload_viewed' AND request_id = ${'request_id'}
  )`;
