import { ApiKey, ListApiKeysResponse } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { issueApiKey, issueStaffApiKey, listApiKeys, revokeApiKey } from '../../src/api-keys/api-keys.ts';
import { findActor } from '../../src/api-keys/find-actor.ts';
import { createOrganisation } from '../../src/organisations/organisations.ts';
import { auditTrail, staffContext } from '../support/staff-context.ts';
import { verifyApiKey } from '../support/verify-api-key.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);

const organisation_id = (await createOrganisation(context, { name: 'Northwind' })).id;

describe('API keys', () => {
  it('14.3 refuses to issue a key to an organisation that was never created', async () => {
    const unknown = { organisation_id: '00000000-0000-4000-8000-000000000000', label: 'x' };
    await expect(issueApiKey(context, unknown)).rejects.toMatchObject({
      code: 'organisation_does_not_exist',
      errors: [{ attr: 'organisation_id' }],
    });
  });

  it('5.5 knows no key that was not issued', async () => {
    const { api_key } = await issueApiKey(context, { organisation_id, label: 'typo' });
    expect(await verifyApiKey(database, `${api_key}x`)).toBeUndefined();
    expect(await verifyApiKey(database, api_key.toLowerCase())).toBeUndefined();
    expect(await verifyApiKey(database, ` ${api_key}`)).toBeUndefined();
    expect(await verifyApiKey(database, 'x'.repeat(40))).toBeUndefined();
    expect(await verifyApiKey(database, '')).toBeUndefined();
  });

  it('5.5 refuses a mistyped key without a query', async () => {
    const { api_key } = await issueApiKey(context, { organisation_id, label: 'typo' });
    const unreachable = { ...database, query: () => Promise.reject(new Error('asked the database')) };
    await expect(verifyApiKey(unreachable, api_key)).rejects.toThrow('asked the database');
    const mistyped = api_key.slice(0, -1) + (api_key.endsWith('x') ? 'y' : 'x');
    expect(await verifyApiKey(unreachable, mistyped)).toBeUndefined();
  });

  it('5.5 revokes a key for good, with one audit row however often it is revoked', async () => {
    const { id, api_key } = await issueApiKey(context, { organisation_id, label: 'leaked' });
    const revoked = await Promise.all(Array.from({ length: 4 }, () => revokeApiKey(context, { id })));
    for (const key of revoked) {
      expect(ApiKey.parse(key)).toMatchObject({ id, label: 'leaked', revoked_at: '2026-03-02T08:00:00Z' });
    }
    const later = { ...context, clock: () => new Date('2027-01-01T00:00:00Z') };
    expect(await revokeApiKey(later, { id })).toEqual(revoked[0]);
    expect(await verifyApiKey(database, api_key)).toBeUndefined();
    expect(await findActor(database, id)).toBeUndefined();
    expect((await auditTrail(database, id)).map(({ action }) => action)).toEqual(['issued', 'revoked']);
  });

  it('14.3 leaves a staff key in force, however many revocations come at once', async () => {
    const issued = await Promise.all(Array.from({ length: 7 }, () => issueStaffApiKey(context, { label: 'many' })));
    const inForce = { organisation_id: null, revoked_at: null };
    const ids = (await database.prisma.apiKey.findMany({ where: inForce })).map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(issued.length);
    const outcomes = await Promise.allSettled(ids.map((id) => revokeApiKey(context, { id })));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'last_staff_api_key', errors: [{ attr: 'id' }] } }]);
    expect(await database.prisma.apiKey.count({ where: inForce })).toBe(1);
  });

  it('14.3 refuses to revoke a key that was never issued', async () => {
    await expect(revokeApiKey(context, { id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({
      code: 'api_key_does_not_exist',
      errors: [{ attr: 'id' }],
    });
  });

  it('14.3 lists keys, oldest first, in pages, of one organisation if asked', async () => {
    const other = await createOrganisation(context, { name: 'Southwind' });
    const issued: string[] = [];
    for (const label of ['one', 'two', 'three']) {
      issued.push((await issueApiKey(context, { organisation_id: other.id, label })).id);
    }
    const all = ListApiKeysResponse.parse(await listApiKeys(context, { organisation_id: other.id }));
    expect(all.map(({ id }) => id).sort()).toEqual(issued.sort());
    const page = await listApiKeys(context, { organisation_id: other.id, limit: 1, after: all[0]?.id });
    expect(page).toEqual([all[1]]);
    expect((await listApiKeys(context, {})).length).toBeGreaterThan(3);
  });
});
