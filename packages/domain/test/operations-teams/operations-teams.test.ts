import { ListOperationsTeamsResponse, OperationsTeam } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { createOperationsTeam, listOperationsTeams } from '../../src/organisations/operations-teams.ts';
import { auditTrail, NOW, staffContext } from '../support/staff-context.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

describe('operations teams', () => {
  it('14.5 creates and lists operations teams, each with an audit row', async () => {
    const context = staffContext(database);
    const created = OperationsTeam.parse(await createOperationsTeam(context, { name: 'Support' }));
    expect(created).toMatchObject({ name: 'Support', created_at: '2026-03-02T08:00:00Z' });
    expect(ListOperationsTeamsResponse.parse(await listOperationsTeams(context, {}))).toEqual([created]);
    expect(await auditTrail(database, created.id)).toMatchObject([
      { subject: 'operations_team', action: 'created', detail: { name: 'Support' }, occurred_at: NOW },
    ]);
  });

  it('14.5 refuses a second team of a name', async () => {
    await createOperationsTeam(staffContext(database), { name: 'Twice' });
    await expect(createOperationsTeam(staffContext(database), { name: 'Twice' })).rejects.toMatchObject({
      code: 'operations_team_already_exists',
      errors: [{ attr: 'name' }],
    });
  });
});
