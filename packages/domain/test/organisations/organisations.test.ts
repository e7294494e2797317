import { ListOrganisationsResponse } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrganisation, listOrganisations } from '../../src/organisations/organisations.ts';
import { staffContext } from '../support/staff-context.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

describe('organisations', () => {
  beforeEach(() => owner.prisma.organisation.deleteMany());

  it('14.2 refuses a second organisation of a name, however many come at once, and writes nothing for it', async () => {
    const audited = await database.prisma.auditEvent.count();
    const calls = Array.from({ length: 8 }, () => createOrganisation(staffContext(database), { name: 'Same' }));
    const results = await Promise.allSettled(calls);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refusals).toHaveLength(7);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({
        name: 'DomainError',
        code: 'organisation_already_exists',
        errors: [{ attr: 'name', code: 'organisation_already_exists' }],
      });
    }
    expect(await database.prisma.organisation.count()).toBe(1);
    expect(await database.prisma.auditEvent.count()).toBe(audited + 1);
  });

  it('14.2 tells names apart by case', async () => {
    await createOrganisation(staffContext(database), { name: 'north' });
    await createOrganisation(staffContext(database), { name: 'North' });
    expect(await database.prisma.organisation.count()).toBe(2);
  });

  it('14.2 lists organisations, oldest first, in pages', async () => {
    const context = staffContext(database);
    for (const [minute, name] of ['Third', 'First', 'Second'].entries()) {
      const clock = () => new Date(Date.UTC(2026, 0, 1, 0, [2, 0, 1][minute]));
      await createOrganisation({ ...context, clock }, { name });
    }
    const all = ListOrganisationsResponse.parse(await listOrganisations(context, {}));
    expect(all.map(({ name }) => name)).toEqual(['First', 'Second', 'Third']);
    expect(all[0]?.created_at).toBe('2026-01-01T00:00:00Z');
    expect(await listOrganisations(context, { limit: 2 })).toEqual(all.slice(0, 2));
    expect(await listOrganisations(context, { limit: 2, after: all[1]?.id })).toEqual(all.slice(2));
    expect(await listOrganisations(context, { after: all[2]?.id })).toEqual([]);
    expect(await listOrganisations(context, { after: '00000000-0000-4000-8000-000000000000' })).toEqual([]);
  });
});
