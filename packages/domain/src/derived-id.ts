import { hash } from 'node:crypto';

/**
 * The UUID (version 8) of a kind and its parts: the first 128 bits of a SHA-256 over them, with the six bits that RFC
 * 9562 fixes. Each part goes in as its length in bytes (32 bits, big-endian) and its UTF-8 bytes, so that `('a', 'bc')`
 * and `('ab', 'c')` differ. Identity is computed, not looked up (behaviour 15.1).
 */
export function derivedId(kind: string, ...parts: readonly string[]): string {
  const digest = hash('sha256', lengthPrefixed([kind, ...parts]), 'buffer');
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The id that keys every row of one account: import supplier code, external account number (behaviour 15.1). */
export function accountImportId(importSupplierCode: string, externalAccountNumber: string): string {
  return derivedId('account_import', importSupplierCode, externalAccountNumber);
}

function lengthPrefixed(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
