import { type CausewayClient, eachRecord } from '@causeway/client';
import type { Organisation } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { listed } from '../frame/listed.ts';
import { openStaff, type StaffService } from '../session/open-staff.ts';

/** Creates an organisation, and says what it needs next. */
export async function createOrganisation(context: Context, { words: [name] }: { words: [string] }): Promise<Result> {
  const { client, answer } = await openStaff(context);
  const organisation = await answer(client.organisations.create.mutate({ name }));
  context.output.say(`Created. Next: causeway admin suppliers create CODE --name TEXT --organisation '${name}'`);
  return { document: organisation, lines: [`${organisation.id}  ${name}`] };
}

/** Lists all organisations, oldest first. */
export async function listOrganisations(context: Context): Promise<Result> {
  const { client, answer } = await openStaff(context);
  const organisations = await answer(Array.fromAsync(eachRecord(client.organisations.list, {})));
  return listed(context, { name: 'organisations', records: organisations }, ({ id, name, created_at }) => [
    id,
    name,
    created_at,
  ]);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The id of an organisation that is given by its id or by its name, which is unique. */
export async function organisationId({ client, answer }: StaffService, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  const names = await answer(organisationNames(client));
  const found = names.entries().find(([, name]) => name === given);
  if (found !== undefined) return found[0];
  throw new Failure('refused', `No organisation is called “${given}”.`, {
    code: 'organisation_does_not_exist',
    lines: ['  causeway admin organisations list shows them; names are case-sensitive.'],
  });
}

/** The name of every organisation by its id. */
export async function organisationNames(client: CausewayClient): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, name } of eachRecord(client.organisations.list, {}) as AsyncIterable<Organisation>) {
    names.set(id, name);
  }
  return names;
}
