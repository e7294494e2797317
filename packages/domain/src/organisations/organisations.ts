import { randomUUID } from 'node:crypto';
import type {
  CreateOrganisationRequest,
  CreateOrganisationResponse,
  ListOrganisationsRequest,
  Organisation,
} from '@causeway/contracts';
import { isUniqueViolation } from '@causeway/db';
import { auditEvent } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { pageById } from '../shared/list-page.ts';

/** Creates an organisation (behaviour 14.2). Names are unique: a second one is `organisation_already_exists`. */
export async function createOrganisation(
  context: Context,
  { name }: CreateOrganisationRequest,
): Promise<CreateOrganisationResponse> {
  const { prisma } = context.database;
  const id = randomUUID();
  const change = { subjectId: id, subject: 'organisation', action: 'created', detail: { name } } as const;
  try {
    await prisma.$transaction([
      prisma.organisation.create({ data: { id, name, created_at: context.clock() } }),
      prisma.auditEvent.create({ data: auditEvent(context, change) }),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) {
      const detail = 'An organisation with this name exists already.';
      throw new DomainError('organisation_already_exists', detail, { attr: 'name', cause: error });
    }
    throw error;
  }
  return { id, name };
}

/** The organisations, oldest first (behaviour 14.2). */
export async function listOrganisations(context: Context, request: ListOrganisationsRequest): Promise<Organisation[]> {
  const rows = await context.database.prisma.organisation.findMany(pageById(request));
  return rows.map(({ id, name, created_at }) => ({ id, name, created_at: utcDatetime(created_at) }));
}

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
