import { type Database, statement } from '@causeway/db';
import type { Actor } from '../context.ts';
import { couldBeApiKey, secretDigest } from './api-key-text.ts';
import { actorOf, type KeyOwner } from './find-actor.ts';

const KEY_BY_DIGEST = statement(
  'api-key-by-digest',
  'SELECT id, organisation_id FROM api_keys WHERE digest = $1 AND revoked_at IS NULL',
);

/**
 * Who acts with this API key, or undefined where it is not a key in force (specification 5, design 4.2). A mistyped key is
 * told by its checksum, without a query. A failure of the database is thrown as it is.
 */
export async function verifyApiKey(database: Database, apiKey: string): Promise<Actor | undefined> {
  if (!couldBeApiKey(apiKey)) {
    return undefined;
  }
  const [owner] = await database.query<KeyOwner>(KEY_BY_DIGEST, [secretDigest(apiKey)]);
  return owner && actorOf(owner);
}
