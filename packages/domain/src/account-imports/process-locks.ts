import { derivedId } from '../derived-id.ts';

// An advisory lock is a signed 64-bit number; the low 16 bits of a supplier's key count its slots.
const SLOT_MASK = 0xffffn;

/** The advisory lock that a process call holds while it works on the account; it means IN_PROGRESS. */
export function processLockKey(accountImportId: string): string {
  return BigInt.asIntN(64, firstHalf(accountImportId)).toString();
}

/** The advisory lock before the first of a supplier's processing slots; slot n is this number plus n. */
export function processSlotKey(importSupplierCode: string): string {
  return BigInt.asIntN(64, firstHalf(derivedId('process_slot', importSupplierCode)) & ~SLOT_MASK).toString();
}

function firstHalf(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '').slice(0, 16)}`);
}
