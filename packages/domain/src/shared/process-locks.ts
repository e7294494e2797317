import { derivedId } from './derived-id.ts';

// An advisory lock is a signed 64-bit number; the low 16 bits of a numbered key count from it.
const NUMBER_MASK = 0xffffn;

/** The advisory lock that a process call holds while it works on the account; it means IN_PROGRESS. */
export function processLockKey(accountImportId: string): string {
  return BigInt.asIntN(64, firstHalf(accountImportId)).toString();
}

/** The advisory lock before the first of a supplier's processing slots; slot n is this number plus n. */
export function processSlotKey(importSupplierCode: string): string {
  return numberedKey(derivedId('process_slot', importSupplierCode));
}

/** The advisory lock before the first of a bulk job's lanes; lane n is this number plus n. */
export function laneKey(jobId: string): string {
  return numberedKey(derivedId('bulk_lane', jobId));
}

function numberedKey(uuid: string): string {
  return BigInt.asIntN(64, firstHalf(uuid) & ~NUMBER_MASK).toString();
}

function firstHalf(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '').slice(0, 16)}`);
}
