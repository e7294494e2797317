/** In place of an organisation: the service team. */
export const STAFF = 'staff';

/** Of a key of the service team; a supplier's key has none. */
export type Role = 'FULL' | 'READ_ONLY' | null;

/** What a key allows. */
export function mayOf(role: Role): string {
  if (role === null) return 'its own accounts';
  return role === 'FULL' ? 'everything' : 'read only, without personal data';
}

/** Whose key of the service team it is. Keys issued before may have no person; these cannot sign off. */
export function whoseStaffKey(person: string | null): string {
  return person === null ? 'the service team' : `${person}, the service team`;
}
