import type { StaffRole, WhoAmI } from '@causeway/contracts';
import { type Database, narrow, type RowOf, sql } from '@causeway/db';
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
  const [key] = await database.query(READ_OWN_KEY, { id: actor.apiKeyId });
  if (key === undefined) throw new Error('The key of the caller is gone');
  const { label, person, is_read_only, organisation } = key;
  return organisation === null
    ? { kind: 'staff', label, person, role: roleOf(is_read_only), organisation }
    : { kind: 'supplier', label, person, role: null, organisation };
}

const READ_OWN_KEY = sql('read-own-key', {
  label: 'text',
  person: 'text | null',
  is_read_only: 'boolean',
  organisation: narrow<WhoAmI['organisation']>('jsonb | null'),
})`
  SELECT
    key.label,
    key.person,
    key.is_read_only,
    CASE
      WHEN key.organisation_id IS NOT NULL
      THEN jsonb_build_object('id', organisation.id, 'name', organisation.name)
    END AS organisation
  FROM api_keys AS key
  LEFT JOIN organisations AS organisation ON organisation.id = key.organisation_id
  WHERE key.id = ${'id'}`;

export function roleOf(isReadOnly: boolean): StaffRole {
  return isReadOnly ? 'READ_ONLY' : 'FULL';
}
