import { sql } from '@causeway/db';

export const ADD_REPORT_KEY = sql('add-report-key')`
  INSERT INTO report_keys (id, public_key, created_at)
  VALUES (${'id'}, ${'public_key'}, ${'at'})
  ON CONFLICT (id) DO NOTHING`;

/** The newest first. */
export const LIST_REPORT_KEYS = sql('list-report-keys', { id: 'text', public_key: 'text' })`
  SELECT id, public_key
  FROM report_keys
  ORDER BY created_at DESC, id`;
