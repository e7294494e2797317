import { randomUUID } from 'node:crypto';
import { type Database, statement } from '@causeway/db';
import { derivedId } from '../derived-id.ts';
import { couldBeApiKey, newApiKey, secretDigest } from './api-key-text.ts';

const INSERT_WITH_AUDIT = `INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
  SELECT id, 'api_key', 'issued', 'service', 'start', '{"label": "first staff key"}', $3 FROM inserted
  RETURNING subject_id`;

const INSERT_GIVEN_KEY = statement(
  'insert-given-staff-key',
  `WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label) VALUES ($1, $2, $3, 'first staff key')
    ON CONFLICT (digest) DO NOTHING RETURNING id
  ) ${INSERT_WITH_AUDIT}`,
);

const INSERT_GENERATED_KEY = statement(
  'insert-generated-staff-key',
  `WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label) SELECT $1, $2, $3, 'first staff key'
    WHERE NOT EXISTS (SELECT FROM api_keys WHERE organisation_id IS NULL)
    ON CONFLICT (id) DO NOTHING RETURNING id
  ) ${INSERT_WITH_AUDIT}`,
);

/** The generated key's id is always the same, so that of several instances starting at once only one can insert it. */
const GENERATED_KEY_ID = derivedId('api_key', 'first staff key');

/**
 * Makes sure that the service team has a key (design 6). A given `key`, any text of 32 characters or more, is added if
 * it is new; one that was revoked stays revoked. Without one, and where no staff key was ever issued, a key is
 * generated and returned, to be shown once. Throws a plain Error for a given key that cannot work.
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
    await database.query(INSERT_GIVEN_KEY, [randomUUID(), secretDigest(key), clock()]);
    return undefined;
  }
  const generated = newApiKey('staff');
  const inserted = await database.query(INSERT_GENERATED_KEY, [GENERATED_KEY_ID, secretDigest(generated), clock()]);
  return inserted.length > 0 ? generated : undefined;
}
