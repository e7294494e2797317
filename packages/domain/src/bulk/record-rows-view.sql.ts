import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

export const RECORD_ROWS_VIEW = sql('record-bulk-rows-view')`
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  VALUES (${AUDIT_VALUES}, 'bulk_job', 'rows_viewed', jsonb_build_object('file', ${'file'}::text))`;
