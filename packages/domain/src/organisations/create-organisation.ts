import { randomUUID } from 'node:crypto';
import type { CreateOrganisationRequest, CreateOrganisationResponse } from '@causeway/contracts';
import { isUniqueViolation } from '@causeway/db';
import { auditEvent } from '../audit/audit-event-records.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';

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
