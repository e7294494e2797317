import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountImportId, derivedId } from '../src/shared/derived-id.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const UUID_VERSION_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('derived ids', () => {
  it('15.1 derives a known id for a known account, now and for ever', () => {
    expect(accountImportId('NORTHWIND-2026', 'NW-0001482')).toBe('14fe4b69-5be7-8ac4-80c4-83d9e6e5f0a5');
    expect(derivedId('import_supplier', 'NORTHWIND-2026')).toBe('65d47b2e-b50f-8b40-a263-6f2918f8c507');
  });

  it('15.1 hashes the parts as their lengths and UTF-8 bytes', () => {
    const parts = ['account_import', 'CAFÉ', '1'].map((part) => Buffer.from(part));
    const input = parts.flatMap((part) => [Buffer.from([0, 0, 0, part.length]), part]);
    const digest = createHash('sha256').update(Buffer.concat(input)).digest('hex');
    const id = accountImportId('CAFÉ', '1').replaceAll('-', '');
    expect(id.slice(0, 12)).toBe(digest.slice(0, 12));
    expect(id.slice(17)).toBe(digest.slice(17, 32));
  });

  it('15.1 derives a UUID of version 8, the same each time', () => {
    fc.assert(
      fc.property(text, text, (code, number) => {
        expect(accountImportId(code, number)).toMatch(UUID_VERSION_8);
        expect(accountImportId(code, number)).toBe(accountImportId(code, number));
      }),
    );
  });

  it('15.1 derives different ids for different pairs', () => {
    expect(accountImportId('a', 'bc')).not.toBe(accountImportId('ab', 'c'));
    expect(accountImportId('', 'a')).not.toBe(accountImportId('a', ''));
    expect(derivedId('a', 'b')).not.toBe(derivedId('a', 'b', ''));
    fc.assert(
      fc.property(text, text, text, text, (code, number, otherCode, otherNumber) => {
        fc.pre(code !== otherCode || number !== otherNumber);
        expect(accountImportId(code, number)).not.toBe(accountImportId(otherCode, otherNumber));
      }),
    );
  });

  it('15.1 remembers no names of any length', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const characters = 2_000_000;
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let times = 0; times < 20; times += 1) accountImportId('a', `${times}${'1'.repeat(characters)}`);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * characters);
  });
});
