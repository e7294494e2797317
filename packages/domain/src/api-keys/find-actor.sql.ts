import { type RowOf, sql } from '@causeway/db';

export const KEY_IN_FORCE = sql('api-key-in-force', {
  id: 'uuid',
  organisation_id: 'uuid | null',
  is_read_only: 'boolean',
})`
  SELECT id, organisation_id, is_read_only
  FROM api_keys
  WHERE id = ${'id'} AND revoked_at IS NULL`;

/** The actor of an active key; without an organisation it is the service team. */
export type KeyOwner = RowOf<typeof KEY_IN_FORCE>;
