import { LIMITS } from '@causeway/contracts';

/** Accounts with `from_id` <= id < `to_id`; the last range has no end. */
export interface RangeBounds {
  from_id: string;
  to_id: string | null;
}

const ID_BITS = 128n;

/**
 * Ranges of ids of equal width, as many as hold these accounts if each has `reconciliation_range_accounts`: ids are
 * hashes, so that each range has about as many.
 */
export function rangeBounds(accounts: number): RangeBounds[] {
  const count = Math.max(Math.ceil(accounts / LIMITS.reconciliation_range_accounts), 1);
  const start = (number: number) => uuidOf((BigInt(number) << ID_BITS) / BigInt(count));
  return Array.from({ length: count }, (_, number) => ({
    from_id: start(number),
    to_id: number + 1 === count ? null : start(number + 1),
  }));
}

function uuidOf(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
