import type { Database } from '@causeway/db';
import type { Actor } from '../context.ts';
import { KEY_IN_FORCE, type KeyOwner } from './find-actor.sql.ts';

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
