import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('4.3 a team of an organisation is unknown to the import suppliers of any other', async () => {
  const owner = await service.createSupplier();
  const sibling = await service.createSupplier({ of: owner });
  const foreign = await service.createSupplier();
  const name = `Bound ${randomUUID()}`;
  const team = await service.staff.operationsTeams.create.mutate({ name, organisation_id: owner.organisationId });
  expect(team).toMatchObject({ name, organisation_id: owner.organisationId });
  const processWith = async (supplier: typeof owner, operations_team_name: string) => {
    const number = await supplier.stage();
    const { status, body } = await supplier.post('account-import-process/process/', {
      ...supplier.processRequest(number),
      operations_team_name,
    });
    return { status, body };
  };
  expect((await processWith(owner, name)).status).toBe(201);
  expect((await processWith(sibling, name)).status).toBe(201);
  const refused = await processWith(foreign, name);
  expect(refused).toEqual(await processWith(foreign, 'Never created'));
  expect([refused.status, refused.body.code]).toEqual([400, 'operations_team_name_does_not_exist']);
  const listed = await service.staff.operationsTeams.list.query();
  expect(listed).toContainEqual(team);
  expect(listed.find((other) => other.name === foreign.teamName)?.organisation_id).toBeNull();
});

test('14.5 a team of no organisation stays open to all, and one of an organisation that was never created is refused', async () => {
  const [one, other] = [await service.createSupplier(), await service.createSupplier()];
  for (const supplier of [one, other]) {
    const number = await supplier.stage();
    const request = { ...supplier.processRequest(number), operations_team_name: one.teamName };
    expect((await supplier.post('account-import-process/process/', request)).status).toBe(201);
  }
  const name = `Team ${randomUUID()}`;
  const create = service.staff.operationsTeams.create.mutate({ name, organisation_id: randomUUID() });
  expect(await refusal(create)).toMatchObject({ code: 'organisation_does_not_exist', attrs: ['organisation_id'] });
  expect(await service.database.prisma.operationsTeam.count({ where: { name } })).toBe(0);
});
