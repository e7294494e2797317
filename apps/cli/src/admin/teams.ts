import { eachRecord } from '@causeway/client';
import type { Context, Result } from '../frame/define-command.ts';
import { listed } from '../frame/listed.ts';
import { openStaff } from '../session/open-staff.ts';
import { organisationId, organisationNames } from './organisations.ts';

interface Creating {
  words: [string];
  options: { organisation?: string };
}

/** Creates an operations team, of one organisation or open to all. */
export async function createTeam(context: Context, { words: [name], options }: Creating): Promise<Result> {
  const service = await openStaff(context);
  const organisation_id =
    options.organisation === undefined ? undefined : await organisationId(service, options.organisation);
  const team = await service.answer(service.client.operationsTeams.create.mutate({ name, organisation_id }));
  context.output.say(`Created. Suppliers name it when they move accounts: --team '${name}'`);
  return { document: team, lines: [`${team.id}  ${name}`] };
}

/** Lists all operations teams, oldest first. */
export async function listTeams(context: Context): Promise<Result> {
  const { client, answer } = await openStaff(context);
  const teams = await answer(Array.fromAsync(eachRecord(client.operationsTeams.list, {})));
  const names = await answer(organisationNames(client));
  return listed(context, { name: 'teams', records: teams }, ({ id, name, organisation_id }) => {
    return [id, name, organisation_id === null ? 'open to all' : (names.get(organisation_id) ?? organisation_id)];
  });
}
