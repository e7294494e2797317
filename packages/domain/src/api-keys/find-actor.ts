import { type Database, type RowOf, sql } from '@causeway/db';
import type { Actor } from '../context.ts';

/** The actor of this API key, or undefined if there is no such key or it has been revoked (behaviour 5.5). */
export async function findActor(database: Database, apiKeyId: string): Promise<Actor | undefined> {
  const [owner] = await database.query(KEY_IN_FORCE, { id: apiKeyId });
  return owner && actorOf(owner);
}

export function actorOf({ id, organisation_id, is_read_only }: KeyOwner): Actor {
  return organisation_id === null
    ? { kind: 'staff', apiKeyId: id, ...(is_read_only && { isReadOnly: true }) }
    : { kind: 'organisation', apiKeyId: id, organisationId: organisation_id };
}

const KEY_IN_FORCE = sql('api-key-in-force', {
  id: 'uuid',
  organisation_id: 'uuid | null',
  is_read_only: 'boolean',
})`
  SELECT id, organisation_id, is_read_only
  FROM api_keys
  WHERE id = ${'id'} AND revoked_at IS NULL`;

/** The actor of an active key; without an organisation it is the service team. */
type KeyOwner = RowOf<typeof KEY_IN_FORCE>;
