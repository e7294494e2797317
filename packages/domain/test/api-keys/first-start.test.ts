import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newApiKey } from '../../src/api-keys/api-key-text.ts';
import { issueStaffApiKey, revokeApiKey } from '../../src/api-keys/api-keys.ts';
import { ensureStaffApiKey } from '../../src/api-keys/ensure-staff-api-key.ts';
import { auditTrail, NOW, staffContext } from '../support/staff-context.ts';
import { verifyApiKey } from '../support/verify-api-key.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

const clock = () => NOW;
const GIVEN = 'a staff key of the operator: "0123456789"';
const instances = <T>(start: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, start));

describe('the first start', () => {
  beforeEach(() => owner.prisma.apiKey.deleteMany());

  it('16.2 adds a given staff key once, however many instances start with it, now or later', async () => {
    const shown = await instances(() => ensureStaffApiKey(database, clock, GIVEN));
    shown.push(await ensureStaffApiKey(database, clock, GIVEN));
    expect(shown.every((key) => key === undefined)).toBe(true);
    expect(await database.prisma.apiKey.count()).toBe(1);
    const actor = await verifyApiKey(database, GIVEN);
    expect(actor?.kind).toBe('staff');
    expect(await auditTrail(database, actor?.apiKeyId ?? '')).toMatchObject([
      { subject: 'api_key', action: 'issued', actor: 'service', api_key_id: null },
    ]);
  });

  it('16.2 generates a staff key where none exists, on one instance of many', async () => {
    const shown = await instances(() => ensureStaffApiKey(database, clock, undefined));
    const [generated, ...more] = shown.filter((key) => key !== undefined);
    expect(more).toEqual([]);
    expect((await verifyApiKey(database, generated ?? ''))?.kind).toBe('staff');
    expect(await ensureStaffApiKey(database, clock, undefined)).toBeUndefined();
  });

  it('16.2 generates no staff key where one was given before', async () => {
    await ensureStaffApiKey(database, clock, GIVEN);
    expect(await ensureStaffApiKey(database, clock, undefined)).toBeUndefined();
    expect(await database.prisma.apiKey.count()).toBe(1);
  });

  it('5.5 keeps a given staff key revoked at the next start', async () => {
    await ensureStaffApiKey(database, clock, GIVEN);
    const actor = await verifyApiKey(database, GIVEN);
    await issueStaffApiKey(staffContext(database), { label: 'another' });
    await revokeApiKey(staffContext(database), { id: actor?.apiKeyId ?? '' });
    await ensureStaffApiKey(database, clock, GIVEN);
    expect(await verifyApiKey(database, GIVEN)).toBeUndefined();
  });

  it('16.1 stops at a given staff key that is too short or mistyped', async () => {
    await expect(ensureStaffApiKey(database, clock, 'short')).rejects.toThrow('STAFF_API_KEY');
    const key = newApiKey('staff');
    const mistyped = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
    await expect(ensureStaffApiKey(database, clock, mistyped)).rejects.toThrow('STAFF_API_KEY');
    expect(await database.prisma.apiKey.count()).toBe(0);
  });
});
