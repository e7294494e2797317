import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

export const RECORD_PAYLOAD_VIEW = sql('record-payload-view')`
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
  VALUES (${AUDIT_VALUES}, 'account_import', 'payload_viewed')`;
