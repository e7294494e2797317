import type { ListOperationsTeamsRequest, OperationsTeam } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { pageById } from '../list-page.ts';

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
