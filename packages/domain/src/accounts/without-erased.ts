/** What `accounts.erase` writes where a column may not be null (`erase-account.sql.ts`). */
const ERASED = '[erased]';

/** A value read from an erased account, without the places of what was erased (behaviour 4.16.7). */
export function withoutErased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutErased);
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([, field]) => field !== ERASED);
  return Object.fromEntries(left.map(([name, field]) => [name, withoutErased(field)]));
}
