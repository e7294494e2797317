import { hash } from 'node:crypto';

/** What identifies one account import: the two names, as its columns have them, and the id derived from both. */
export interface AccountKey {
  id: string;
  import_supplier_code: string;
  external_account_number: string;
}

/** The key of an account import, whether or not there is one. */
export function accountKey(importSupplierCode: string, externalAccountNumber: string): AccountKey {
  return {
    id: accountImportId(importSupplierCode, externalAccountNumber),
    import_supplier_code: importSupplierCode,
    external_account_number: externalAccountNumber,
  };
}

/**
 * The UUID (version 8) of a kind and its parts: the first 128 bits of a SHA-256 over them, with the six bits that RFC
 * 9562 fixes. Each part goes in as its length in bytes (32 bits, big-endian) and its UTF-8 bytes, so that `('a', 'bc')`
 * and `('ab', 'c')` differ. Identity is computed, not looked up (behaviour 15.1).
 */
export function derivedId(kind: string, ...parts: readonly string[]): string {
  const digest = hash('sha256', lengthPrefixed([kind, ...parts]), 'hex');
  const variant = '89ab'[Number.parseInt(digest.slice(16, 17), 16) % 4];
  const slice = (from: number, to: number) => digest.slice(from, to);
  return `${slice(0, 8)}-${slice(8, 12)}-8${slice(13, 16)}-${variant}${slice(17, 20)}-${slice(20, 32)}`;
}

/** A caller's may be of any length before its schema has been asked. */
const REMEMBERED_LENGTH = 100;
const MAX_KNOWN = 1_000;

// The calls of one account follow one another, and each needs its id two or three times (docs/decisions/0014).
const known = new Map<string, string>();

/** The id that keys every row of one account: import supplier code, external account number (behaviour 15.1). */
export function accountImportId(importSupplierCode: string, externalAccountNumber: string): string {
  const name = `${importSupplierCode.length} ${importSupplierCode}${externalAccountNumber}`;
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const id = derivedId('account_import', importSupplierCode, externalAccountNumber);
  if (name.length > REMEMBERED_LENGTH) return id;
  if (known.size === MAX_KNOWN) known.clear();
  known.set(name, id);
  return id;
}

function lengthPrefixed(parts: readonly string[]): Buffer {
  const lengths = parts.map((part) => Buffer.byteLength(part));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 4 * parts.length));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at = bytes.writeUInt32BE(lengths[index] ?? 0, at);
    at += bytes.write(part, at);
  }
  return bytes;
}
