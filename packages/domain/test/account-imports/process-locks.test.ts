import { describe, expect, test } from 'vitest';
import { accountImportId } from '../../src/shared/derived-id.ts';
import { processLockKey, processSlotKey } from '../../src/shared/process-locks.ts';

describe('the locks of processing', () => {
  const fitsPostgres = (key: string) => BigInt.asIntN(64, BigInt(key)).toString() === key;

  test('8 are numbers that PostgreSQL takes, one for each account', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) =>
      processLockKey(accountImportId('NORTHWIND', `ACC-${index}`)),
    );
    expect(keys.every(fitsPostgres)).toBe(true);
    expect(new Set(keys).size).toBe(1_000);
  });

  test('8 leave each supplier room for 65,535 slots of its own', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => processSlotKey(`SUPPLIER-${index}`));
    expect(keys.every(fitsPostgres)).toBe(true);
    expect(keys.every((key) => (BigInt(key) & 0xffffn) === 0n)).toBe(true);
    expect(new Set(keys).size).toBe(1_000);
  });
});
