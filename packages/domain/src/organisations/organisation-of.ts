import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';

/**
 * The organisation that a call is about: the caller's own or, of the service team, the one that it names. Refuses with
 * `request_failed_validation` if it names none, one that does not exist, or another one than its own.
 */
export async function organisationOf(
  { actor, database }: Context,
  { organisation_id }: { organisation_id?: string | undefined },
): Promise<string> {
  if (actor.kind === 'organisation') {
    if (organisation_id !== undefined && organisation_id !== actor.organisationId) throw unknownOrganisation();
    return actor.organisationId;
  }
  if (organisation_id === undefined) throw invalidField('organisation_id', 'Name the organisation that you mean.');
  const known = await database.prisma.organisation.findUnique({ where: { id: organisation_id }, select: { id: true } });
  if (known === null) throw unknownOrganisation();
  return known.id;
}

/** Another organisation's id is answered as one that was never created. */
const unknownOrganisation = () => invalidField('organisation_id', 'There is no organisation with this id.');
