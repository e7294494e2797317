import type { Database } from '@causeway/db';
import { ADD_REPORT_KEY, LIST_REPORT_KEYS } from './report-keys.sql.ts';

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
