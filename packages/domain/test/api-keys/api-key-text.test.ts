import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { couldBeApiKey, newApiKey, secretDigest } from '../../src/api-keys/api-key-text.ts';

describe('the text of an API key', () => {
  it.each(['supplier', 'staff'] as const)('5.5 makes %s keys of 256 random bits behind a prefix', (kind) => {
    const keys = Array.from({ length: 200 }, () => newApiKey(kind));
    expect(new Set(keys).size).toBe(200);
    for (const key of keys) {
      expect(key).toMatch(new RegExp(`^cw_${kind}_[0-9A-Za-z]{49}$`));
      expect(couldBeApiKey(key)).toBe(true);
    }
  });

  it('5.5 tells a mistyped key by its checksum', () => {
    const key = newApiKey('supplier');
    const start = 'cw_supplier_'.length;
    fc.assert(
      fc.property(fc.integer({ min: start, max: key.length - 1 }), fc.constantFrom(...'0aZ9'), (at, digit) => {
        fc.pre(key[at] !== digit);
        expect(couldBeApiKey(key.slice(0, at) + digit + key.slice(at + 1))).toBe(false);
      }),
    );
    expect(couldBeApiKey(key.replace('supplier', 'staff'))).toBe(false);
  });

  it('16.2 lets any text of 32 to 512 characters be looked up, since the first staff key may be one', () => {
    expect(couldBeApiKey('x'.repeat(31))).toBe(false);
    expect(couldBeApiKey('x'.repeat(32))).toBe(true);
    expect(couldBeApiKey('é"\u0000 '.repeat(128))).toBe(true);
    expect(couldBeApiKey('x'.repeat(513))).toBe(false);
    expect(couldBeApiKey('')).toBe(false);
  });

  it('5.5 stores SHA-256 digests', () => {
    expect(secretDigest('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
