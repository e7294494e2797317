import { randomUUID } from 'node:crypto';
import type { CreateOperationsTeamRequest, ListOperationsTeamsRequest, OperationsTeam } from '@causeway/contracts';
import { isUniqueViolation } from '@causeway/db';
import { auditEvent } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { DomainError, isUnknownReference } from '../shared/errors.ts';
import { pageById } from '../shared/list-page.ts';

/**
 * Creates a team to which accounts are linked (behaviour 14.5), for one organisation's import suppliers or for all. A
 * second one with the same name is `operations_team_already_exists`, an organisation that was never created
 * `organisation_does_not_exist`.
 */
export async function createOperationsTeam(
  context: Context,
  { name, organisation_id }: CreateOperationsTeamRequest,
): Promise<OperationsTeam> {
  const { prisma } = context.database;
  const id = randomUUID();
  const created_at = context.clock();
  const owner = organisation_id === undefined ? { name } : { name, organisation_id };
  const change = { subjectId: id, subject: 'operations_team', action: 'created', detail: owner } as const;
  try {
    await prisma.$transaction([
      prisma.operationsTeam.create({ data: { id, ...owner, created_at } }),
      prisma.auditEvent.create({ data: auditEvent(context, change) }),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) {
      const detail = 'An operations team with this name exists already.';
      throw new DomainError('operations_team_already_exists', detail, { attr: 'name', cause: error });
    }
    if (isUnknownReference(error)) {
      const detail = 'There is no organisation with this id.';
      throw new DomainError('organisation_does_not_exist', detail, { attr: 'organisation_id', cause: error });
    }
    throw error;
  }
  return { id, name, organisation_id: organisation_id ?? null, created_at: utcDatetime(created_at) };
}

/** The teams to which accounts can be linked, oldest first (behaviour 14.5). */
export async function listOperationsTeams(
  context: Context,
  request: ListOperationsTeamsRequest,
): Promise<OperationsTeam[]> {
  const rows = await context.database.prisma.operationsTeam.findMany(pageById(request));
  return rows.map(({ id, name, organisation_id, created_at }) => ({
    id,
    name,
    organisation_id,
    created_at: utcDatetime(created_at),
  }));
}
