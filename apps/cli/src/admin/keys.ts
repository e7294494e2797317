import { eachRecord } from '@causeway/client';
import type { ApiKey, IssuedApiKey } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { listed } from '../frame/listed.ts';
import { openStaff, type StaffService } from '../session/open-staff.ts';
import { organisationId, organisationNames } from './organisations.ts';

interface Issuing {
  options: {
    organisation?: string;
    staff?: boolean;
    person?: string;
    readOnly?: boolean;
    full?: boolean;
    label: string;
  };
}

/** Issues a key. stdout has the key and nothing else, so that it can go into a file that nobody has seen. */
export async function issueKey(context: Context, { options }: Issuing): Promise<Result> {
  refuseUnsaid(options);
  const issued = await issue(await openStaff(context), options);
  context.output.say(
    `The key “${options.label}”, ${issued.id}, belongs to ${whoseAndWhat(options)}. It is shown only this once:`,
  );
  return { document: issued, lines: [issued.api_key] };
}

/** Nothing is assumed of a key: its owner, and for the service team the person and the role, are all said. */
function refuseUnsaid({ organisation, staff, person, readOnly, full }: Issuing['options']): void {
  if ((organisation === undefined) === (staff === undefined)) {
    throw new Failure('usage', 'Say whose key it is: --organisation NAME of a supplier, or --staff.');
  }
  if (staff === undefined) {
    const flag = Object.entries({ '--person': person, '--read-only': readOnly, '--full': full }).find(([, is]) => is);
    if (flag !== undefined) throw new Failure('usage', `${flag[0]} is for a key of the service team: --staff.`);
    return;
  }
  if (person === undefined) throw new Failure('usage', 'Say who alone uses the key: --person NAME.');
  if (readOnly === full) {
    throw new Failure('usage', 'Say what the key allows: --read-only, or --full for everything.');
  }
}

function whoseAndWhat({ organisation, person, readOnly }: Issuing['options']): string {
  if (organisation !== undefined) return `${organisation}, for its own accounts`;
  return `${person}, the service team, ${readOnly ? 'read only' : 'without limits'}`;
}

async function issue(
  service: StaffService,
  { organisation, person, readOnly, label }: Issuing['options'],
): Promise<IssuedApiKey> {
  const { client, answer } = service;
  if (organisation === undefined)
    return answer(client.apiKeys.issueStaff.mutate({ label, person, role: readOnly ? 'READ_ONLY' : 'FULL' }));
  const organisation_id = await organisationId(service, organisation);
  return answer(client.apiKeys.issue.mutate({ organisation_id, label }));
}

/** Lists keys, oldest first: all of them, or one organisation's. */
export async function listKeys(context: Context, { options }: { options: { organisation?: string } }): Promise<Result> {
  const service = await openStaff(context);
  const { client, answer } = service;
  const asked =
    options.organisation === undefined ? {} : { organisation_id: await organisationId(service, options.organisation) };
  const keys = await answer(Array.fromAsync(eachRecord(client.apiKeys.list, asked)));
  const names = await answer(organisationNames(client));
  return listed(context, { name: 'keys', records: keys as ApiKey[] }, (key) => {
    const { id, label, person, role, organisation_id, created_at, revoked_at } = key;
    const whose =
      organisation_id === null ? `service team${person === null ? '' : `: ${person}`}` : names.get(organisation_id);
    const state = revoked_at === null ? `issued ${created_at}` : `revoked ${revoked_at}`;
    return [id, whose ?? organisation_id ?? '', label, role === 'READ_ONLY' ? `${state}, read-only` : state];
  });
}

/** Revokes a key, for good. */
export async function revokeKey(context: Context, { words: [id] }: { words: [string] }): Promise<Result> {
  const { client, answer } = await openStaff(context);
  await answer(client.apiKeys.revoke.mutate({ id }));
  context.output.say('Revoked: within 5 seconds the key and its tokens stop working everywhere.');
  return { document: { id, revoked: true }, lines: [] };
}
