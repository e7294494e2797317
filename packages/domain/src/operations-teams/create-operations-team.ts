import { randomUUID } from 'node:crypto';
import type { CreateOperationsTeamRequest, OperationsTeam } from '@causeway/contracts';
import { isUniqueViolation } from '@causeway/db';
import { auditEvent } from '../audit/audit-event.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { DomainError } from '../errors.ts';

/** Creates a team that accounts are linked to (design 7). A second one of a name is `operations_team_already_exists`. */
export async function createOperationsTeam(
  context: Context,
  { name }: CreateOperationsTeamRequest,
): Promise<OperationsTeam> {
  const { prisma } = context.database;
  const id = randomUUID();
  const created_at = context.clock();
  const change = { subjectId: id, subject: 'operations_team', action: 'created', detail: { name } } as const;
  try {
    await prisma.$transaction([
      prisma.operationsTeam.create({ data: { id, name, created_at } }),
      prisma.auditEvent.create({ data: auditEvent(context, change) }),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) {
      const detail = 'An operations team with this name exists already.';
      throw new DomainError('operations_team_already_exists', detail, { attr: 'name', cause: error });
    }
    throw error;
  }
  return { id, name, created_at: utcDatetime(created_at) };
}
