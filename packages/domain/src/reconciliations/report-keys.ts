import { type Database, sql } from '@causeway/db';

/** A public key with which reports can be verified: an Ed25519 key in base64url, and its thumbprint. */
export interface ReportKey {
  id: string;
  public_key: string;
}

/** Publishes a key before anything is signed with it, for good. */
export async function addReportKey(database: Database, key: ReportKey, at: Date): Promise<void> {
  await database.query(ADD_REPORT_KEY, { ...key, at });
}

/** All keys that reports were ever signed with, the newest first. */
export function listReportKeys(database: Database): Promise<ReportKey[]> {
  return database.query(LIST_REPORT_KEYS, {});
}

const ADD_REPORT_KEY = sql('add-report-key')`
  INSERT INTO report_keys (id, public_key, created_at)
  VALUES (${'id'}, ${'public_key'}, ${'at'})
  ON CONFLICT (id) DO NOTHING`;

/** The newest first. */
const LIST_REPORT_KEYS = sql('list-report-keys', { id: 'text', public_key: 'text' })`
  SELECT id, public_key
  FROM report_keys
  ORDER BY created_at DESC, id`;
