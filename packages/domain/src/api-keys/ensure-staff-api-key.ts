import { randomUUID } from 'node:crypto';
import { type Database, fragment, sql } from '@causeway/db';
import { derivedId } from '../shared/derived-id.ts';
import { couldBeApiKey, newApiKey, secretDigest } from './api-key-text.ts';

/**
 * The generated key's id is always the same, so that of several instances starting concurrently only one can insert it.
 */
const GENERATED_KEY_ID = derivedId('api_key', 'first staff key');

/**
 * Makes sure that the service team has a key (behaviour 16.2). A given `key`, any text of 32 characters or more, is
 * added if it is new; one that was revoked stays revoked. Without one, and if no staff key was ever issued, a key is
 * generated and returned, to be shown once. Throws a plain Error for an unusable `key`.
 */
export async function ensureStaffApiKey(
  database: Database,
  clock: () => Date,
  key: string | undefined,
): Promise<string | undefined> {
  if (key !== undefined) {
    if (!couldBeApiKey(key)) {
      throw new Error('STAFF_API_KEY must have 32 to 512 characters and, if it was issued here, be typed exactly.');
    }
    await database.query(INSERT_GIVEN_KEY, { id: randomUUID(), digest: secretDigest(key), at: clock() });
    return undefined;
  }
  const generated = newApiKey('staff');
  const inserted = await database.query(INSERT_GENERATED_KEY, {
    id: GENERATED_KEY_ID,
    digest: secretDigest(generated),
    at: clock(),
  });
  return inserted.length > 0 ? generated : undefined;
}

const INSERT_AUDIT = fragment`
  INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
  SELECT id, 'api_key', 'issued', 'service', 'start', '{"label": "first staff key"}', ${'at'}
  FROM inserted
  RETURNING subject_id`;

const INSERT_GIVEN_KEY = sql('insert-given-staff-key', { subject_id: 'uuid' })`
  WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label)
    VALUES (${'id'}, ${'digest'}, ${'at'}, 'first staff key')
    ON CONFLICT (digest) DO NOTHING
    RETURNING id
  )
  ${INSERT_AUDIT}`;

const INSERT_GENERATED_KEY = sql('insert-generated-staff-key', { subject_id: 'uuid' })`
  WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label)
    SELECT ${'id'}, ${'digest'}, ${'at'}, 'first staff key'
    WHERE NOT EXISTS (SELECT FROM api_keys WHERE organisation_id IS NULL)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  ${INSERT_AUDIT}`;
