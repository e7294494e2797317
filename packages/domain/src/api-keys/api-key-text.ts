import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_BYTES = 32;
const RANDOM_LENGTH = 43; // base 62 digits that hold 256 bits
const CHECKSUM_LENGTH = 6; // base 62 digits that hold 32 bits
const ISSUED_KEY = /^(cw_(?:supplier|staff)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** The shortest and longest string that is looked up; generated keys have 61 or 64 characters. */
const KEY_LENGTH = { least: 32, most: 512 };

/**
 * A new key: `cw_supplier_` or `cw_staff_`, 256 random bits and a checksum (behaviour 5.5). It is shown once and not
 * stored.
 */
export function newApiKey(kind: 'supplier' | 'staff'): string {
  const unchecked = `cw_${kind}_${base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH)}`;
  return unchecked + checksum(unchecked);
}

/**
 * Whether a string can be an API key, without a query: false for a mistyped key and for a string of impossible length.
 * A first staff key chosen by the operator has no checksum; only its length is checked.
 */
export function couldBeApiKey(text: string): boolean {
  if (text.length < KEY_LENGTH.least || text.length > KEY_LENGTH.most) {
    return false;
  }
  const [, unchecked, claimed] = ISSUED_KEY.exec(text) ?? [];
  return unchecked === undefined || claimed === checksum(unchecked);
}

/** What is stored instead of a secret: its SHA-256 digest. The secrets are random, so nothing slower is needed. */
export function secretDigest(secret: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(secret).digest();
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) {
    digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  }
  return digits;
}
