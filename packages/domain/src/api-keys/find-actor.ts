import type { StaffRole, WhoAmI } from '@causeway/contracts';
import { type Database, type RowOf, sql } from '@causeway/db';
import type { Actor } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';

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

/** The API key of the caller, and whose it is (behaviour 14.3.4). */
export async function whoAmI({ actor, database }: Context): Promise<WhoAmI> {
  const { label, person, is_read_only, organisation } = await database.prisma.apiKey.findUniqueOrThrow({
    where: { id: actor.apiKeyId },
    select: { label: true, person: true, is_read_only: true, organisation: { select: { id: true, name: true } } },
  });
  return organisation === null
    ? { kind: 'staff', label, person, role: roleOf(is_read_only), organisation }
    : { kind: 'supplier', label, person, role: null, organisation };
}

export function roleOf(isReadOnly: boolean): StaffRole {
  return isReadOnly ? 'READ_ONLY' : 'FULL';
}
