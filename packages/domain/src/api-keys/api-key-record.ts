import type { ApiKey, StaffRole } from '@causeway/contracts';
import type { ApiKey as ApiKeyRow } from '@causeway/db';
import { utcDatetime, utcDatetimeOrNull } from '../dates.ts';

/** A key as the service team sees it: neither the key nor its digest. */
export function apiKeyRecord(row: Omit<ApiKeyRow, 'digest'>): ApiKey {
  const { id, organisation_id, label, person, is_read_only, created_at, revoked_at } = row;
  return {
    id,
    organisation_id,
    label,
    person,
    role: organisation_id === null ? roleOf(is_read_only) : null,
    created_at: utcDatetime(created_at),
    revoked_at: utcDatetimeOrNull(revoked_at),
  };
}

export function roleOf(isReadOnly: boolean): StaffRole {
  return isReadOnly ? 'READ_ONLY' : 'FULL';
}
