import { type Database, statement } from '@causeway/db';
import type { Actor } from '../context.ts';

/** Who a key in force stands for; without an organisation it is the service team's. */
export interface KeyOwner {
  id: string;
  organisation_id: string | null;
}

const KEY_IN_FORCE = statement(
  'api-key-in-force',
  'SELECT id, organisation_id FROM api_keys WHERE id = $1 AND revoked_at IS NULL',
);

/** Who acts with this API key, or undefined where there is no such key or it has been revoked (design 4.2). */
export async function findActor(database: Database, apiKeyId: string): Promise<Actor | undefined> {
  const [owner] = await database.query<KeyOwner>(KEY_IN_FORCE, [apiKeyId]);
  return owner && actorOf(owner);
}

export function actorOf({ id, organisation_id }: KeyOwner): Actor {
  return organisation_id === null
    ? { kind: 'staff', apiKeyId: id }
    : { kind: 'supplier', apiKeyId: id, organisationId: organisation_id };
}
